/** What a revert does to one import once nobody else works in the company (§4.9). Every step may be repeated. */
import { isAmong, learnerCourseId } from '../records/identifiers.ts';
import { inParallel } from '../runtime/batching.ts';
import type { ImportItem, Plan, RecordWrite } from '../shared/model.ts';
import { decideRevert, writesOf } from './report.ts';
import type { Reliance, RevertReport } from './store.ts';
import type { ImportStores } from '../imports/services.ts';
import type { HasTime } from '../jobs/steps.ts';

const IMPORTS_AT_ONCE = 8;

/**
 * Takes back what an import wrote, and returns the report: which is kept first, then the contributions are removed, and last
 * the ids that nothing is left of are freed.
 *
 * @param reverted the imports that are reverted together; what relies on any of them has been given its own (`giveOwn`)
 */
export async function takeBack(
  item: ImportItem,
  reverted: ReadonlySet<string>,
  stores: ImportStores,
): Promise<RevertReport> {
  const { company_id } = item;
  const report = await stores.reverts.readReport(item);
  const plans = await plansOf(item, stores);
  const writes = writesOf(plans);
  const kept = report ?? (await stores.reverts.putReport(item, await decide({ item, plans, reverted }, [], stores)));
  const freed = new Set(kept.freed);
  await stores.progress.remove(company_id, writes);
  await stores.progress.free(
    company_id,
    writes.filter(({ contribution }) => freed.has(contribution.index)),
  );
  return kept;
}

/** What `takeBack` would report now. Writes nothing. */
export async function previewRevert(
  item: ImportItem,
  reverted: ReadonlySet<string>,
  stores: ImportStores,
): Promise<RevertReport> {
  const [plans, relying] = await Promise.all([plansOf(item, stores), stores.reverts.readReliances(item)]);
  const groups = [...Map.groupBy(relying, ({ import_id }) => import_id).values()];
  const transfers = await inParallel(groups, IMPORTS_AT_ONCE, (group) => relyingWrites(item, group, reverted, stores));
  return decide({ item, plans, reverted }, transfers.flat(), stores);
}

interface Decision {
  readonly item: ImportItem;
  readonly plans: readonly Plan[];
  readonly reverted: ReadonlySet<string>;
}

async function decide({ item, plans, reverted }: Decision, transfers: readonly RecordWrite[], stores: ImportStores) {
  const histories = await stores.progress.courseHistories(item.company_id, writesOf(plans));
  return decideRevert({ plans, histories, reverted, transfers });
}

/**
 * Gives the records that were `unchanged` because of this import contributions of their own. Each import is forgotten when it
 * has them, so that the next call goes on behind it. Returns whether all have them.
 */
export async function giveOwn(
  item: ImportItem,
  reverted: ReadonlySet<string>,
  stores: ImportStores,
  hasTime: HasTime,
): Promise<boolean> {
  const relying = await stores.reverts.readReliances(item);
  for (const group of Map.groupBy(relying, ({ import_id }) => import_id).values()) {
    if (!hasTime()) return false;
    const writes = await relyingWrites(item, group, reverted, stores);
    const histories = await stores.progress.courseHistories(item.company_id, writes);
    const missing = writes.flatMap((write) => {
      const history = histories.get(learnerCourseId(write));
      return isAmong(history?.contributions, write.contribution) ? [] : [{ ...write, items: history?.items ?? 0 }];
    });
    await stores.progress.contribute(item.company_id, missing);
    await stores.reverts.forgetReliances(item, group);
  }
  return true;
}

/**
 * The records of one import's chunks that succeeded because of this one. A chunk without a summary is left out: its plan is of
 * an earlier epoch when it is carried out, and then each of its records writes for itself.
 */
async function relyingWrites(
  { company_id, import_id }: ImportItem,
  group: readonly Reliance[],
  reverted: ReadonlySet<string>,
  { imports }: ImportStores,
): Promise<RecordWrite[]> {
  const by = group[0]?.import_id ?? '';
  const relying = reverted.has(by) ? undefined : await imports.read(company_id, by);
  if (relying === undefined || relying.reverted_at !== null) return [];
  const chunks = group.map(({ chunk }) => chunk).filter((chunk) => relying.summaries[chunk] !== undefined);
  const plans = await imports.readPlans(relying, chunks);
  return plans.flatMap((plan, position) => {
    const { conflict = [], failed_indexes = [] } = relying.summaries[chunks[position] ?? -1] ?? {};
    const overridden = new Set([...conflict.map(([index]) => index), ...failed_indexes]);
    return (plan?.planned ?? []).flatMap(({ relies_on, write }) =>
      write === undefined || relies_on !== import_id || overridden.has(write.contribution.index) ? [] : [write],
    );
  });
}

async function plansOf(item: ImportItem, { imports }: ImportStores): Promise<Plan[]> {
  const plans = await imports.readPlans(item, [...item.chunks.keys()]);
  return plans.filter((plan) => plan !== undefined);
}
