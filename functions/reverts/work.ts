/** The effect of a revert on one import while no chunk of the company is processed (§4.9). Every step may be repeated. */
import { learnerCourseId, storedIn } from '../records/identifiers.ts';
import { inParallel } from '../runtime/batching.ts';
import type { ImportItem, Plan, RecordWrite } from '../shared/model.ts';
import { decideRevert } from './report.ts';
import type { RevertReport, RevertStore } from './store.ts';
import type { Reliance } from '../imports/chunk-store.ts';
import { writesOf } from '../imports/plan-chunk.ts';
import type { ImportServices, ImportStores } from '../imports/services.ts';

export interface RevertingStores extends ImportStores {
  readonly reverts: RevertStore;
}

export interface RevertServices extends Omit<ImportServices, 'stores'> {
  readonly stores: RevertingStores;
}

const IMPORTS_AT_ONCE = 8;

/**
 * Removes the contributions of an import, and returns the report. The report is stored first, then the contributions are removed, and
 * last the ids that no other contribution holds are freed.
 *
 * @param reverted the imports that are reverted together; records that rely on any of them have contributions of their own
 *   (`replaceReliances`)
 */
export async function removeImport(
  item: ImportItem,
  reverted: ReadonlySet<string>,
  stores: RevertingStores,
): Promise<RevertReport> {
  const { company_id } = item;
  const report = await stores.reverts.readReport(item);
  const plans = await plansOf(item, stores);
  const writes = writesOf(plans);
  const kept = report ?? (await stores.reverts.putReport(item, await decide({ item, plans, reverted }, [], stores)));
  const freed = new Set(kept.freed);
  await stores.reverts.remove(company_id, writes);
  await stores.reverts.free(
    company_id,
    writes.filter(({ contribution }) => freed.has(contribution.index)),
  );
  return kept;
}

/** The report that `removeImport` would give now. Writes nothing. */
export async function previewRevert(
  item: ImportItem,
  reverted: ReadonlySet<string>,
  stores: RevertingStores,
): Promise<RevertReport> {
  const [plans, relying] = await Promise.all([plansOf(item, stores), stores.imports.readReliances(item)]);
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
  const writes = writesOf(plans);
  const courseIds = [...new Set(writes.map(({ platform_course_id }) => platform_course_id))];
  const [histories, courses] = await Promise.all([
    stores.progress.courseHistories(item.company_id, writes),
    stores.directory.courses(item.company_id, courseIds, false),
  ]);
  return decideRevert({ plans, histories, courses, reverted, transfers });
}

/**
 * Writes contributions for the records that were `unchanged` because of this import. Once another import has its own, its
 * reliances are deleted, so that the next call resumes after it. Returns whether all imports have theirs.
 */
export async function replaceReliances(
  item: ImportItem,
  reverted: ReadonlySet<string>,
  stores: ImportStores,
  hasTime: () => boolean,
): Promise<boolean> {
  const relying = await stores.imports.readReliances(item);
  for (const group of Map.groupBy(relying, ({ import_id }) => import_id).values()) {
    if (!hasTime()) return false;
    const writes = await relyingWrites(item, group, reverted, stores);
    const histories = await stores.progress.courseHistories(item.company_id, writes);
    const isStored = storedIn(histories);
    const missing = writes.flatMap((write) =>
      isStored(write) ? [] : [{ ...write, items: histories.get(learnerCourseId(write))?.items ?? 0 }],
    );
    await stores.progress.contribute(item.company_id, missing);
    await stores.imports.forgetReliances(item, group);
  }
  return true;
}

/**
 * The records of another import that succeeded because of this one. A chunk without a summary is left out: when it is carried
 * out its plan is of an earlier epoch, and then each of its records writes for itself.
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
