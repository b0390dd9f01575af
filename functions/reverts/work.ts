/** The effect of a revert on one import while no chunk of the company is processed (§4.9). Every step may be repeated. */
import { directoryStore } from '../catalog/directory-store.ts';
import type { Database } from '../dynamodb/client.ts';
import { learnerCourseId } from '../records/identifiers.ts';
import { contentId } from '../records/versions.ts';
import { inParallel } from '../runtime/batching.ts';
import type { ChunkRef, ImportItem, Plan, RecordWrite } from '../shared/model.ts';
import { passOn } from './pass-on.ts';
import { decideRevert } from './report.ts';
import { revertStore, type RevertReport, type RevertStore } from './store.ts';
import type { Together } from './together.ts';
import type { Reliance } from '../imports/chunk-store.ts';
import { workedImports } from '../imports/import-store.ts';
import { writesOf } from '../imports/plan-chunk.ts';
import { progressReader } from '../imports/progress-store.ts';
import type { ImportServices, ImportStores } from '../imports/services.ts';

export type PreviewStores = ReturnType<typeof previewStores>;

export const previewStores = (database: Database) => ({
  imports: workedImports(database),
  progress: progressReader(database),
  directory: directoryStore(database),
  reverts: revertStore(database),
});

export type RevertingStores = ImportStores & { readonly reverts: RevertStore };

export type RevertServices = Omit<ImportServices, 'stores'> & { readonly stores: RevertingStores };

const IMPORTS_AT_ONCE = 8;

/**
 * Stores the report of each import, then removes the contributions of all, frees ids, and removes what was archived. Imports of a
 * run often name the same learners: together, each learner course is written once. `together`: all imports of the revert.
 */
export async function removeImports(
  company_id: string,
  items: readonly ImportItem[],
  together: Together,
  stores: RevertingStores,
): Promise<readonly RevertReport[]> {
  const removals = await inParallel(items, items.length, (item) => reportOf(item, together, stores));
  const written = removals.flatMap(({ writes }) => writes);
  const unheld = removals.flatMap(({ writes, report: { freed } }) => {
    const indexes = new Set(freed);
    return writes.filter(({ contribution }) => indexes.has(contribution.index));
  });
  await stores.reverts.remove(company_id, written);
  await stores.reverts.free(company_id, unheld);
  await inParallel(items, items.length, (item) => stores.archive.removeArchived(item));
  return removals.map(({ report }) => report);
}

/** The report of an import, stored, and what is to be removed: nothing more of an import that was reverted on its own. */
async function reportOf(item: ImportItem, together: Together, stores: RevertingStores) {
  const stored = await stores.reverts.readReport(item);
  if (item.reverted_at !== null) return { report: stored ?? NOTHING, writes: [] };
  const plans = await plansOf(item, stores);
  const report = stored ?? (await stores.reverts.putReport(item, await decide({ item, plans, together }, [], stores)));
  return { report, writes: writesOf(plans) };
}

const NOTHING: RevertReport = { records: [], freed: [] };

/** What the revert of an import would do with each record, as if it happened now. It stores nothing. */
export async function previewRevert(
  item: ImportItem,
  together: Together,
  stores: PreviewStores,
): Promise<RevertReport> {
  const [plans, relying] = await Promise.all([plansOf(item, stores), relyingImports(item, together, stores)]);
  const writes = await inParallel(relying, IMPORTS_AT_ONCE, (each) => relyingWrites(each, plans, stores));
  return decide({ item, plans, together }, writes.flat(), stores);
}

interface Decision {
  readonly item: ImportItem;
  readonly plans: readonly Plan[];
  readonly together: Together;
}

/** @param relying records of other imports that may get contributions of their own, in the order of acceptance */
async function decide({ item, plans, together }: Decision, relying: readonly RecordWrite[], stores: PreviewStores) {
  const writes = writesOf(plans);
  const courseIds = [...new Set(writes.map(({ platform_course_id }) => platform_course_id))];
  const [histories, courses] = await Promise.all([
    stores.progress.courseHistories(item.company_id, writes),
    stores.directory.courses(item.company_id, courseIds, false),
  ]);
  const repeated = plans.flatMap(({ planned }) => planned.flatMap(({ repeats }) => repeats ?? []));
  const reverted = await together.among(histories, repeated);
  const { own: transfers } = passOn(relying, { import_id: item.import_id, reverted, histories });
  return decideRevert({ plans, histories, courses, reverted, transfers });
}

/** Finds new sources for records `unchanged` because of this import (`passOn`). Returns whether all are done. */
export async function replaceReliances(
  item: ImportItem,
  together: Together,
  stores: ImportStores,
  hasTime: () => boolean,
): Promise<boolean> {
  const { company_id, import_id } = item;
  const relying = await relyingImports(item, together, stores);
  const plans = relying.length === 0 ? [] : await plansOf(item, stores);
  for (const each of relying) {
    if (!hasTime()) return false;
    const writes = await relyingWrites(each, plans, stores);
    const histories = await stores.progress.courseHistories(company_id, writes);
    const reverted = await together.among(histories);
    const { own, others } = passOn(writes, { import_id, reverted, histories });
    const placed = own.map((write) => ({ ...write, items: histories.get(learnerCourseId(write))?.items ?? 0 }));
    await stores.progress.contribute(company_id, placed);
    for (const [chunk, some] of Map.groupBy(others, ({ write }) => chunkOf(each.item, write))) {
      const holders = some.map(({ holder }) => holder);
      await stores.imports.putReliances(company_id, { import_id: each.import_id, chunk }, holders);
    }
    await stores.imports.forgetReliances(item, each.reliances);
  }
  return true;
}

interface RelyingImport {
  readonly import_id: string;
  /** Absent if none of its records counts, because it is reverted. */
  readonly item?: ImportItem;
  readonly reliances: readonly Reliance[];
}

async function relyingImports(
  item: ImportItem,
  together: Together,
  { imports }: Pick<ImportStores, 'imports'>,
): Promise<RelyingImport[]> {
  const groups = Map.groupBy(await imports.readReliances(item), ({ import_id }) => import_id);
  const all = await inParallel([...groups], IMPORTS_AT_ONCE, async ([import_id, reliances]): Promise<RelyingImport> => {
    const relying = await imports.read({ company_id: item.company_id, import_id });
    const counts = relying?.reverted_at === null && !together.has(relying);
    return { import_id, reliances, ...(counts && { item: relying }) };
  });
  return all.toSorted((a, b) => (acceptanceOf(a) < acceptanceOf(b) ? -1 : 1));
}

const acceptanceOf = ({ import_id, item }: RelyingImport): string => `${item?.created_at ?? ''} ${import_id}`;

/** The `unchanged` records of another import with this content. A chunk without a summary will look itself. */
async function relyingWrites(
  { item, reliances }: RelyingImport,
  plans: readonly Plan[],
  { imports }: Pick<ImportStores, 'imports'>,
): Promise<RecordWrite[]> {
  if (item === undefined) return [];
  const contents = new Set(writesOf(plans).map(contentId));
  const chunks = reliances.map(({ chunk }) => chunk).filter((chunk) => item.summaries[chunk] !== undefined);
  const relying = await imports.readPlans(item, chunks);
  return relying
    .flatMap((plan, position) => {
      const { conflict = [], failed_indexes = [] } = item.summaries[chunks[position] ?? -1] ?? {};
      const overridden = new Set([...conflict.map(([index]) => index), ...failed_indexes]);
      return (plan?.planned ?? []).flatMap(({ relies_on, write }) =>
        write === undefined || relies_on === undefined || overridden.has(write.contribution.index) ? [] : [write],
      );
    })
    .filter((write) => contents.has(contentId(write)));
}

function chunkOf(item: ImportItem | undefined, { contribution: { index } }: RecordWrite): number {
  const isIn = ({ first_index, size }: ChunkRef) => index >= first_index && index < first_index + size;
  return item?.chunks.findIndex(isIn) ?? -1;
}

async function plansOf(item: ImportItem, { imports }: Pick<ImportStores, 'imports'>): Promise<Plan[]> {
  const plans = await imports.readPlans(item, [...item.chunks.keys()]);
  return plans.filter((plan) => plan !== undefined);
}
