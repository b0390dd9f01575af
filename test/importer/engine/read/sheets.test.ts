/** Sheets of a workbook and lists of a JSON file that are named after courses or learners. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import {
  choicesOf,
  confirmSuggestions,
  mappingOf,
  openQuestions,
} from '../../../../bin/importer/engine/decide/confirm.ts';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import type { Choices, Platform } from '../../../../bin/importer/engine/language/findings.ts';
import type { Mapping } from '../../../../bin/importer/engine/language/schema.ts';
import { saidInWords } from '../../../../bin/importer/command/advice.ts';
import { rejectedLines } from '../../../../bin/importer/engine/run/rejected-rows.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';
import { setWith } from '../../command/support/runs.ts';
import { textRow, workbookOf } from '../../command/support/workbook.ts';

const COURSES: Readonly<Record<string, number>> = { Security: 101, 'Data Protection': 102, Welcome: 103 };
const platform: Platform = {
  courseOf: (text) => COURSES[text],
  knownLearners: async (texts) => new Set(texts.filter((text) => text.endsWith('@acme.test'))),
};

const sheet = (...lines: readonly string[]): string =>
  lines.map((line, index) => textRow(index + 1, line.split('|'))).join('');
const workbook = (sheets: Readonly<Record<string, string>>, is1904 = false) =>
  new File([Uint8Array.from(workbookOf({ sheets, is1904 }))], 'a.xlsx');
const json = (value: unknown) => new File([JSON.stringify(value, undefined, 1)], 'a.json');

async function found(file: File, choices: Choices = {}, isLoggedIn = true) {
  const options = { choices, ...(isLoggedIn ? { platform } : {}) };
  return confirmSuggestions(await findKinds([await openSource(file)], options));
}

/** `ann 101 01-22`: the learner, the course and the day of the year 2024. */
async function written(mapping: Mapping, file: File): Promise<string[]> {
  const records: string[] = [];
  for await (const chunk of (await setWith(mapping, file)).chunks())
    for (const record of chunk.records) {
      const { user, content, progress } = record as Record<string, Record<string, unknown>>;
      const course = content?.['platform_course_id'] ?? content?.['external_course_id'];
      const stored = [user?.['email'], course, progress?.['completed_at']].join(' ');
      records.push(stored.replace('@acme.test', '').replace('2024-', ''));
    }
  return records;
}

/** The file of rejected rows with the record at this place. */
async function rejectedOf(mapping: Mapping, file: File, place: number): Promise<File> {
  const set = await setWith(mapping, file);
  const rejections = new Map([[place, { errors: [{ error_code: 'user_inactive', message: 'no' }] }]]);
  const lines: string[] = [];
  for (const source of set.sources)
    for await (const text of rejectedLines(source, set, async () => rejections, { say: saidInWords })) lines.push(text);
  return new File([lines.join('')], 'a.rejected.csv');
}

const HEADER = 'Email|Status|Completed on';
const BOOK = workbook({
  Security: sheet(HEADER, 'ann@acme.test|Completed|2024-01-22', 'ben@acme.test|Completed|2024-01-23'),
  Welcome: sheet(HEADER, 'ann@acme.test|Completed|2024-02-22'),
  'First aid': sheet(HEADER, 'ann@acme.test|Completed|2024-03-22'),
});
const row = (day: string, more: object) => ({ status: 'Completed', completed_on: `2024-01-${day}`, ...more });
const BY_COURSE = json({
  'Data Protection': [row('22', { email: 'ann@acme.test' }), row('23', { email: 'ben@acme.test' })],
  Welcome: [row('24', { email: 'ann@acme.test' })],
  'First aid': [row('25', { email: 'ben@acme.test' })],
});
const BY_LEARNER = json({
  generated: '2024-05-01',
  data: {
    'ann@acme.test': [row('22', { course: 'Security' }), row('23', { course: 'Welcome' })],
    'ben@acme.test': [row('24', { course: 'Security' })],
    'chi@acme.test': [],
  },
});

describe('a name that the rows do not have', () => {
  it.each<[string, File, 'course' | 'learner', readonly string[]]>([
    [
      'of a sheet: a course',
      BOOK,
      'course',
      ['ann 101 01-22', 'ben 101 01-23', 'ann 103 02-22', 'ann First aid 03-22'],
    ],
    [
      'of a list of JSON: a course',
      BY_COURSE,
      'course',
      ['ann 102 01-22', 'ben 102 01-23', 'ann 103 01-24', 'ben First aid 01-25'],
    ],
    ['of a list of JSON: a learner', BY_LEARNER, 'learner', ['ann 101 01-22', 'ann 103 01-23', 'ben 101 01-24']],
  ])('%s is suggested, and nothing is imported before a person says so', async (_, file, what, records) => {
    const open = await found(file);
    expect([open[what].column, open.isShapeOpen]).toEqual([':sheet', true]);
    expect(open.shape.map(({ code }) => code)).toEqual(expect.arrayContaining(['sheets_name']));
    expect(mappingOf(open).undecided).toContain('columns');
    const yes = await found(file, { shape: true });
    expect(openQuestions(yes)).toEqual([]);
    expect(await written(mappingOf(yes), file)).toEqual(records);
    const no = mappingOf(await found(file, { shape: false }));
    expect(no.undecided).toContain(what);
    const again = await found(file, choicesOf(mappingOf(yes)));
    expect(mappingOf(again)).toEqual(mappingOf(yes));
  });

  it.each<[string, File, readonly string[]]>([
    [
      'sheets',
      workbook({
        Security: sheet(HEADER, 'ann@acme.test|Completed|2024-01-22'),
        Welcome: sheet(HEADER, 'ben@acme.test|Completed|2024-01-23'),
      }),
      ['ann 101 01-22', 'ben 103 01-23'],
    ],
    [
      'lists of JSON',
      json({ Security: [row('22', { email: 'ann@acme.test' })], Welcome: [row('23', { email: 'ben@acme.test' })] }),
      ['ann 101 01-22', 'ben 103 01-23'],
    ],
  ])('is the course without a question, where the platform has all: %s', async (_, file, records) => {
    const findings = await found(file);
    expect([findings.course.column, openQuestions(findings)]).toEqual([':sheet', []]);
    expect(await written(mappingOf(findings), file)).toEqual(records);
    expect(mappingOf(await found(file, { shape: false })).undecided).toContain('course');
  });

  it('is asked about beside a column of a course, whatever this has, and where there is one sheet', async () => {
    const header = 'Email|Course|Status|Completed on';
    const beside = workbook({
      Security: sheet(header, 'ann@acme.test|M1|Completed|2024-01-22'),
      Welcome: sheet(header, 'ben@acme.test|M2|Completed|2024-01-23'),
    });
    for (const file of [beside, workbook({ Security: sheet(HEADER, 'ann@acme.test|Completed|2024-01-22') })])
      expect(mappingOf(await found(file)).undecided).toContain('columns');
  });

  it('is left out with its rows by a rule of the mapping', async () => {
    const mapping = mappingOf(await found(BOOK, { shape: true }));
    const skip = [
      { column: ':sheet', is: ['Security', 'First aid'] },
      { column: 'Email', is: ['ben@acme.test'] },
    ];
    expect(await written({ ...mapping, skip }, BOOK)).toEqual(['ann 103 02-22']);
  });

  it('can be chosen where nobody is logged in', async () => {
    const open = await found(BOOK, {}, false);
    expect(open.course.others).toMatchObject([{ column: ':sheet' }]);
    const chosen = await found(BOOK, { course: ':sheet' }, false);
    expect(openQuestions(chosen)).toEqual([]);
    expect((await written(mappingOf(chosen), BOOK))[2]).toBe('ann Welcome 02-22');
  });

  it('stays with a rejected row, so that it can be imported again', async () => {
    const mapping = mappingOf(await found(BOOK, { shape: true }));
    expect(await written(mapping, await rejectedOf(mapping, BOOK, 2))).toEqual(['ann 103 02-22']);
  });
});

describe('a name that says another thing than the rows', () => {
  it('a sheet for each state says what its rows become', async () => {
    const lines = (who: string) => sheet('Email|Course|Completed on', `${who}@acme.test|Welcome|2024-01-22`);
    const file = workbook({ Completed: lines('ann'), Revoked: lines('ben') });
    const findings = await found(file);
    expect(findings.kinds.map(({ values, outcome }) => [values[':sheet'], outcome])).toEqual([
      ['Completed', 'completed'],
      ['Revoked', null],
    ]);
    expect(await written(mappingOf(findings), file)).toEqual(['ann 103 01-22']);
  });

  it('a list that is another course than that of its rows is asked about', async () => {
    const one = (course: string) => [row('22', { email: 'ann@acme.test', course })];
    const findings = await found(json({ Security: one('Welcome'), Welcome: one('Security') }));
    expect(mappingOf(findings).undecided).toContain('course');
  });
});

describe('is no course', () => {
  it.each<[string, File]>([
    [
      'a sheet beside a column of courses',
      workbook({ Security: sheet('Email|Course|Status|Completed on', 'ann@acme.test|Welcome|Completed|2024-01-22') }),
    ],
    [
      'a list that is a state',
      json({
        completed: [row('22', { email: 'ann@acme.test', course: 'Welcome' })],
        revoked: [row('23', { email: 'ben@acme.test', course: 'Security' })],
      }),
    ],
  ])('%s', async (_, file) => {
    const one = await found(file);
    expect(one.course.column?.toLowerCase()).toBe('course');
    expect(await written(mappingOf(one), file)).toEqual(['ann 103 01-22']);
  });

  it('a list of other things than the rows', async () => {
    const { sheets, course } = await found(
      json({ Security: [row('22', { email: 'ann@acme.test' })], links: [{ href: 'x', rel: 'self' }] }),
    );
    expect([sheets, course.column]).toEqual([[], null]);
  });
});

describe('days as bare numbers', () => {
  const bookOf = (serial: string, is1904: boolean) =>
    workbook(
      { Security: sheet('Email|Course|Status|Completed on', `ann@acme.test|Welcome|Completed|${serial}`) },
      is1904,
    );
  const [since1900, since1904] = [bookOf('45313', false), bookOf('43851', true)];
  const stored = ['ann 103 01-22'];

  it('are of the calendar of their workbook, whichever one the mapping was made of', async () => {
    const sources = [await openSource(since1900), await openSource(since1904)];
    const both = confirmSuggestions(await findKinds(sources, { platform }));
    expect(both.dates).toMatchObject([{ first: '2024-01-22', last: '2024-01-22' }]);
    for (const findings of [both, await found(since1900), await found(since1904)]) {
      const mapping = mappingOf(findings);
      expect([await written(mapping, since1900), await written(mapping, since1904)]).toEqual([stored, stored]);
    }
  });

  it('are read again from the file of rejected rows, which is of no calendar', async () => {
    const mapping = mappingOf(await found(since1904));
    for (const file of [since1900, since1904])
      expect(await written(mapping, await rejectedOf(mapping, file, 0))).toEqual(stored);
  });
});

describe('of several tables', () => {
  const namesIn = async (sheets: Readonly<Record<string, string>>, hidden: readonly string[] = []) => {
    const { sheets: all } = await found(new File([Uint8Array.from(workbookOf({ sheets, hidden }))], 'a.xlsx'));
    return [true, false].map((is) => all.flatMap(({ name, isImported }) => (isImported === is ? [name] : [])));
  };
  const people = sheet('User|Email', 'Ann|ann@acme.test', 'Ben|ben@acme.test');

  it('that with several rows of a person comes before the list of people', async () => {
    const rows = ['ann@acme.test|Security|2024-02-22', 'ann@acme.test|Welcome|2024-03-01'];
    const progress = sheet('Email|Course|Completed on', ...rows, 'ben@acme.test|Welcome|2024-03-02');
    const { sheets, kinds } = await found(workbook({ Users: people, Progress: progress }));
    expect(sheets).toMatchObject([
      { name: 'Progress', isImported: true },
      { name: 'Users', isImported: false },
    ]);
    expect(kinds).toMatchObject([{ outcome: 'completed', rows: 3 }]);
  });

  const employees = sheet('Employee ID|Name|Join Date|Status', 'E1|Ann|2020-01-02|Active', 'E2|Ben|2020-01-03|Active');
  const courses = sheet('course_id|course_name|created|status', 'C1|Welcome|2020-01-02|Published');
  const summary = sheet('course_name|completed|Date', 'Welcome|2|2024-01-02');
  it.each<[string, string]>([
    ['a state', sheet('Employee ID|Training Name|Completion Status', 'E1|Welcome|Completed', 'E2|Welcome|Pending')],
    ['a day', sheet('#|Date|Training Topic|Training Hrs.|Employee ID', '1|2024-01-02|Welcome|6|E1')],
    ['a state in German', sheet('Personalnummer|Kurs|Status', 'E1|Welcome|Abgeschlossen')],
    ['addresses', sheet('Wer|Kurs|Status', 'ann@acme.test|Welcome|Abgeschlossen')],
  ])('that with a learner, a course and %s comes before lists of people or of courses', async (_, records) => {
    expect(await namesIn({ Employees: employees, Courses: courses, Summary: summary, Records: records })).toEqual([
      ['Records'],
      ['Employees', 'Courses', 'Summary'],
    ]);
  });

  it.each<readonly [string, string, ...hidden: string[]]>([
    ['its course is a number of hours', sheet('Employee ID|Training Hrs.|Date', 'E1|6|2024-01-02')],
    ['it says neither a state nor a day', sheet('Employee ID|Course', 'E1|Welcome')],
    ['it has no row', sheet('Employee ID|Course|Status')],
    ['it is hidden', sheet('Employee ID|Course|Status', 'E1|Welcome|Completed'), 'Records'],
  ])('another does not: %s', async (_, records, ...hidden) => {
    const [read] = await namesIn({ Employees: employees, Records: records }, hidden);
    expect(read).toEqual(['Employees']);
  });
});
