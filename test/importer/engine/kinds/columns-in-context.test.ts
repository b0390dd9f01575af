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
