/**
 * A learner with nothing yet is no title of a report: the mapping that is made of one month's file imports the next month's whole. In
 * memory; costs milliseconds.
 */
import { describe, expect, it } from 'vitest';
import { confirmSuggestions, mappingOf } from '../../../../bin/importer/engine/decide/confirm.ts';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { memberOf } from '../../../../bin/importer/engine/ground/fields.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';
import { surveyOf } from '../../../../bin/importer/engine/run/survey.ts';
import { setWith } from '../../command/support/runs.ts';

const NOW = Date.parse('2026-11-27');
const fileOf = (rows: readonly string[]): File => new File([rows.join('\n')], 'training.csv');

async function mappingFor(rows: readonly string[], learners: readonly string[], courses: readonly string[]) {
  const platform = {
    courseOf: (text: string) => (courses.includes(text) ? courses.indexOf(text) + 1 : undefined),
    knownLearners: async (texts: readonly string[]) => new Set(texts.filter((text) => learners.includes(text))),
  };
  const source = await openSource(fileOf(rows), { now: NOW });
  return mappingOf(confirmSuggestions(await findKinds([source], { platform })));
}

/** The learners of the records, each once. */
async function imported(mapping: ReturnType<typeof mappingOf>, rows: readonly string[]): Promise<string[]> {
  const { undecided: _, ...decided } = mapping;
  const found = new Set<string>();
  const addRecord = (record: unknown): void => {
    found.add(String(memberOf(record, 'user.external_user_id') ?? memberOf(record, 'user.email')));
  };
  await surveyOf(await setWith(decided, fileOf(rows)), { preview: { addRecord, clear: () => found.clear() } });
  return [...found].toSorted();
}

const COURSES = ['Fire Safety', 'First Aid', 'Ladders', 'Manual Handling'];

/** Names, ids and addresses, each with one that is written in its own way. */
const PEOPLE = {
  names: ['Smith, John', 'Okafor, Ada', 'Novak, Petra', 'Lindqvist, Bo', "O'Brien-Summers, Mary Ann", 'Vance, Amelia'],
  'names like sums': ['John Smith', 'Ada Okafor', 'Petra Novak', 'Bo Lindqvist', 'Averageton Wilson', 'Summers Amelia'],
  ids: ['E1001', 'E1002', 'E1003', 'E1004', 'E1005', 'E1006'],
  'ids of words': ['Employee 11', 'Employee 12', 'Employee 13', 'Employee 14', 'Employee 15', 'Employee 16'],
  addresses: ['a@x.test', 'b@x.test', 'c@x.test', 'd@x.test', 'e.f@x.test', 'g@x.test'],
};

const csv = (cells: readonly string[]): string =>
  cells.map((cell) => (cell.includes(',') ? `"${cell}"` : cell)).join(',');
const day = (person: number, course: number): string => `2026-0${1 + course}-1${person}`;

describe.each(Object.entries(PEOPLE))('%s', (kind, people) => {
  const header = kind === 'addresses' ? 'Email' : 'Employee';
  const matrix = (without: readonly number[]): string[] => [
    csv([header, ...COURSES]),
    ...people.map((name, at) =>
      csv([name, ...COURSES.map((_, course) => (without.includes(at) ? '' : day(at, course)))]),
    ),
  ];
  const list = (without: readonly number[]): string[] => [
    `${header},Course,Status,Completion date`,
    ...people.map((name, at) =>
      csv(without.includes(at) ? [name, '', '', ''] : [name, COURSES[at % 4] ?? '', 'Completed', day(at, 1)]),
    ),
  ];

  it.each([[[0]], [[2]], [[5]], [[0, 5]], [[1, 2, 4]], [[4, 5]]])(
    'learners without a course in rows %j',
    async (without) => {
      for (const rowsOf of [matrix, list]) {
        const mapping = await mappingFor(rowsOf(without), people, COURSES);
        expect(await imported(mapping, rowsOf(without))).toEqual(
          people.filter((_, at) => !without.includes(at)).toSorted(),
        );
        // Two other months.
        expect(await imported(mapping, rowsOf([]))).toEqual(people.toSorted());
        expect(await imported(mapping, rowsOf([3]))).toEqual(people.filter((_, at) => at !== 3).toSorted());
      }
    },
  );
});

it('titles and sums are skipped', async () => {
  const rows = (...others: readonly string[]): string[] => [
    csv(['Employee', ...COURSES]),
    ...PEOPLE.names.map((name, at) => csv([name, ...COURSES.map((_, course) => day(at, course))])),
    ...others.map((text) => csv([text, ...COURSES.map(() => '')])),
  ];
  const { skip } = await mappingFor(rows('Total: 6', 'Page 1 of 2', 'End of report', '© Acme'), PEOPLE.names, COURSES);
  expect(skip?.flatMap(({ is }) => is)).toEqual(['Total*', 'Page 1 of*', 'End of report*', '© Acme*']);
});

it('sums below a matrix are skipped, and nowhere else', async () => {
  const rows = PEOPLE.names.map((name, at) => csv([name, ...COURSES.map((_, course) => day(at, course))]));
  const sums = csv(['Total', ...COURSES.map(() => '6')]);
  const skipIn = async (...lines: readonly string[]) =>
    (await mappingFor([csv(['Employee', ...COURSES]), ...lines], PEOPLE.names, COURSES)).skip;
  expect(await skipIn(...rows, sums)).toEqual([{ column: '#1', is: ['Total*'] }]);
  expect(await skipIn(...rows.slice(1), sums, ...rows.slice(0, 1))).toBe(undefined);
});

it('a learner whose name begins like that of the sums is kept', async () => {
  const people = [...PEOPLE.names.slice(1), 'Totala, Ada'];
  const rows = [
    csv(['Employee', ...COURSES]),
    ...people.map((name, at) => csv([name, ...COURSES.map((_, course) => day(at, course))])),
    csv(['Total', ...COURSES.map(() => '6')]),
  ];
  expect(await imported(await mappingFor(rows, people, COURSES), rows)).toEqual(people.toSorted());
});

it('a surname that several have is no word of sums', async () => {
  const people = ['Ana', 'Ana Lopez', 'Kim', 'Kim Lopez', 'Lee'];
  const rows = [
    csv(['Employee', ...COURSES]),
    ...people.map((name, at) => csv([name, ...COURSES.map((_, course) => day(at, course))])),
  ];
  const mapping = await mappingFor(rows, people, COURSES);
  expect(await imported(mapping, rows)).toEqual(people);
});
