/** Choices about a file stay in its mapping; what they do not cover is not written later. Costs milliseconds. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorInWords } from '../../../../bin/importer/command/advice.ts';
import {
  choicesOf,
  confirmSuggestions,
  isDecided,
  mappingOf,
  openQuestions,
  refuseUndecided,
} from '../../../../bin/importer/engine/decide/confirm.ts';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import type { Choices, Findings } from '../../../../bin/importer/engine/language/findings.ts';
import { EngineError } from '../../../../bin/importer/engine/ground/errors.ts';
import { memberOf } from '../../../../bin/importer/engine/ground/fields.ts';
import { withDecided } from '../../../../bin/importer/engine/language/named-columns.ts';
import type { Mapping } from '../../../../bin/importer/engine/language/schema.ts';
import { PreviewBuilder } from '../../../../bin/importer/engine/run/preview.ts';
import { leftOutRows, surveyOf } from '../../../../bin/importer/engine/run/survey.ts';
import { unsentOf } from '../../../../bin/importer/engine/run/summary.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';
import { setWith } from '../../command/support/runs.ts';
import { tablesIn } from '../../command/support/tables.ts';

const fileOf = (lines: readonly string[], name = 'history.csv') => new File([lines.join('\n')], name);

const found = async (file: File, choices: Choices, earlier?: Mapping) =>
  confirmSuggestions(
    await findKinds([await openSource(file)], { choices, confirmed: earlier?.kinds?.confirmed ?? [] }),
  );

/** The ids that are written of the files, and the reasons of the rows that are not sent. */
async function written(mapping: Mapping, ...files: readonly File[]) {
  const set = await setWith(mapping, ...files);
  const survey = await surveyOf(set);
  const ids: unknown[] = [];
  const problems: string[] = [];
  for await (const chunk of set.chunks()) {
    ids.push(...chunk.records.map((record) => (record as { external_record_id: string }).external_record_id));
    problems.push(...unsentOf(chunk).map(({ entry, error }) => `${entry.row.line}: ${errorInWords(error)}`));
  }
  return { ids, problems, leftOut: leftOutRows(survey) };
}

const HEADER = 'Email,Name,Course,Status,Completed on';
const HAN = 'han@acme.test,Han Solo,A,Completed,2024-01-24';
const KIOSK = [
  'kiosk@acme.test,Ann Smith,A,Completed,2024-01-22',
  'mailto:kiosk@acme.test,Ben Castillo,B,Completed,2024-01-23',
  'Kiosk <KIOSK@acme.test>,Chiara Romano,C,Completed,2024-01-23',
];

/** Two days that are only day first, one that is only month first, one that may be both, and one that is no day at all. */
const bothOrders = fileOf([
  'Email,Course,Status,Completed on,Started on',
  ...['25/03/2024', '26/03/2024', '03/27/2024', '03/04/2024', '30/02/2024'].map(
    (day, at) => `p${at}@x.test,A,Completed,2024-05-22,${day}`,
  ),
]);

/** The questions about the whole file. */
const asksOf = (findings: Findings) =>
  openQuestions(findings).flatMap((question) => (question.about === 'kind' ? [] : [question.said]));

describe('dates of both orders', () => {
  const started = async (choices: Choices) => {
    const findings = await found(bothOrders, choices);
    const { undecided, ...mapping } = mappingOf(findings);
    const dates: unknown[] = [];
    for await (const { records } of (await setWith(mapping, bothOrders)).chunks())
      for (const record of records) dates.push(memberOf(record, 'progress.started_at'));
    return { asks: asksOf(findings), undecided, dates };
  };

  it('are asked about with the numbers of each, and nothing is imported before', async () => {
    const { asks, undecided } = await started({});
    expect(asks).toMatchObject([{ code: 'dates_of_both_orders', params: { column: 'Started on', day: 2, month: 1 } }]);
    expect(undecided).toEqual(['dates']);
    const half = fileOf((await bothOrders.text()).split('\n').toSpliced(1, 1));
    expect(asksOf(await found(half, {}))).toMatchObject([{ params: { day: 1 } }]);
  });

  it('are read in the order that a person chose, and not at all where they are left out', async () => {
    const day = await started({ dates: { 'Started on': 'D/M/YYYY' } });
    expect([day.asks, day.undecided]).toEqual([[], undefined]);
    expect(day.dates).toEqual(['2024-03-25', '2024-03-26', '03/27/2024', '2024-04-03', '30/02/2024']);
    const month = await started({ dates: { 'Started on': 'M/D/YYYY' } });
    expect(month.dates).toEqual(['25/03/2024', '26/03/2024', '2024-03-27', '2024-03-04', '30/02/2024']);
    const none = await started({ dates: { 'Started on': 'leave_out' } });
    expect(none).toEqual({ asks: [], undecided: undefined, dates: Array.from({ length: 5 }, () => '2024-05-22') });
  });

  it('one of which is no day in either order are not asked about', async () => {
    const lines = (await bothOrders.text()).split('\n').toSpliced(3, 1);
    expect(openQuestions(await found(fileOf(lines), {}))).toEqual([]);
  });
});

describe('dates of both orders in a later file', () => {
  const fileWith = (...days: readonly string[]) =>
    fileOf(['Email,Course,Status,Completed on', ...days.map((day, at) => `p${at}@x.test,A,Completed,${day}`)]);
  const earlier = async () => mappingOf(await found(fileWith('25/03/2024', '26/03/2024', '03/04/2024'), {}));

  it('are not read as in the earlier one, and asked about', async () => {
    const mapping = await earlier();
    const later = fileWith('25/03/2024', '26/03/2024', '03/27/2024', '03/04/2024');
    await expect(written(mapping, later)).rejects.toMatchObject({
      said: { code: 'orders_contradict', params: { column: 'Completed on' } },
    });
    const again = await found(later, choicesOf(mapping), mapping);
    expect(openQuestions(again).map(({ about }) => about)).toEqual(['dates', 'kind']);
    const chosen = mappingOf(
      await found(later, { ...choicesOf(mapping), dates: { 'Completed on': 'D/M/YYYY' } }, mapping),
    );
    expect((await written(chosen, later)).ids).toHaveLength(3);
  });

  it('do not matter where no date may have either order', async () => {
    const later = fileWith('25/03/2024', '26/03/2024', '03/27/2024', '04/04/2024');
    expect((await written(await earlier(), later)).ids).toHaveLength(3);
  });
});

it.each(tablesIn<Choices>(join(import.meta.dirname, 'choices.txt')))(
  'a choice that a mapping has is not asked again: $name',
  async ({ bytes, expected }) => {
    const file = new File([new Uint8Array(bytes)], 'history.csv');
    expect(openQuestions(await found(file, {})).length).toBeGreaterThan(0);
    const mapping = mappingOf(await found(file, expected));
    expect(mapping.undecided).toBeUndefined();
    const again = await found(file, choicesOf(mapping), mapping);
    expect(mappingOf(again)).toEqual(mapping);
    expect(openQuestions(again)).toEqual([]);
  },
);

describe('an address beside several names', () => {
  const mapping = async (lines: readonly string[], choices: Choices = {}) =>
    mappingOf(await found(fileOf(lines), choices));

  it('that is new in a later file is not written: its rows are rejected, with the names and what to do', async () => {
    const earlier = await mapping([HEADER, HAN]);
    const { ids, problems } = await written(earlier, fileOf([HEADER, HAN, ...KIOSK]));
    expect(ids).toEqual(['han@acme.test/A/2024-01-24']);
    expect(problems.map((each) => each.slice(0, 3))).toEqual(['3: ', '4: ', '5: ']);
    expect(problems[0]).toContain('kiosk@acme.test, beside 3 names: Ann Smith; Ben Castillo; Chiara Romano');
    expect(problems[0]).toContain('"kiosk@acme.test": "import"');
  });

  it('is found while the survey reads; only then is all read again, and of the first reading nothing is shown', async () => {
    const earlier = await mapping([HEADER, HAN]);
    const surveyed = async (lines: readonly string[]) => {
      const file = fileOf(lines);
      let reads = 0;
      const slice = (start: number, end: number): Blob => {
        reads += start === 0 ? 1 : 0;
        return file.slice(start, end);
      };
      const counted = { name: file.name, size: file.size, slice };
      const set = await setWith(earlier, counted);
      reads = 0;
      const preview = new PreviewBuilder(0);
      const { records, unconfirmed } = await surveyOf(set, { preview });
      const { samples, oddities } = preview.preview([], { count: 0, zone: 'UTC' });
      return { reads, records, unconfirmed, lines: samples.map(({ line }) => line), oddities };
    };
    const many = Array.from({ length: 100 }, (_, at) => `p${at}@acme.test,Ann Smith,A,Not started,`);
    const oddities = [{ what: 'date_in_the_future', count: 1, line: 102 }];
    const of = { records: 1, lines: [102], oddities };
    expect(await surveyed([HEADER, ...many, HAN])).toEqual({ ...of, reads: 1, unconfirmed: 100 });
    expect(await surveyed([HEADER, ...many, HAN, ...KIOSK])).toEqual({ ...of, reads: 2, unconfirmed: 103 });
  });

  it('that is in two files, under one name in each, is seen too', async () => {
    const earlier = await mapping([HEADER, HAN]);
    const { ids, problems } = await written(
      earlier,
      fileOf([HEADER, KIOSK[0] ?? '']),
      fileOf([HEADER, KIOSK[1] ?? '', HAN]),
    );
    expect([ids, problems.length]).toEqual([['han@acme.test/A/2024-01-24'], 2]);
  });

  it('is imported, or left out in every spelling, as a person chose', async () => {
    const lines = [HEADER, HAN, ...KIOSK];
    const out = await mapping(lines, { shared: { 'kiosk@acme.test': 'leave_out' } });
    const later = fileOf([...lines, 'K <kiosk@acme.test>,Dora Klein,A,Completed,2024-02-01']);
    expect(await written(out, later)).toEqual({ ids: ['han@acme.test/A/2024-01-24'], problems: [], leftOut: 4 });
    const all = await mapping(lines, { shared: { 'kiosk@acme.test': 'import' } });
    expect((await written(all, later)).ids).toHaveLength(5);
  });

  it('is seen in JSON, and under first and last names', async () => {
    const items = ['Ann Smith', 'Ben Castillo'].map((name, at) => ({
      user: { email: 'kiosk@acme.test', first_name: name.split(' ')[0], last_name: name.split(' ')[1] },
      course: `C${at}`,
      status: 'Completed',
      completed_at: '2024-01-22',
    }));
    const file = (some: readonly object[]) => new File([JSON.stringify(some)], 'a.json');
    const earlier = mappingOf(await found(file(items.slice(0, 1)), {}));
    const { ids, problems } = await written(earlier, file(items));
    expect([ids, problems.length]).toEqual([[], 2]);
  });
});

describe('a row without a learner or a course', () => {
  it('is not sent, and the reason names the column of the file and what to do', async () => {
    const lines = ['Email,Course,Status,Completed on', 'a@x.test,A,Completed,2024-01-22'];
    const mapping = mappingOf(await found(fileOf(lines), {}));
    const more = [
      ',B,Completed,2024-01-22',
      'b@x.test,-,Completed,2024-01-22',
      'Generated by HR,,,',
      ',C,Not started,',
    ];
    const { ids, problems } = await written({ ...mapping, empty: ['-'] }, fileOf([...lines, ...more]));
    expect(ids).toEqual(['a@x.test/A/2024-01-22']);
    expect(problems.map((each) => each.slice(0, each.indexOf('.')))).toEqual([
      '3: "Email" is empty in this row, and it names the learner',
      '4: "Course" is empty in this row, and it names the course',
      '5: "Course" is empty in this row, and it names the course',
      '6: "Email" is empty in this row, and it names the learner',
    ]);
  });

  it('is left out where its kind is', async () => {
    const lines = [
      'Email,Course,Status,Completed on',
      'a@x.test,A,Completed,2024-01-22',
      'b@x.test,A,Not started,',
      ',,Not started,',
    ];
    expect(await written(mappingOf(await found(fileOf(lines), {})), fileOf(lines))).toMatchObject({
      problems: [],
      leftOut: 2,
    });
  });
});

it('a completion is rejected while nobody has confirmed the kind of a row that takes it back', async () => {
  const rows = ['a@x.test,A,Completed,2024-01-22', 'a@x.test,A,Revoked completion,2024-02-22'];
  const file = fileOf(['Email,Course,Action,When', ...rows, 'b@x.test,A,Completed,2024-01-23']);
  const { ids, problems } = await written(mappingOf(await found(file, {})), file);
  expect([ids, problems.length]).toEqual([['b@x.test/A/2024-01-23'], 2]);
});

describe('nothing of a file is imported while a column of it is undecided', () => {
  const known = new Map([
    ['Welcome', 101],
    ['Security', 102],
  ]);
  const tie = fileOf([
    'Email,Equivalent item,Assigned item,Status,Completed on',
    'ann@acme.test,Welcome,Security,Completed,2024-01-22',
    'ben@acme.test,Security,Welcome,Completed,2024-01-23',
  ]);

  it('two columns that may name the course: the mapping names one of them, and is refused', async () => {
    const platform = { courseOf: (text: string) => known.get(text), knownLearners: async () => new Set<string>() };
    const findings = await findKinds([await openSource(tie)], { platform });
    const mapping = mappingOf(confirmSuggestions(findings));
    expect(mapping.record['content.platform_course_id']).toBeDefined();
    expect(mapping.undecided).toEqual(['course']);
    expect(isDecided(mapping)).toBe(false);
    expect(() => refuseUndecided(mapping, 'tie.csv')).toThrow(EngineError);
    expect(() => refuseUndecided(withDecided(mapping, ['course']), 'tie.csv')).not.toThrow();
  });

  it.each(['learner', 'course', 'dates', 'columns'] as const)('%s', (about) => {
    const record = { external_record_id: 'Id', 'user.email': 'Email', 'content.platform_course_id': { constant: 101 } };
    const mapping: Mapping = { record, undecided: [about] };
    expect(isDecided(mapping)).toBe(false);
    expect(() => refuseUndecided(mapping, 'a.csv')).toThrow(EngineError);
  });
});

describe('a column that is brought in or put out after kinds were confirmed', () => {
  const file = fileOf([
    'Email,Course,Status,Completed on,Room',
    'ann@acme.test,A,Completed,2024-01-22,Blue',
    'ben@acme.test,A,Completed,2024-01-23,Red',
    'chiara@acme.test,B,Not started,,Blue',
  ]);

  it.each([
    ['Room', true],
    ['Status', false],
  ])('%s: its kinds are confirmed again', async (column, isState) => {
    const before = mappingOf(await found(file, { state: { Room: false } }));
    expect(before.kinds?.confirmed).toHaveLength(2);
    const after = mappingOf(await found(file, { ...choicesOf(before), state: { [column]: isState } }, before));
    expect(Object.keys(after.kinds?.columns ?? {}).includes(column)).toBe(isState);
    expect(after.kinds?.confirmed.every(({ values }) => (values[column] !== undefined) === isState)).toBe(true);
  });

  it('is said of a person alone, not of what the mapping has from the rules', async () => {
    const { why, ...first } = await found(file, {});
    const choices = choicesOf(mappingOf({ ...first, why }));
    const again = await found(file, { ...choices, state: { ...choices.state, Room: true } });
    expect(again.why).toMatchObject({ Room: { code: 'column_brought_in' } });
    for (const column of ['Status', 'Completed on']) expect(again.why[column]).toEqual(why[column]);
  });
});
