/** The runs of a company, newest first, narrowed by status and shape (§4.9, §4.11). */
import type { ImportStore } from '../imports/import-store.ts';
import type { ListedRun } from '../imports/import-lists.ts';
import { inParallel } from '../runtime/batching.ts';
import type { RunPlanItem } from '../plans/plan-item.ts';
import type { PlanStore } from '../plans/store.ts';
import type { RunStatus } from '../shared/codes.ts';
import type { Run } from '../shared/model.ts';
import { countedRun, runOf, type RunServices } from './read.ts';
import type { RunItem } from './run-item.ts';
import type { RunItemReader } from './store.ts';

/** Entries that one request searches. */
const SEARCHED = 400;
/** Runs with imports that one request counts, to know their status: as many as a page may have. */
const COUNTED = 100;
const RUNS_AT_ONCE = 5;

interface Wanted {
  readonly status?: RunStatus | undefined;
  readonly shape?: string | undefined;
  readonly limit: number;
  readonly after?: ListedRun | undefined;
}

type ListServices = Omit<RunServices, 'stores'> & {
  readonly stores: {
    readonly imports: Pick<ImportStore, 'listRuns' | 'readParts' | 'keepParts' | 'readKept'>;
    readonly runs: Pick<RunItemReader, 'readAll'>;
    readonly plans: Pick<PlanStore, 'readPlans'>;
  };
};

/** At least `limit` runs after the position, if a bounded search finds them. */
export async function listRuns(
  company_id: string,
  { status, shape, limit, after }: Wanted,
  services: ListServices,
): Promise<{ readonly items: Run[]; readonly searchedTo?: ListedRun }> {
  const { imports, runs, plans } = services.stores;
  const plansOf = async (of: readonly RunItem[]) =>
    new Map((await plans.readPlans(company_id, planIds(of))).map((plan) => [plan.plan_id, plan]));
  const isFiltered = status !== undefined || shape !== undefined;
  const most = isFiltered ? SEARCHED : limit;
  const entries = await imports.listRuns(company_id, most, after);
  const ids = entries.map(({ run_id }) => run_id);
  const found = (await runs.readAll(company_id, ids)).filter((run) => mayBe(run, { status, shape }));
  const plansOfAll = status === 'draft' ? await plansOf(found) : undefined;
  const candidates = plansOfAll === undefined ? found : unapplied(found, plansOfAll);
  const chosen = upToCounted(candidates);
  const end = chosen.length < candidates.length ? chosen.at(-1) : entries.length < most ? undefined : entries.at(-1);
  const planned = plansOfAll ?? (await plansOf(chosen));
  const imported = chosen.filter((run) => run.imported).map(({ run_id }) => run_id);
  const kept = await imports.readKept(company_id, imported);
  const read = await inParallel(chosen, RUNS_AT_ONCE, async (run) => {
    const counted = await countedRun(run, services, kept);
    return counted && runOf(run, counted, planned.get(run.plan_id ?? ''), services.clock.nowMs());
  });
  const items = read.flatMap((run) =>
    run === undefined || (status !== undefined && run.status !== status) ? [] : [run],
  );
  return { items, ...(end && { searchedTo: { created_at: end.created_at, run_id: end.run_id } }) };
}

/** What the run itself says about the filter. Its status follows from its imports, unless it has none. */
function mayBe({ imported, plan_id, ...run }: RunItem, { status, shape }: Pick<Wanted, 'status' | 'shape'>): boolean {
  if (shape !== undefined && run.shape !== shape) return false;
  if (status === undefined) return true;
  if (status === 'draft') return !imported || plan_id !== undefined;
  return imported || (status === 'processing' && plan_id !== undefined);
}

const planIds = (runs: readonly RunItem[]): string[] => runs.flatMap(({ plan_id }) => plan_id ?? []);

/** Without those whose newest plan makes or made imports: a plan that was cancelled at once made none, and leaves a draft. */
function unapplied(runs: readonly RunItem[], plans: ReadonlyMap<string, RunPlanItem>): RunItem[] {
  return runs.filter(({ imported, plan_id = '' }) => {
    const status = imported ? plans.get(plan_id)?.status : undefined;
    return status !== 'applying' && status !== 'applied';
  });
}

function upToCounted(candidates: readonly RunItem[]): readonly RunItem[] {
  const counted = [...candidates.entries()].filter(([, { imported }]) => imported);
  const last = counted[COUNTED];
  return last === undefined ? candidates : candidates.slice(0, last[0]);
}
