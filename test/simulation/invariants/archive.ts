/** The archive has what the results of imports that are not reverted say, and each name leads to its records; nothing else is there (§4.12). */
import { positionsByName } from '../../../functions/records/archived.ts';
import type { Finished, FinishedImport } from './finished.ts';
import { COMPANY } from '../world.ts';

export async function checkArchive({ stack, services }: Finished, imports: readonly FinishedImport[]): Promise<void> {
  const { archive } = services.stores;
  for (const { item, results } of imports) {
    const { import_id, chunks, reverted_at } = item;
    const said = results.filter((each) => each.archived === true).map(({ index }) => index);
    const expected = item.dry_run || reverted_at !== null ? [] : said;
    const kept = await archive.readArchived(
      COMPANY,
      chunks.map((_, chunk) => ({ import_id, chunk })),
    );
    const all = Object.assign({}, ...kept.map((each) => each?.archived ?? {}));
    const name = (what: string) => stack.history.violate(`import ${import_id}: ${what}`);
    if (Object.keys(all).join() !== expected.join()) name(`archived ${Object.keys(all)}, not ${expected}`);
    for (const [each, positions] of positionsByName(all)) {
      const led = await placesBy(each, import_id, services);
      if (led.join() !== positions.join()) name(`${led}, not ${positions}, by a name`);
    }
  }
}

async function placesBy(name: string, import_id: string, { stores }: Finished['services']): Promise<number[]> {
  const led: number[] = [];
  for await (const place of stores.archive.archivedPlaces(COMPANY, name))
    if (place.import_id === import_id) led.push(...place.positions);
  return led.toSorted((a, b) => a - b);
}

/** Every item of a name has a record: none is left behind. */
export async function checkNames({ simulation, stack, services }: Finished): Promise<void> {
  for (const { pk, sk } of simulation.table.items()) {
    if (!String(pk).includes('#archived#')) continue;
    const [, import_id = '', chunk] = String(sk).split('#');
    const [kept] = await services.stores.archive.readArchived(COMPANY, [{ import_id, chunk: Number(chunk) }]);
    if (kept === undefined) stack.history.violate(`a name leads to no record of import ${import_id}`);
  }
}
