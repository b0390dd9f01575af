/** Ids of learners, of which the platform says whether they are. Milliseconds. */
import { expect, it } from 'vitest';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';

const IDS = new Set(['1', '7', '12', '23', '40']);

async function learnerIn(csv: string) {
  const platform = {
    courseOf: () => 1,
    knownLearners: async (texts: readonly string[]) => new Set(texts.filter((text) => IDS.has(text))),
  };
  const { learner } = await findKinds([await openSource(new File([csv], 'history.csv'))], { platform });
  return learner;
}

const learnerOf = async (csv: string): Promise<string | null> => (await learnerIn(csv)).column;

const rows = [...IDS].map((id, index) => `${id},Fire Safety,Completed,2024-01-${10 + index},${index + 1}`).join('\n');

it('ids of one or two digits are those of learners, where the header names learners and the platform knows them', async () => {
  expect(await learnerOf(`Employee ref,Course,Status,Completed on,Hours\n${rows}`)).toBe('Employee ref');
});

it('numbers under another header name nobody', async () => {
  expect(await learnerOf(`Seat,Course,Status,Completed on,Hours\n${rows}`)).toBeNull();
});

it('of short ids that rows repeat, a person says whether they are those of learners, where no header does', async () => {
  const repeated = rows
    .replace('40,', '7,')
    .split('\n')
    .map((row, index) => `${index + 1},${row}`)
    .join('\n');
  expect(await learnerIn(`record_id,badge_id,Course,Status,Completed on,Hours\n${repeated}`)).toMatchObject({
    column: 'badge_id',
    isUndecided: true,
  });
});
