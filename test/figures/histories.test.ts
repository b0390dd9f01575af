/** The long histories of the figures are those that the service stores. Costs a second. */
import { expect, it } from 'vitest';
import { plantNights, worldAfter, writeNights } from './histories.ts';

it('planted nights leave the items that sent ones leave', async () => {
  const itemsAfter = async (plant: typeof writeNights) => {
    const { world } = await worldAfter(100, 2, plant);
    return [...world.table.items()]
      .filter(({ pk }) => String(pk).includes('#learner#'))
      .toSorted((one, other) => `${one['pk']} ${one['sk']}`.localeCompare(`${other['pk']} ${other['sk']}`));
  };
  const sent = await itemsAfter(writeNights);
  expect(sent.length).toBeGreaterThan(8);
  expect(await itemsAfter(plantNights)).toEqual(sent);
});
