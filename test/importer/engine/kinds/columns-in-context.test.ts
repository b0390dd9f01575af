/** Columns that say something beside others, and cells in place of others. In memory; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { findKinds } from '../../../../bin/importer/engine/kinds/find.ts';
import { openSource } from '../../../../bin/importer/engine/source/open-source.ts';

const found = async (lines: readonly string[]) =>
  findKinds([await openSource(new File([lines.join('\n')], 'a.csv'))], {});

describe('a score beside a pass mark', () => {
  const outcomesOf = async (score: string, mark: string, ...cells: readonly string[]) => {
    const lines = cells.map((cell, index) => `p${index}@acme.test,A,${cell},2024-01-22`);
    const { kinds } = await found([`Email,Course,${score},${mark},Finished`, ...lines]);
    return kinds.map(({ values, outcome }) => [values[score], outcome]);
  };

  it.each([
    ['Awarded Score', 'Passing Score'],
    ['Score', 'Pass mark'],
    ['Başarı Notu', 'Geçme Notu'],
    ['Punkte', 'Bestehensgrenze (Punkte)'],
  ])('"%s" beside "%s" says who passed', async (score, mark) => {
    expect(await outcomesOf(score, mark, '85%,80%', '80%,80%', '79.5%,80%')).toEqual([
      ['pass mark reached', 'certified'],
      ['below the pass mark', 'failed'],
    ]);
  });

  it.each(['Max score', 'Duration (min)', 'Attempt'])('"%s" is no pass mark', async (other) => {
    expect(await outcomesOf('Score', other, '85,80', '90,80', '79,80')).toEqual([[undefined, 'completed']]);
  });
});

describe('a column that is the same in all rows of a learner', () => {
  const columnsOf = async (learners: number, passed: (learner: number, row: number) => string) => {
    const rows = Array.from({ length: learners * 2 }, (_, index) => {
      const learner = Math.floor(index / 2);
      return `p${learner}@acme.test,C${index % 2},2024-01-${10 + (index % 9)},${passed(learner, index)}`;
    });
    return Object.keys((await found(['Email,Course,Datum,Godkänd', ...rows])).columns);
  };

  it('says nothing of a course', async () => {
    expect(await columnsOf(20, (learner) => (learner % 2 === 0 ? 'Ja' : 'Nej'))).toEqual(['Datum']);
  });

  it('may be so by chance, of a few rows', async () => {
    expect(await columnsOf(5, (learner) => (learner === 3 ? 'Nej' : 'Ja'))).toEqual(['Datum', 'Godkänd']);
  });
});

it.each([
  ['Not completed', 'Not completed', 'leave_out'],
  ['No', 'No', 'leave_out'],
  ['Failed', 'Failed', null],
  ['see file', 'impossible', null],
])('"%s" in place of a date is %s', async (cell, is, outcome) => {
  const { kinds } = await found([
    'Email,Course,Completed on',
    ...['2024-01-22', '2024-01-23', cell].map((text, index) => `p${index}@acme.test,A,${text}`),
  ]);
  expect(kinds[1]).toMatchObject({ values: { 'Completed on': is }, outcome });
});

describe('a column of unknown words', () => {
  const suggested = async (header: string, ...rows: readonly string[]) => {
    const lines = rows.map((row, index) => `p${index}@acme.test,A,${row}`);
    const { kinds, unclear } = await found([`Email,Course,${header}`, ...lines]);
    return [kinds.map(({ outcome }) => outcome), unclear];
  };
  const done = 'Completed,2024-01-22';

  it('that says nothing more than the others is shown, and stops no suggestion', async () => {
    const rows = [`${done},Oui`, `${done},Oui`, 'In progress,,Non', 'In progress,,Non'];
    expect(await suggested('Status,Completed on,Certificat', ...rows)).toEqual([['completed', 'in_progress'], []]);
  });

  it('that tells rows apart is asked about', async () => {
    const rows = [`${done},Oui`, `${done},Oui`, `${done},Non`, 'In progress,,Non'];
    expect(await suggested('Status,Completed on,Certificat', ...rows)).toEqual([[null, null, null], ['Certificat']]);
  });

  it('that has two words beside what is done is asked about', async () => {
    const rows = ['x,2024-01-22,Hyväksytty', 'x,2024-01-23,Hyväksytty', ',2024-01-24,Hylätty', ',2024-01-25,Hylätty'];
    expect(await suggested('Suoritettu,Suorituspvm,Arvosana', ...rows, ',,')).toEqual([
      [null, null, 'leave_out'],
      ['Arvosana'],
    ]);
  });
});

it('a percentage that completed rows have less than 100 of is that of an exam', async () => {
  const { columns } = await found([
    'Email,Course,Situação,Data de conclusão,Aproveitamento',
    ...['Aprovado,2024-01-22,85%', 'Aprovado,2024-01-23,91%', 'Aprovado,2024-01-23,100%', 'Cursando,,'].map(
      (row, index) => `p${index}@acme.test,A,${row}`,
    ),
  ]);
  expect(Object.keys(columns)).toEqual(['Situação', 'Data de conclusão']);
});

it('18 of 20 points are no progress', async () => {
  const { columns } = await found([
    'Email,Course,Score,Units',
    'ann@acme.test,A,18 / 20,3 / 4',
    'ben@acme.test,A,20 / 20,4 / 4',
  ]);
  expect(columns).toEqual({ Units: { read: 'share' } });
});

it.each([
  ['12.01.2024 r.', '2024-01-12'],
  ['12 января 2024 г.', '2024-01-12'],
  ['2024/01/12 9:15:00 AM GMT+1', '2024-01-12'],
])('%s is a date', async (text, day) => {
  const { dates, kinds } = await found([
    'Email,Course,Status,Completed on',
    `ann@acme.test,A,Completed,${text}`,
    `ben@acme.test,A,Completed,${text.replace('12', '13')}`,
  ]);
  expect(dates[0]).toMatchObject({ first: day });
  expect(kinds).toMatchObject([{ values: { 'Completed on': 'a date' }, outcome: 'completed' }]);
});

it('a percentage in the words of a status is the progress', async () => {
  const { columns, kinds } = await found([
    'Email,Course,Status',
    ...['In progress (40%)', 'In progress (62,5 %)', 'In progress (0%)', 'In progress (120%)', 'Not started'].map(
      (status, index) => `p${index}@acme.test,A,"${status}"`,
    ),
  ]);
  expect(columns).toEqual({ Status: { read: 'counted' } });
  expect(kinds.map(({ values, outcome, percent }) => [values['Status'], outcome, percent])).toEqual([
    ['In progress (between %)', 'in_progress', 'Status'],
    ['In progress (0 %)', 'in_progress', 'Status'],
    ['In progress (above %)', null, null],
    ['Not started', 'leave_out', null],
  ]);
});

it.each([
  ['a header that speaks of attendance', 'Présence', 'Retard'],
  ['one word of a state', 'Séance', 'Absent'],
])('%s makes a column say what becomes of a row', async (_, header, word) => {
  const rows = [
    ['Présent', 'Passed'],
    ['Présent', 'Failed'],
    [word, ''],
    ['Présent', ''],
    ['Présent', 'Passed'],
    ['Excusé', ''],
    ['Présent partiel', 'In progress'],
  ];
  const { columns } = await found([
    `Email,Course,Date,Result,${header}`,
    ...rows.map(([said, result], index) => `p${index}@acme.test,A,2024-01-22,${result},${said}`),
  ]);
  expect(Object.keys(columns)).toContain(header);
});
