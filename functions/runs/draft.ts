/** What several people decide about one run (§4.11): each decision raises its version, and none is lost unseen. */
import type { StoredCreator } from '../auth/creator.ts';
import { TemporarilyUnavailable } from '../runtime/faults.ts';
import type { Clock } from '../runtime/system.ts';
import type { PlanStore } from '../plans/store.ts';
import type { RunIds } from '../shared/model.ts';
import { tagOf, type RunItem } from './run-item.ts';
import type { Decisions, RunStore } from './store.ts';

interface DraftServices {
  readonly clock: Clock;
  readonly stores: { readonly runs: RunStore; readonly plans: Pick<PlanStore, 'read' | 'appliedPlans'> };
}

/** Of so many people who decide at once, each is heard in the end. */
const ATTEMPTS = 10;

/** Repeats an attempt that returns `undefined` because somebody else was first. */
export async function untilDone<Result>(attempt: () => Promise<Result | undefined>): Promise<Result> {
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw new TemporarilyUnavailable('The run changes too often.');
}

type Saved =
  | { readonly kind: 'created' | 'changed'; readonly run: RunItem }
  | { readonly kind: 'conflict'; readonly run: RunItem | undefined };

/** Stores decisions. With `expected`, only on a run that it allows; the last decision wins otherwise. */
export function saveRun(
  ids: RunIds,
  {
    decisions,
    by,
    expected,
  }: { decisions: Decisions; by: StoredCreator; expected: (run: RunItem | undefined) => boolean },
  { clock, stores: { runs } }: DraftServices,
): Promise<Saved> {
  return untilDone(async () => {
    const stored = await runs.read(ids);
    if (!expected(stored)) return { kind: 'conflict', run: stored };
    const at = new Date(clock.nowMs()).toISOString();
    const run = await runs.decide(ids, stored, decisions, { at, by });
    return run && { kind: stored === undefined ? 'created' : 'changed', run };
  });
}

/** The condition of an `If-Match` header (RFC 9110, section 13.1.1): it names the version, or `*` any. None allows each. */
export function matching(header: string | undefined): (run: RunItem | undefined) => boolean {
  if (header === undefined) return () => true;
  return (run) => run !== undefined && (header.trim() === '*' || tagsIn(header).includes(tagOf(run)));
}

/** Weak tags count too: proxies that compress a response weaken its tag. */
const tagsIn = (header: string): string[] => [...header.matchAll(/"[^"]*"/g)].map(([tag]) => tag);

/** More plans of a draft, each applied and cancelled before any import, do not fit one transaction. */
const MOST_PLANS = 45;

/** Removes a draft and withdraws its plan. `closed`: it has a real import, one is being made, or its plan is applying. */
export function removeRun(ids: RunIds, { stores: { runs, plans } }: DraftServices) {
  return untilDone(async () => {
    const run = await runs.read(ids);
    if (run === undefined) return 'unknown';
    if (run.imported) return 'closed';
    const found = await plansOf(run, plans);
    if (found.length > MOST_PLANS || found.some(({ status }) => status === 'applying')) return 'closed';
    return (await runs.remove(run, found)) ? 'removed' : undefined;
  });
}

/** The newest plan, and those that were applied before it. */
async function plansOf({ company_id, run_id, plan_id }: RunItem, plans: DraftServices['stores']['plans']) {
  const applied = await plans.appliedPlans({ company_id, run_id });
  const isOther = plan_id !== undefined && applied.every((each) => each.plan_id !== plan_id);
  const newest = isOther ? await plans.read({ company_id, plan_id }) : undefined;
  return newest === undefined ? applied : [...applied, newest];
}
