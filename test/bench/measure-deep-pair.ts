/**
 * What a learner course with a long history costs: 500 records about it, beside 5,000 contributions with class views. Neither a dry
 * run of an import nor that of a revert may read the history more than once, and a revert once for each of its chunks.
 */
import { previewImportRevert } from '../../functions/reverts/request.ts';
import type { RecordWrite } from '../../functions/shared/model.ts';
import { writesOf } from '../../functions/imports/plan-chunk.ts';
import { type Engines, type World, worldOf } from './cloud.ts';
import { measureImport } from './measure-import.ts';
import { revertTally } from './measure-revert.ts';
import { callsOf, readUnitsOf, writeUnitsOf } from './meter/tally.ts';
import { ADMIN, COMPANY_ID, RECORDS_PER_IMPORT, importOf } from './workload.ts';

const EARLIER = 5_000;
const CLASS_VIEWS = 10;

/** Records about one learner in one course, each with an id of its own. `from`: the first learner whose records they were. */
function recordsOfPair(from: number) {
  const records = importOf({ learners: RECORDS_PER_IMPORT, courses: 1, classes: CLASS_VIEWS }, { learners: from });
  const [first] = importOf({ learners: 1, courses: 1 });
  return records.map((record) => ({ ...record, ...(first && { user: first.user, content: first.content }) }));
}

export async function measureDeepPair(engines: Engines): Promise<Record<string, number>> {
  const world = await worldOf(engines, { learners: 2 * RECORDS_PER_IMPORT, courses: 1 });
  const { stores } = world.services;
  try {
    await world.operations.startImport({ dry_run: false, records: recordsOfPair(0) }, 'deep-pair');
    await world.deliver(async (event) => void (await world.operations.process(event)));
    const [{ import_id } = { import_id: '' }] = (await stores.imports.list(COMPANY_ID, 1)).items;
    const item = await stores.imports.read(COMPANY_ID, import_id);
    if (item === undefined) throw new Error('the import cannot be read');
    const plans = await stores.imports.readPlans(item, [...item.chunks.keys()]);
    await writeEarlier(writesOf(plans.filter((plan) => plan !== undefined)), world);
    const dry = await measureImport(world, recordsOfPair(RECORDS_PER_IMPORT), true);
    const revert = await world.meter.measure(() => previewImportRevert(item, ADMIN.user_id, world.services));
    if (revert.value.counts.reverted !== RECORDS_PER_IMPORT) throw new Error('not every record would be reverted');
    const removal = await revertTally(item, world);
    return {
      'deep pair: AWS calls of a dry run': callsOf(dry.post),
      'deep pair: read units of a dry run': readUnitsOf(dry.post),
      'deep pair: AWS calls of a dry revert': callsOf(revert.tally),
      'deep pair: read units of a dry revert': readUnitsOf(revert.tally),
      'deep pair: virtual ms of a dry revert': revert.tally.ms,
      'deep pair: AWS calls of a revert': callsOf(removal),
      'deep pair: read units of a revert': readUnitsOf(removal),
      'deep pair: write units of a revert': writeUnitsOf(removal),
      'deep pair: virtual ms of a revert': removal.ms,
    };
  } finally {
    await world.destroy();
  }
}

/** The contributions of earlier imports. */
async function writeEarlier(writes: readonly RecordWrite[], { services }: World): Promise<void> {
  for (let earlier = 0; earlier * writes.length < EARLIER; earlier += 1) {
    const import_id = `earlier-${earlier}`;
    const all = writes.map((write) => ({ ...write, contribution: { ...write.contribution, import_id } }));
    await services.stores.progress.contribute(COMPANY_ID, all);
  }
}
