/** What is found of the columns of small tables. In memory; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { choicesOf, mappingOf, openQuestions, outcomesFor } from '../../../../bin/importer/engine/kinds/confirm.ts';
import { findKinds } from '../../../../bin/importer/engine/kinds/find.ts';
import type { Choices } from '../../../../bin/importer/engine/kinds/types.ts';
import { openSource } from '../../../../bin/importer/engine/source/open-source.ts';

const found = async (lines: readonly string[], choices: Choices = {}) =>
  findKinds([await openSource(new File([lines.join('\n')], 'a.csv'))], { choices });

describe('a day of completion', () => {
  const completedBy = async (enrolled: string, completed: string, status = 'Completed') => {
    const { kinds } = await found([
      `Email,Course,${enrolled},Status,${completed}`,
      `ann@acme.test,A,2024-01-02,${status},2024-01-22`,
      `ben@acme.test,A,2024-01-03,${status},2024-01-23`,
    ]);
    return kinds[0]?.date;
  };

  it.each([
    ['enrollment_date', 'enrollment_completion_date'],
    ['Enrolled on', 'Enrolment completed on'],
    ['Registration date', 'Completion of registration date'],
    ['Assigned', 'Date assignment completed'],
    ['Einschreibedatum', 'Einschreibung abgeschlossen am'],
    ["Date d'inscription", 'Date inscription terminée'],
    ['Fecha de inscripción', 'Fecha de finalización de la inscripción'],
    ['Data di iscrizione', 'Iscrizione completata il'],
    ['Data de matrícula', 'Matrícula concluída em'],
    ['Ingeschreven op', 'Inschrijving voltooid op'],
    ['Data zapisu', 'Data ukończenia zapisu'],
    ['Kayıt tarihi', 'Kayıt tamamlanma tarihi'],
    ['登録日', '登録コース完了日'],
  ])('beside "%s" is "%s"', async (enrolled, completed) => {
    expect(await completedBy(enrolled, completed)).toBe(completed);
    expect(await completedBy(completed, enrolled)).toBe(completed);
  });

  it.each(['Completion due date', 'Expected completion date', 'Abschlussfrist', "Date limite d'achèvement"])(
    'is not "%s"',
    async (header) => {
      expect(await completedBy('Completed on', header)).toBe('Completed on');
      expect(await completedBy('Enrolled on', header)).not.toBe(header);
    },
  );

  it('is no other date, where it is empty in the rows of a kind', async () => {
    const { kinds } = await found([
      'Email,Course,Status,Completed on,Revision',
      'ann@acme.test,A,Completed,2024-01-22,2018-01-01',
      'ben@acme.test,A,Failed,,2018-01-01',
      'chiara@acme.test,A,Completed,,2018-01-01',
    ]);
    expect(new Map(kinds.map(({ values, date }) => [Object.values(values).join(' '), date]))).toEqual(
      new Map([
        ['Completed a date a date', 'Completed on'],
        ['Failed empty a date', null],
        ['Completed empty a date', null],
      ]),
    );
  });

  it.each([
    ['Condiciones de participación - Fecha de finalización', 'Curso finalizado'],
    ['Prerequisite completed on', 'Course completed on'],
  ])('is asked about, where "%s" says it and "%s" too', async (ofCondition, ofCourse) => {
    expect(await completedBy(ofCondition, ofCourse)).toBeNull();
  });
});

it('the examples of a column of dates can be true', async () => {
  const never = ['1900-01-01', '0001-01-01', '1970-01-01', '9999-12-31', '2024-01-22'];
  const { dates } = await found([
    'Email,Course,Status,Completed on',
    ...never.map((date, index) => `p${index}@acme.test,A,Completed,${date}`),
  ]);
  expect(dates[0]?.samples).toEqual([{ text: '2024-01-22', date: '2024-01-22' }]);
});

describe('an address beside several names', () => {
  const sharedIn = async (address: string, ...names: readonly string[]) => {
    const lines = names.map((name, index) => `${address},"${name}",C${index},Completed,2024-01-22`);
    const { shared } = await found([
      'Email,Name,Course,Status,Completed on',
      ...lines,
      'han@acme.test,Han Solo,C1,Completed,2024-01-22',
    ]);
    return shared.flatMap((each) => each.names);
  };

  it.each([
    ['training@acme.test', ['Ann Smith', 'Ben Castillo', 'Chiara Romano', 'Grace Mensah', 'Hana Suzuki']],
    ['training@acme.test', ['Ann Smith', 'Ben Castillo']],
    ['family@acme.test', ['Ann Smith', 'Ben Smith']],
    ['ann.smith@acme.test', ['Ann Smith', 'Castillo, Ben']],
    ['kiosk@acme.test', ['田中 太郎', '山田 花子']],
    ['mailto:kiosk@acme.test', ['Ann Smith', 'Ben Castillo']],
    ['Kiosk <KIOSK@acme.test>', ['Ann Smith', 'Ben Castillo']],
  ])('%s beside %j is shared', async (address, names) => {
    expect(await sharedIn(address, ...names)).toEqual(names);
  });

  it.each([
    ['a@acme.test', ['Ann Smith', 'Smith, Ann', 'A. Smith', 'ANN SMITH', 'Ann', 'Ann Maria Smith', 'Anne Smith']],
    ['a@acme.test', ['Ann Smith', 'Ann Smith-Jones', 'Ann Jones']],
    ['a@acme.test', ['José Muñoz', 'Jose Munoz', 'Munoz, Jose']],
    ['robert.smith@acme.test', ['Robert Smith', 'Bob Smith']],
    ['a@acme.test', ['Jon Snow', 'John Snow', '', '-', '17']],
  ])('%s beside %j is of one person', async (address, names) => {
    expect(await sharedIn(address, ...names)).toEqual([]);
  });

  it('is named with its names, imports nothing until a person says whose its rows are, and may be left out', async () => {
    const lines = [
      'Email,First name,Last name,Course,Status,Completed on',
      'training@acme.test,Ann,Smith,A,Completed,2024-01-22',
      'training@acme.test,Ben,Castillo,A,Completed,2024-01-23',
      'han@acme.test,Han,Solo,A,Completed,2024-01-24',
    ];
    const open = await found(lines);
    expect(openQuestions(open)[0]?.text).toContain(
      'training@acme.test stands beside 2 names: Smith, Ann; Castillo, Ben.',
    );
    expect(mappingOf(open).undecided).toEqual(['learner']);
    const chosen = (becomes: 'import' | 'leave_out') => found(lines, { shared: { 'training@acme.test': becomes } });
    const [out, all] = [await chosen('leave_out'), await chosen('import')];
    expect(mappingOf(all).undecided).toBeUndefined();
    expect(mappingOf(out).choices).toEqual({ shared: { 'training@acme.test': 'leave_out' } });
    expect([out.rows, all.rows]).toEqual([1, 3]);
  });

  it('is none where the names are titles that many addresses have', async () => {
    const lines = ['ann', 'ben'].flatMap((who) => [`${who}@x.test,Fire Safety,A1`, `${who}@x.test,Welcome,A2`]);
    expect((await found(['Email,Name,Course ID', ...lines])).shared).toEqual([]);
  });
});

describe('a column that nothing is known of', () => {
  it('is named, but for words that say a state', async () => {
    const { unclear } = await found([
      'Email,Course,Κατάσταση,Completed on,Dismissed,Cancelled,Result',
      'a@x.test,A,Ολοκληρώθηκε,2024-01-22,false,false,Passed',
      'b@x.test,A,Ακυρώθηκε,2024-01-23,true,true,Failed',
      'c@x.test,A,Ολοκληρώθηκε,2024-01-24,true,false,Passed',
    ]);
    expect(unclear).toEqual(['Dismissed']);
  });

  it('is the state, where no other column has words', async () => {
    const { unclear, columns } = await found([
      'Email,Course,Průběh,Completed on',
      'a@x.test,A,Splněno,2024-01-22',
      'b@x.test,A,Nesplněno,2024-01-23',
      'c@x.test,A,Splněno,2024-01-24',
    ]);
    expect([unclear, Object.keys(columns)]).toEqual([[], ['Completed on', 'Průběh']]);
  });

  it('stays, where its words are beside one state alone', async () => {
    const rows = ['Attended,mit Erfolg', 'Attended,ohne Erfolg', 'Attended,', 'Excused,', 'Absent,', 'Excused,'];
    const lines = rows.map((row, at) => `p${at}@x.test,A,${row},2024-01-2${at}`);
    const { columns } = await found(['Email,Course,Attendance,Urteil,Date', ...lines]);
    expect(Object.keys(columns)).toContain('Urteil');
  });

  it('is set aside by the mapping, too, before the file is read again', async () => {
    const lines = ['Email,Course,Status,Membro,Completed on', 'a@x.test,A,Completed,True,2024-01-22'];
    const mapping = mappingOf(await found(lines));
    expect(Object.keys(mapping.kinds?.columns ?? {})).toContain('Membro');
    const { kinds } = await found(lines, choicesOf({ ...mapping, choices: { state: { Membro: false } } }));
    expect(kinds.map(({ outcome }) => outcome)).toEqual(['completed']);
  });
});

describe('a table of dates under the names of courses', () => {
  const suggestedFor = async (...days: readonly string[]) => {
    const lines = days.map((day, at) => `p${at}@x.test,${day},`);
    const file = new File([['Email,Fire Safety,First Aid', ...lines, 'z@x.test,,2024-02-02'].join('\n')], 'a.csv');
    const courseOf = (text: string) => ({ 'Fire Safety': 1, 'First Aid': 2 })[text];
    const platform = { courseOf, knownLearners: async () => new Set<string>() };
    const source = await openSource(file, { now: Date.parse('2026-11-27') });
    const { shape, kinds } = await findKinds([source], { platform });
    return { shape, outcomes: kinds.map(({ outcome }) => outcome), reason: kinds[0]?.reason };
  };

  it('is of completions, if all of them are past', async () => {
    const { shape, outcomes } = await suggestedFor('2024-01-02', '2025-01-02');
    expect([shape, outcomes]).toEqual([
      expect.stringMatching(/completed on\. If these are days of expiry/),
      ['completed'],
    ]);
  });

  it('is asked about, if one of them is still to come', async () => {
    const { outcomes, reason } = await suggestedFor('2024-01-02', '2027-01-02');
    expect([outcomes, reason]).toEqual([
      [null],
      'of 3 dates of :completed on 1 in the future: they may be days of expiry',
    ]);
  });

  it('is of expiry, if most of them are still to come', async () => {
    const { shape, outcomes } = await suggestedFor('2027-01-02', '2028-01-02');
    expect([shape, outcomes]).toEqual([expect.stringMatching(/expires on\. Days of expiry do not say/), [null]]);
  });
});

it('a column of dates that are to come is no day of an outcome, where there is another', async () => {
  const lines = [
    'Email,Course,Outcome,Day,Good',
    'a@x.test,A,Passed,2024-03-04,2029-03-04',
    'b@x.test,A,Failed,2024-03-05,',
  ];
  const source = await openSource(new File([lines.join('\n')], 'a.csv'), { now: Date.parse('2026-11-27') });
  const { kinds } = await findKinds([source]);
  expect(kinds.map(({ outcome, date }) => [outcome, date])).toEqual([
    ['certified', 'Day'],
    ['failed', 'Day'],
  ]);
});

describe('a percentage', () => {
  it('beside the progress of a course may be of an exam: no kind depends on it', async () => {
    const { columns, kinds } = await found([
      'Email,Course,Status,Percentage,Percentage complete,Completed on',
      'a@x.test,A,passed,90,100,2024-01-22',
      'b@x.test,A,in progress,0,25,',
    ]);
    expect(columns).not.toHaveProperty('Percentage');
    expect(kinds.map(({ outcome, percent }) => [outcome, percent])).toEqual([
      ['certified', null],
      ['in_progress', 'Percentage complete'],
    ]);
  });

  it('that says more than nothing is not offered as 0 %', async () => {
    const findings = await found([
      'Email,Course,Status,Progress,Completed on',
      'a@x.test,A,Incomplete,100,',
      'b@x.test,A,Incomplete,40,',
      'c@x.test,A,Incomplete,0,',
      'd@x.test,A,Completed,100,2024-01-22',
    ]);
    const offered = findings.kinds.map((kind) =>
      outcomesFor(kind, findings).flatMap((each) => (each.outcome === 'in_progress' ? [each.percent ?? '0 %'] : [])),
    );
    expect(offered).toEqual([[], ['Progress'], ['Progress', '0 %'], []]);
  });
});

describe('percentages without a number above 1', () => {
  const lines = (header: string) => [
    `Email,Course,${header},Completed on`,
    'ann@acme.test,A,0.5,',
    'ben@acme.test,A,1,2024-01-22',
  ];

  it.each(['Progress (%)', '% complete', 'Completion percentage'])('are asked under "%s"', async (header) => {
    const open = await found(lines(header));
    expect(open.fractions).toEqual([
      {
        column: header,
        samples: [
          { text: '0.5', percent: 50 },
          { text: '1', percent: 100 },
        ],
        isOpen: true,
      },
    ]);
    expect(mappingOf(open).undecided).toEqual(['columns']);
    const scaleOf = async (is: boolean) => {
      const chosen = await found(lines(header), { fractions: { [header]: is } });
      expect(mappingOf(chosen).undecided).toBeUndefined();
      return chosen.columns[header]?.scale;
    };
    expect([await scaleOf(true), await scaleOf(false)]).toEqual([100, undefined]);
  });

  it('are fractions under "Progress", and are shown as such', async () => {
    const { fractions, columns } = await found(lines('Progress'));
    expect(fractions).toMatchObject([{ column: 'Progress', isOpen: false }]);
    expect(columns['Progress']).toEqual({ read: 'percent', scale: 100 });
  });
});

describe('what is suggested', () => {
  const ROW = 'ann@acme.test,A';
  const suggested = async (headers: string, ...rows: readonly string[]) => {
    const { kinds } = await found([`Email,Course,${headers}`, ...rows.map((row) => `${ROW},${row}`)]);
    return kinds.map(({ outcome, date }) => [outcome, date]);
  };
  const done = ['completed', 'Completed on'];

  it.each([
    ['a no to all rows', 'Status,Is suspended,Completed on', ['Completed,No,2024-01-22'], [done]],
    ['a zero in all rows', 'Status,Instance,Completed on', ['Completed,0,2024-01-22'], [done]],
    [
      'one number in all rows',
      'Status,Views,Completed on',
      ['Completed,3,2024-01-22', 'Completed,3,2024-01-23'],
      [done],
    ],
    ['how often an exam was tried', 'Status,Test Attempts,Completed on', ['Completed,1,2024-01-22'], [done]],
    [
      'how long a course took',
      'Status,Completion time,Completed',
      ['Completed,01:22:10,2024-01-22', 'In progress,00:00:00,'],
      [
        ['completed', 'Completed'],
        ['in_progress', null],
      ],
    ],
    ['a text that is written as a formula', 'Status,Completed on', ['"=""Completed""",="2024-01-22"'], [done]],
    [
      'the day on which an account was made',
      'Creation date,Progress,Completed on',
      ['2015-11-09,40,', '2015-11-09,100,2024-01-22'],
      [['in_progress', null], done],
    ],
    ['an account that is active', 'Status,Is active,Completed on', ['Completed,1,2024-01-22'], [done]],
    [
      'a course that is not overdue',
      'Status,Overdue,Completed on',
      ['Completed,No,2024-01-22', 'Done,Yes,2024-01-23'],
      [done, done],
    ],
    [
      'a good grade',
      'Status,Grade,Completed on',
      ['Completed,A,2024-01-22', 'Completed,F,2024-01-23'],
      [done, [null, null]],
    ],
    ['the address of a verb', 'Verb,Completed on', ['http://adlnet.gov/expapi/verbs/completed,2024-01-22'], [done]],
  ] as const)('%s changes nothing', async (_, headers, rows, expected) => {
    expect(await suggested(headers, ...rows)).toEqual(expected);
  });

  it.each([
    [
      'an account that is deleted',
      'User status,Progress,Completed on',
      ['Active,100,2024-01-22', 'Deleted,100,2024-01-23'],
    ],
    ['a no to what makes a row count', 'Status,Valid,Completed on', ['Completed,No,2024-01-22']],
    ['not completed, and begun or not', 'Status,Completed on,Last access', ['Incomplete,,2024-01-22']],
    ['not completed, beside a word for not begun', 'Status', ['Not attempted', 'Incomplete']],
    ['what was looked at, beside such a word', 'Status', ['Not attempted', 'Browsed']],
  ] as const)('%s is asked about', async (_, headers, rows) => {
    expect((await suggested(headers, ...rows)).at(-1)).toEqual([null, null]);
  });
});

it('a table with the courses of the platform in a column of any language has no column for each', async () => {
  const lines = ['1,a@x.test,A,35%', '2,b@x.test,B,50%', '3,c@x.test,A,20%'];
  const file = new File([['STT,Email,Khóa học,Tiến độ', ...lines].join('\n')], 'a.csv');
  const courseOf = (text: string) => ({ A: 1, B: 2 })[text];
  const platform = { courseOf, knownLearners: async () => new Set<string>() };
  const { shape, course } = await findKinds([await openSource(file)], { platform });
  expect([shape, course.column]).toEqual([null, 'Khóa học']);
});

it('numbers of few values are a percentage where the header says from 0 to 100', async () => {
  const lines = ['a@x.test,A,1,', 'b@x.test,A,50,', 'c@x.test,A,100,2024-01-22'];
  const { columns } = await found(['Email,Course,Completion (0-100),Completed on', ...lines]);
  expect(columns['Completion (0-100)']).toEqual({ read: 'percent' });
});

it('the percentage that is completed counts, not the one that is viewed', async () => {
  const lines = ['Email,Course,% Viewed,% Completed', 'ann@acme.test,A,70,50', 'ben@acme.test,A,100,100'];
  expect((await found(lines)).kinds.find(({ outcome }) => outcome === 'in_progress')?.percent).toBe('% Completed');
});

it.each(['"Wednesday, March 6, 2024 - 12:10"', '"March 6, 2024 - 12:10"', '6. 3. 2024 13.20', '6.3.2024 klo 13.20'])(
  '%s is a date',
  async (text) => {
    const { kinds } = await found(['Email,Course,Status,Completed on', `ann@acme.test,A,Completed,${text}`]);
    expect(kinds[0]).toMatchObject({ values: { 'Completed on': 'a date' }, outcome: 'completed' });
  },
);

it('a cell of a course that is nothing but a date completes it, beside cells that say more', async () => {
  const lines = [
    'Email,Fire Safety,Welcome,Lifting',
    'ann@acme.test,2024-01-22,Booked 2024-03-01,Open',
    'ben@acme.test,Booked 2024-03-01,Open,2024-01-23',
  ];
  const titles = ['Fire Safety', 'Welcome', 'Lifting'];
  const platform = {
    knownLearners: (texts: readonly string[]) => Promise.resolve(new Set(texts.filter((text) => text.includes('@')))),
    courseOf: (text: string) => (titles.includes(text) ? titles.indexOf(text) + 1 : undefined),
  };
  const { kinds } = await findKinds([await openSource(new File([lines.join('\n')], 'a.csv'))], { platform });
  expect(kinds.map(({ values, outcome }) => [values[':status'], outcome])).toEqual([
    ['date', 'completed'],
    ['Booked date', null],
    ['Open', 'leave_out'],
  ]);
});
