/** Measures a revert from the request to the end, and then an import of the same records in a run, on a database of its own. */
import type { ImportItem } from '../../functions/shared/model.ts';
import { continueRevert, FENCE_MS } from '../../functions/reverts/steps.ts';
import { requestImportRevert } from '../../functions/reverts/request.ts';
import { type Engines, type World, worldOf } from './cloud.ts';
import { measureImport } from './measure-import.ts';
import { type Tally, callsOf, readUnitsOf, writeUnitsOf } from './meter/tally.ts';
import { PLATFORM } from './scenarios.ts';
import { ADMIN, COMPANY_ID, RECORDS_PER_IMPORT, importOf } from './workload.ts';

const perRecord = (count: number): number => Math.round((1000 * count) / RECORDS_PER_IMPORT) / 1000;

/** An import of 500 learners without class detail, on which no other import relies. */
export async function measureRevert(engines: Engines): Promise<Record<string, number>> {
  const world = await worldOf(engines, PLATFORM);
  const { services } = world;
  try {
    await measureImport(world, importOf({ learners: RECORDS_PER_IMPORT, courses: 1 }));
    const [{ import_id } = { import_id: '' }] = (await services.stores.imports.list(COMPANY_ID, 1)).items;
    const item = await services.stores.imports.read(COMPANY_ID, import_id);
    if (item === undefined) throw new Error('the import cannot be read');
    const tally = await revertTally(item, world);
    const { whole } = await measureImport(world, importOf({ learners: RECORDS_PER_IMPORT, courses: 1 }), false, 'run');
    return {
      'in a run: write units per record': perRecord(writeUnitsOf(whole)),
      'revert: write units per record': perRecord(writeUnitsOf(tally)),
      'revert: read units per record': perRecord(readUnitsOf(tally)),
      'revert: AWS calls': callsOf(tally),
      'revert: virtual ms': tally.ms,
    };
  } finally {
    await world.destroy();
  }
}

/** What the revert of an import of 500 records takes, from the request to its end, without its waits. */
export async function revertTally(item: ImportItem, { meter, services }: World): Promise<Tally> {
  const subject = { kind: 'import', company_id: COMPANY_ID, import_id: item.import_id } as const;
  const { tally, value } = await meter.measure(async () => {
    await requestImportRevert(item, ADMIN.user_id, services);
    // Each invocation runs when the fence met by the previous one is over.
    for (let waitedMs = 0; waitedMs <= 2 * FENCE_MS; waitedMs += FENCE_MS) {
      const clock = { nowMs: () => services.clock.nowMs() + waitedMs };
      await continueRevert({ kind: 'revert', subject, hops: 0 }, { ...services, clock });
    }
    return services.stores.reverts.read(subject);
  });
  if (value?.phase !== 'done' || value.counts.reverted !== RECORDS_PER_IMPORT) throw new Error('it was not reverted');
  return tally;
}
