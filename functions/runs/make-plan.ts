/** The plan of a run (§4.11): dry runs of it, closed by a digest that anyone can compute again. */
import { createHash } from 'node:crypto';
import { userOf, type StoredCreator } from '../auth/creator.ts';
import type { RunReader } from '../imports/import-lists.ts';
import { isOpenPlan, newPlanId, type RunPlanItem } from '../plans/plan-item.ts';
import type { PlanStore } from '../plans/store.ts';
import { isImportId } from '../records/identifiers.ts';
import { daysAfter, instant } from '../records/instants.ts';
import { listed } from '../records/text.ts';
import type { Clock, Random } from '../runtime/system.ts';
import type { Problem, RequestErrorCode } from '../shared/codes.ts';
import { DRY_RUN_DAYS } from '../shared/limits.ts';
import type { ImportItem, RunIds, RunPlan } from '../shared/model.ts';
import { untilDone } from './draft.ts';
import type { RunItemReader } from './store.ts';

interface MakingServices {
  readonly clock: Clock;
  readonly random: Random;
  readonly stores: {
    readonly imports: Pick<RunReader, 'readAll'>;
    readonly runs: Pick<RunItemReader, 'read'>;
    readonly plans: Pick<PlanStore, 'read' | 'make'>;
  };
}

type Made =
  | { readonly kind: 'made' | 'same'; readonly plan: RunPlanItem }
  | { readonly kind: 'incomplete'; readonly problems: readonly Problem<RequestErrorCode>[] }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'closed' };

/** Makes the newest plan of the run, of these dry runs in this order. `same`: the plan that waits, or is approved, is of the same ones. */
export async function makePlan(
  ids: RunIds,
  { import_ids, by }: { readonly import_ids: readonly string[]; readonly by: StoredCreator },
  { clock, random, stores }: MakingServices,
): Promise<Made> {
  const { company_id } = ids;
  const items = await stores.imports.readAll(company_id, [...new Set(import_ids.filter(isImportId))]);
  const nowMs = clock.nowMs();
  return untilDone(async (): Promise<Made | undefined> => {
    const run = await stores.runs.read(ids);
    if (run === undefined) return { kind: 'unknown' };
    const problems = problemsOf(import_ids, items, ids, nowMs);
    if (problems.length > 0) return { kind: 'incomplete', problems };
    const { plan_id } = run;
    const former = plan_id === undefined ? undefined : await stores.plans.read({ company_id, plan_id });
    if (former?.status === 'applying') return { kind: 'closed' };
    const plan = planOf(ids, items, { by, random, nowMs });
    if (former !== undefined && isSame(former, plan, nowMs)) return { kind: 'same', plan: former };
    return (await stores.plans.make(plan, import_ids, former)) ? { kind: 'made', plan } : undefined;
  });
}

/** The digest has the id of each import, in the order of the plan. */
const isSame = (former: RunPlanItem, { plan_digest }: RunPlanItem, nowMs: number): boolean =>
  former.plan_digest === plan_digest && isOpenPlan(former, nowMs);

const endOf = ({ created_at }: ImportItem) => daysAfter(created_at, DRY_RUN_DAYS);

/** One problem a reason, which names the first ten of its dry runs. */
function problemsOf(
  import_ids: readonly string[],
  items: readonly ImportItem[],
  { run_id }: RunIds,
  nowMs: number,
): Problem<RequestErrorCode>[] {
  const known = new Map(items.map((item) => [item.import_id, item]));
  const seen = new Set<string>();
  const repeated = import_ids.filter((id) => seen.has(id) || !seen.add(id));
  const reasonOf = (id: string): keyof typeof REASONS | undefined => {
    const item = known.get(id);
    if (item === undefined) return 'unknown';
    if (!item.dry_run) return 'real';
    if (item.run_id !== run_id) return 'foreign';
    if (Date.parse(endOf(item)) <= nowMs) return 'expired';
    return item.digests === undefined ? 'former' : undefined;
  };
  const byReason = Map.groupBy(seen, reasonOf);
  const found = (Object.keys(REASONS) as (keyof typeof REASONS)[]).flatMap((reason) => {
    const named = reason === 'repeated' ? [...new Set(repeated)] : (byReason.get(reason) ?? []);
    return named.length === 0 ? [] : [{ reason, named }];
  });
  return found.map(({ reason, named }) => ({
    error_code: 'plan_incomplete',
    message: `${REASONS[reason]}: ${listed(named.map((id) => id.slice(0, 64).toWellFormed()))}.`,
    field: 'import_ids',
  }));
}

const REASONS = {
  unknown: 'This company has no such import',
  real: 'These imports are no dry runs',
  foreign: 'These dry runs are not of this run',
  repeated: 'These dry runs are named twice',
  expired: 'The reports of these dry runs are gone: make them again',
  former: 'These dry runs are of an earlier version of the service: make them again',
};

function planOf(
  ids: RunIds,
  items: readonly ImportItem[],
  { by, random, nowMs }: { readonly by: StoredCreator; readonly random: Random; readonly nowMs: number },
): RunPlanItem {
  const ends = items.map(endOf);
  const erased = items.some(({ changed_results = 0 }) => changed_results > 0);
  const senders = items.flatMap(({ created_by }) => created_by ?? []);
  return {
    ...ids,
    plan_id: newPlanId(random),
    status: 'waiting',
    plan_digest: planDigest(items),
    counts: countsOfPlan(items),
    created_at: instant(nowMs),
    created_by: userOf(by),
    expires_at: ends.reduce((one, other) => (one < other ? one : other)),
    approved_at: null,
    approved_by: null,
    comment: null,
    applied_by: null,
    applied_at: null,
    cancelled_at: null,
    ...(erased && { erased }),
    senders: [...new Set(senders)],
    phase: 'idle',
    next: 0,
    resends: 0,
    version: 0,
  };
}

/** One line for each dry run: the digest of its records, a blank, the digest of its results. */
export function planDigest(items: readonly Pick<ImportItem, 'digests'>[]): string {
  const hash = createHash('sha256');
  for (const { digests } of items) hash.update(`${digests?.records_digest ?? ''} ${digests?.results_digest ?? ''}\n`);
  return hash.digest('hex');
}

function countsOfPlan(items: readonly ImportItem[]): RunPlan['counts'] {
  const counts = {
    imports: 0,
    total: 0,
    applied: 0,
    updated: 0,
    unchanged: 0,
    failed: 0,
    archived: 0,
    with_warnings: 0,
  };
  for (const { total, summaries } of items) {
    counts.imports += 1;
    counts.total += total;
    for (const { succeeded, failed, with_warnings, updated = 0, unchanged = 0, archived = 0 } of Object.values(
      summaries,
    )) {
      counts.applied += succeeded - updated - unchanged;
      counts.updated += updated;
      counts.unchanged += unchanged;
      counts.failed += failed;
      counts.archived += archived;
      counts.with_warnings += with_warnings;
    }
  }
  return counts;
}
