/** Each known system: its sample through the engine, with what is suggested, against its truth. Costs seconds. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type JsonObject, memberOf } from '../../../bin/importer/engine/ground/fields.ts';
import { openRecords } from '../../../bin/importer/engine/apply/open-records.ts';
import { confirmSuggestions, mappingOf, openQuestions } from '../../../bin/importer/engine/decide/confirm.ts';
import { findKinds } from '../../../bin/importer/engine/decide/find.ts';
import { knownSystems } from '../../../bin/importer/engine/decide/system.ts';
import { openSource } from '../../../bin/importer/engine/read/open-source.ts';
import { each } from '../../../bin/importer/engine/read/pieces.ts';
import { SYSTEMS } from '../../../bin/importer/systems/index.ts';

const FOLDER = join(import.meta.dirname, '../../../bin/importer/systems');
const NOW = Date.parse('2026-11-27');

interface TrueRow {
  readonly line: number;
  readonly learner: string;
  readonly course: string | null;
  readonly outcome: string;
  readonly date: string | null;
}

/** The truth of `sample.csv` is `truth.json`, that of `other.csv` is `other.truth.json`. */
const SAMPLES = SYSTEMS.flatMap(({ id }) =>
  readdirSync(join(FOLDER, id))
    .filter((name) => name !== 'descriptor.json' && !name.endsWith('truth.json'))
    .map((name) => ({ id, name, truth: name.replace(/\.[^.]*$/, '.truth.json').replace(/^sample\./, '') })),
);

function fileOf(id: string, name: string): File {
  return new File([new Uint8Array(readFileSync(join(FOLDER, id, name)))], name);
}

const memberIn =
  (record: JsonObject) =>
  (name: Parameters<typeof memberOf>[1]): unknown =>
    memberOf(record, name);

/** What a record says became of its learner. */
function outcomeOf(record: JsonObject): string {
  const at = memberIn(record);
  if (at('assessment.status') === 'passed') return 'certified';
  if (at('assessment.status') === 'failed') return 'failed';
  return at('progress.completion_pct') === 100 ? 'completed' : 'in_progress';
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null;

function rowOf(line: number, record: JsonObject): TrueRow {
  const at = memberIn(record);
  return {
    line,
    learner: textOf(at('user.email') ?? at('user.external_user_id')) ?? '',
    course: textOf(at('content.external_course_id')),
    outcome: outcomeOf(record),
    date: textOf(at('progress.completed_at')),
  };
}

async function rowsOf(id: string, name: string) {
  const file = fileOf(id, name);
  const source = await openSource(file, { now: NOW });
  const findings = await findKinds([source], { systems: knownSystems(SYSTEMS) });
  const confirmed = confirmSuggestions(findings);
  const mapping = mappingOf(confirmed);
  const spool = (): never => {
    throw new Error('The sample is small.');
  };
  const { group_by: _, ...single } = mapping;
  const records = await openRecords(file, {
    mapping: { mapping: single, path: undefined },
    mappingFor: spool,
    now: NOW,
  });
  const rows: TrueRow[] = [];
  // An item of a list is named by its place.
  const places = new Map<number, number>();
  if (file.name.endsWith('.json'))
    for await (const { line } of each(source.anyRows())) places.set(line, places.size + 1);
  for await (const { record, row, rejection } of each(records.read().entries)) {
    const line = places.get(row.line) ?? row.line;
    if (rejection !== undefined) {
      rows.push({ line, learner: '', course: null, outcome: rejection.error_code, date: null });
      continue;
    }
    rows.push(rowOf(line, record as JsonObject));
  }
  return { findings, rows, open: openQuestions(confirmed).map(({ about }) => about) };
}

/** Compared but for what the file does not say: the course of a report of one course, and days of rows that are not done. */
const compared = ({ line, learner, course, outcome, date }: TrueRow, own: TrueRow | undefined) => ({
  line,
  learner: learner.toLowerCase().replace('mailto:', ''),
  course: own?.course === null ? null : course,
  outcome,
  date: outcome === 'completed' || outcome === 'certified' ? (date?.slice(0, 10) ?? null) : null,
});

const ASKED = 'unconfirmed_kind';

describe.each(SAMPLES)('$id/$name', ({ id, name, truth: file }) => {
  it('is recognised, and its sample asks at most one question more and becomes what its truth says', async () => {
    const { findings, rows, open } = await rowsOf(id, name);
    const truth = JSON.parse(readFileSync(join(FOLDER, id, file), 'utf8')) as { rows: TrueRow[] };
    const asked = new Set(rows.filter(({ outcome }) => outcome === ASKED).map(({ line }) => line));
    const isDecided = ({ line }: TrueRow): boolean => !asked.has(line);
    const found = new Map(rows.map((row) => [row.line, row]));
    expect(findings.system?.id).toBe(id);
    expect(open.filter((about) => about !== 'course').length).toBeLessThanOrEqual(1);
    const wanted = truth.rows.filter((row) => row.outcome !== 'leave_out' && isDecided(row));
    expect(rows.filter(isDecided).map((row) => compared(row, row))).toEqual(
      wanted.map((row) => compared(row, found.get(row.line))),
    );
  });

  it('is known by its headers: a file with another header in place of one of them is not of the system', async () => {
    const { descriptor } = SYSTEMS.find((system) => system.id === id) as (typeof SYSTEMS)[number];
    const [first] = Object.keys(descriptor.columns);
    const others = { ...descriptor.columns };
    delete others[first ?? ''];
    const renamed = {
      ...descriptor,
      columns: { ...others, 'Another header': descriptor.columns[first ?? ''] ?? 'course' },
    };
    const source = await openSource(fileOf(id, name), { now: NOW });
    expect((await findKinds([source], { systems: knownSystems([{ id, descriptor: renamed }]) })).system).toBeNull();
  });
});

it('has a code and a title of each course: the one that the platform knows names it', async () => {
  const courseWhere = async (isKnown: (text: string) => boolean) => {
    const platform = {
      courseOf: (text: string) => (isKnown(text) ? 101 : undefined),
      knownLearners: async () => new Set<string>(),
    };
    const source = await openSource(fileOf('successfactors', 'sample.csv'), { now: NOW });
    return (await findKinds([source], { systems: knownSystems(SYSTEMS), platform })).course.column;
  };
  expect(await courseWhere((text) => text === 'Fire safety')).toBe('Item Title');
  expect(await courseWhere((text) => text === 'SAF101')).toBe('Item ID');
  expect(await courseWhere(() => false)).toBe('Item ID');
});

it('has an address and an id of each learner: the one that the platform knows names them', async () => {
  const learnerWhere = async (isKnown: (text: string) => boolean) => {
    const platform = {
      courseOf: () => 101,
      knownLearners: async (texts: readonly string[]) => new Set(texts.filter(isKnown)),
    };
    const csv = [
      'Employee ID,Worker,Email - Primary Work,Learning Content,Registration Date,Completion Status,Completion Date',
      ...['7', '8'].map((at) => `10140${at},Ann,ann${at}@x.test,Ladders,2024-01-02,Completed,2024-01-0${at}`),
    ];
    const source = await openSource(new File([csv.join('\n')], 'a.csv'), { now: NOW });
    const { system, learner } = await findKinds([source], { systems: knownSystems(SYSTEMS), platform });
    return [system?.id, learner.column, learner.isUndecided];
  };
  expect(await learnerWhere((text) => /^\d/.test(text))).toEqual(['workday', 'Employee ID', false]);
  expect(await learnerWhere((text) => text.includes('@'))).toEqual(['workday', 'Email - Primary Work', false]);
  expect(await learnerWhere(() => false)).toEqual(['workday', 'Email - Primary Work', false]);
});

const HEADER = 'Email,Campaign,Content,Enrolled On,Started On,Completed On,Status,Policy Acknowledged';
const found = async (rows: readonly string[], choices = {}) =>
  findKinds([await openSource(new File([[HEADER, ...rows].join('\n')], 'a.csv'), { now: NOW })], {
    systems: knownSystems(SYSTEMS),
    choices,
  });
const ROWS = [
  'ann@x.test,Spring,Fire safety,2023-03-01,2023-03-02,2023-03-14,Completed,N/A',
  'ben@x.test,Spring,Fire safety,2023-03-01,,,Frobnicated,N/A',
];

it('of a status that the descriptor does not know, that kind alone is open', async () => {
  const findings = await found(ROWS);
  expect(findings.system?.id).toBe('knowbe4');
  expect(confirmSuggestions(findings).kinds.map(({ outcome, confirmed }) => [outcome, confirmed])).toEqual([
    ['completed', true],
    [null, false],
  ]);
});

it('of what is not done it may say more than the descriptor knows, of completions not', async () => {
  const header = 'User - User Email,Training - Training Title,Transcript - Transcript Status,';
  const rows = ['Completed,2024-01-02', 'Not Started,', 'Passed,2024-01-03', 'Not Started,2024-01-04'];
  const text = rows.map((row, at) => `l${at}@x.test,Ladders,${row}`).join('\n');
  const file = new File([`${header}Transcript - Transcript Completed Date\n${text}`], 'a.csv');
  const { system, kinds } = await findKinds([await openSource(file, { now: NOW })], { systems: knownSystems(SYSTEMS) });
  expect(system?.id).toBe('cornerstone');
  expect(kinds.map(({ lines, outcome }) => [lines[0], outcome])).toEqual([
    [2, 'completed'],
    [3, 'leave_out'],
    [4, null],
    [5, null],
  ]);
});

it('a person who says no sees the table of any other file', async () => {
  expect((await found(ROWS, { system: false })).system).toBeNull();
});

it('who confirms the suggestions confirms the system, and the mapping keeps it', async () => {
  const mapping = mappingOf(confirmSuggestions(await found(ROWS)));
  expect(mapping.choices?.system).toBe('knowbe4');
  expect((await found(ROWS, mapping.choices)).system?.confirmed).toBe(true);
});

it('a column of dates with other values is not of the system', async () => {
  const others = ROWS.map((row) => row.replace('2023-03-14', 'next spring'));
  expect((await found(others)).system).toBeNull();
});

it.each([
  ['a status without a day behind it', ',Email address,Status\n1,ann@x.test,Completed\n2,ben@x.test,Not completed'],
  [
    'a column of other texts',
    ',Email address,Quiz,,Team,\n1,ann@x.test,Completed,,North,\n2,ben@x.test,Completed,,South,',
  ],
  [
    'a column of texts among days',
    'ID,Name,Email address,Quiz,Team,Course complete\n1,Ann,ann@x.test,2023-03-14,North,2023-03-14\n2,Ben,ben@x.test,2023-03-14,South,',
  ],
])('a table with %s is no report of activities', async (_, text) => {
  const source = await openSource(new File([text], 'a.csv'), { now: NOW });
  expect((await findKinds([source], { systems: knownSystems(SYSTEMS) })).system).toBeNull();
});

describe('moodle-course-completion', () => {
  it('is known in Spanish, too, where its only activity completes nothing', async () => {
    const file = new File(
      [
        'ID,Nombre,Dirección de correo,Condiciones,Condiciones - Fecha de finalización,Curso finalizado\n',
        '1,Ada Aster,ada.aster@orchard.example,Finalizado,22/06/2016 12:00,22/06/2016 12:00\n',
        '2,Ben Birch,ben.birch@orchard.example,Finalizado,12/11/2015 11:42,\n',
        '3,Cleo Cedar,cleo.cedar@orchard.example,No finalizado,,\n',
      ],
      'sample.csv',
    );
    const { system, kinds } = await findKinds([await openSource(file, { now: NOW })], {
      systems: knownSystems(SYSTEMS),
    });
    expect(system?.id).toBe('moodle-course-completion');
    expect(kinds.map(({ outcome }) => outcome)).toEqual(['completed', 'in_progress', 'leave_out']);
  });

  it('is known in other words for its activities, too, where a course that is not complete is asked about', async () => {
    const text = readFileSync(join(FOLDER, 'moodle-course-completion', 'sample.csv'), 'utf8');
    const file = new File([text.replaceAll('Completed', 'Done').replaceAll('Not completed', 'Open')], 'sample.csv');
    const { system, kinds } = await findKinds([await openSource(file, { now: NOW })], {
      systems: knownSystems(SYSTEMS),
    });
    expect(system?.id).toBe('moodle-course-completion');
    expect(kinds.map(({ outcome }) => outcome)).toEqual([null, 'completed']);
  });
});
