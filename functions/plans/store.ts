/** Stores plans of runs, the lists of their dry runs, and which plan of a run is the newest. */
import { text } from '../dynamodb/attributes.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { allOf, equals, isAbsent, isPresent, type Condition } from '../dynamodb/expressions.ts';
import {
  batchGet,
  deleteItems,
  getItem,
  itemIsAbsent,
  putItems,
  updateItem,
  writeTogether,
} from '../dynamodb/items.ts';
import type { JointWrite } from '../dynamodb/items.ts';
import { queryAll } from '../dynamodb/queries.ts';
import {
  APPLIED_PLANS,
  TABLE,
  appliedPlanKey,
  planListKey,
  runKey,
  runPartition,
  runPlanKey,
} from '../dynamodb/table.ts';
import { owing } from '../jobs/owed.ts';
import { stepStore } from '../jobs/steps.ts';
import type { Instant, PlanIds, RunIds } from '../shared/model.ts';
import { isUndecided, packPlan, planItemOf, unpackPlan, type RunPlanItem } from './plan-item.ts';

export type PlanStore = ReturnType<typeof planStore>;

/** Dry runs in one item of the list: 32 KB, because an id has 128 bits. */
export const LISTED_TOGETHER = 2_000;
const ID_BYTES = 16;
const ID_LENGTH = 26;
const LIST = 'ids';

const idsOf = ({ company_id, plan_id }: PlanIds): PlanIds => ({ company_id, plan_id });

export type ApplicationStore = ReturnType<typeof applicationStore>;

/** What an application reads and changes of its plan; it changes by compare-and-set on its version. */
export function applicationStore(database: Database) {
  return {
    ...stepStore<PlanIds, RunPlanItem>(database, { idsOf, keyOf: runPlanKey, pack: packPlan, unpack: unpackPlan }),

    /** The ids of up to `limit` dry runs of the plan from this ordinal on. It reads only their parts of the list. */
    async listedFrom(plan: PlanIds, from: number, limit: number): Promise<string[]> {
      const first = Math.floor(from / LISTED_TOGETHER);
      const last = Math.floor((from + limit - 1) / LISTED_TOGETHER);
      const keys = Array.from({ length: last - first + 1 }, (_, at) => planListKey(plan, first + at));
      const ids = (await batchGet(database, keys, true)).flatMap((item) => (item === undefined ? [] : idsIn(item)));
      const skipped = from - first * LISTED_TOGETHER;
      return ids.slice(skipped, skipped + limit);
    },

    /** Notes that an application is cancelled, if it runs. It is a new version, so the driver stores no step that began before. */
    cancel(plan: PlanIds, cancelled_at: Instant): Promise<boolean> {
      const when = allOf(equals('status', 'applying'), equals('cancelled_at', null));
      return updateItem(database, runPlanKey(plan), { set: { cancelled_at }, add: { version: 1 }, when });
    },
  };
}

/** The newest plan of a run, and those whose application began. */
export function planStore(database: Database) {
  const stored = applicationStore(database);

  /** Stores the plan and its list as the newest of the run, which owes a notice of it. Withdraws the former one. False if the run changed meanwhile. */
  async function make(waiting: RunPlanItem, import_ids: readonly string[], former: RunPlanItem | undefined) {
    const plan = { ...waiting, ...owing(waiting, 'Plan Waiting', waiting.created_at) };
    const parts = partsOf(plan, import_ids);
    await putItems(database, parts);
    const run = runKey(plan);
    const isNewest = former === undefined ? isAbsent('plan_id') : equals('plan_id', former.plan_id);
    const point = { set: { plan_id: plan.plan_id }, when: allOf(isPresent(TABLE.partitionKey), isNewest) };
    const writes: JointWrite[] = [
      { put: planItemOf(plan), when: itemIsAbsent },
      { update: run, change: point },
      ...(former === undefined ? [] : [withdrawal(former)]),
    ];
    const isWritten = (await writeTogether(database, writes)) === undefined;
    // A call whose answer was lost is sent again, and then refused. Nobody else has the id.
    const isMade = isWritten || (await stored.read(plan)) !== undefined;
    if (!isMade)
      await deleteItems(
        database,
        parts.map(({ pk, sk }) => ({ pk, sk })),
      );
    return isMade;
  }

  return {
    ...stored,
    make,

    /** The newest plan of the run, strongly consistent. */
    async newest({ company_id, run_id }: RunIds): Promise<RunPlanItem | undefined> {
      const run = await getItem(database, runKey({ company_id, run_id }));
      if (run?.['plan_id'] === undefined) return undefined;
      return stored.read({ company_id, plan_id: text(run, 'plan_id') });
    },

    /** Plans in the order of their ids, strongly consistent; those that do not exist are left out. */
    async readPlans(company_id: string, ids: readonly string[]): Promise<RunPlanItem[]> {
      const plans = ids.map((plan_id) => ({ company_id, plan_id }));
      const items = await batchGet(database, plans.map(runPlanKey), true);
      return plans.flatMap((plan, at) => {
        const item = items[at];
        return item === undefined ? [] : [unpackPlan(plan, item)];
      });
    },

    /** Begins an application: the plan changes as `advance` does, and evidence names it. `undefined` if it changed, or there is a newer one. */
    async beginApplying(plan: RunPlanItem, change: Partial<RunPlanItem> & { readonly applied_at: string }) {
      const next: RunPlanItem = { ...plan, ...change, version: plan.version + 1 };
      const put = { put: planItemOf(next), when: equals('version', plan.version) };
      const noted = { put: appliedPlanKey(plan, change.applied_at, plan.plan_id) };
      const isNewest = equals('plan_id', plan.plan_id);
      const newest = { update: runKey(plan), change: { when: isNewest } };
      return (await writeTogether(database, [put, noted, newest])) === undefined ? next : undefined;
    },

    /** The plans of a run whose application began, in that order. */
    async appliedPlans(run: RunIds): Promise<RunPlanItem[]> {
      const notes = await queryAll(database, { partition: runPartition(run), between: APPLIED_PLANS, strong: true });
      const ids = notes.map((note) => text(note, TABLE.sortKey).split('#')[2] ?? '');
      return this.readPlans(run.company_id, ids);
    },
  };
}

/** The former plan is as it was read, and withdrawn if nobody applied it. */
function withdrawal(former: RunPlanItem): JointWrite {
  // A newer plan hides a former one that was never applied, so an erasure would not find its comment.
  const comment = former.applied_at === null && { comment: null };
  const set = { ...comment, ...(isUndecided(former) && { status: 'withdrawn' as const }) };
  const when: Condition = equals('version', former.version);
  return { update: runPlanKey(former), change: { set: { ...set, version: former.version + 1 }, when } };
}

/** The plan of a run that is removed: no erasure would find its comment, and no evidence names it. */
export function removal(plan: RunPlanItem): JointWrite[] {
  const { applied_at, plan_id, version } = plan;
  const set = { comment: null, ...(isUndecided(plan) && { status: 'withdrawn' as const }), version: version + 1 };
  return [
    { update: runPlanKey(plan), change: { set, when: equals('version', version) } },
    ...(applied_at === null ? [] : [{ remove: appliedPlanKey(plan, applied_at, plan_id) }]),
  ];
}

function partsOf(plan: PlanIds, import_ids: readonly string[]) {
  const parts = Math.ceil(import_ids.length / LISTED_TOGETHER);
  return Array.from({ length: parts }, (_, part) => ({
    ...planListKey(plan, part),
    [LIST]: Buffer.concat(import_ids.slice(part * LISTED_TOGETHER, (part + 1) * LISTED_TOGETHER).map(idBytes)),
  }));
}

/** An id of 26 characters of `a-z0-9` as its 128 bits. */
function idBytes(import_id: string): Buffer {
  const number = Array.from(import_id).reduce((sum, letter) => sum * 36n + BigInt(Number.parseInt(letter, 36)), 0n);
  return Buffer.from(number.toString(16).padStart(2 * ID_BYTES, '0'), 'hex');
}

function idsIn(item: Item): string[] {
  const bytes = Buffer.from(item[LIST] as Uint8Array);
  return Array.from({ length: bytes.length / ID_BYTES }, (_, at) => {
    const hex = bytes.toString('hex', at * ID_BYTES, (at + 1) * ID_BYTES);
    return BigInt(`0x${hex}`).toString(36).padStart(ID_LENGTH, '0');
  });
}
