/** A run as its operations return it: what was decided about it, its newest plan, and the counts of its real imports. */
import type { ImportStore } from '../imports/import-store.ts';
import { terminalStatus } from '../imports/lifecycle.ts';
import { countsOfRun, sumOf, type KeptCounts } from '../imports/run-counts.ts';
import { shownPlan, type RunPlanItem } from '../plans/plan-item.ts';
import type { PlanStore } from '../plans/store.ts';
import type { Clock } from '../runtime/system.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import type { ImportSummary, Run, RunIds } from '../shared/model.ts';
import type { RunItem } from './run-item.ts';
import type { RunItemReader } from './store.ts';

interface CountingServices {
  readonly clock: Clock;
  readonly telemetry: Pick<Telemetry, 'error'>;
  readonly stores: { readonly imports: Pick<ImportStore, 'readParts' | 'keepParts'> };
}

interface ShowingServices extends CountingServices {
  readonly stores: CountingServices['stores'] & { readonly plans: Pick<PlanStore, 'read'> };
}

export interface RunServices extends ShowingServices {
  readonly stores: ShowingServices['stores'] & { readonly runs: Pick<RunItemReader, 'read'> };
}

/** The run as it is now; `undefined` if the company has none with this id. */
export async function readRun(ids: RunIds, services: RunServices): Promise<Run | undefined> {
  return (await readOpenRun(ids, services))?.run;
}

/** The same, and its imports that are processing. */
export async function readOpenRun(ids: RunIds, services: RunServices) {
  const item = await services.stores.runs.read(ids);
  return item && withImports(item, services);
}

/** A run that was read, with its imports and its plan. */
export async function withImports(item: RunItem, services: ShowingServices) {
  const { company_id, plan_id } = item;
  const [counted, plan] = await Promise.all([
    countedRun(item, services),
    plan_id === undefined ? undefined : services.stores.plans.read({ company_id, plan_id }),
  ]);
  return counted && { run: runOf(item, counted, plan, services.clock.nowMs()), open: counted.open };
}

/**
 * The counts of a run and its imports that are processing. `undefined` of a run of an earlier release whose only import was not
 * accepted.
 *
 * @param known what is kept of the counts of runs, if it was read before
 */
export async function countedRun(
  item: RunItem,
  { clock, telemetry, stores: { imports } }: CountingServices,
  known?: ReadonlyMap<string, KeptCounts>,
) {
  if (!item.imported) return { ...NO_IMPORTS, open: [] };
  const { keep, parts, open } = await imports.readParts(item, clock.nowMs(), known);
  if (keep !== undefined) {
    const notKept = (error: unknown) =>
      telemetry.error('The counts of a run were not kept. The next reader tries.', error);
    await imports.keepParts(item, keep).catch(notKept);
  }
  const { counts, completed_at } = sumOf(parts);
  if (counts.imports === 0 && item.version === undefined) return undefined;
  return { counts, completed_at, open };
}

const NO_IMPORTS = { counts: countsOfRun([]), completed_at: null };

interface Counted {
  readonly counts: Run['counts'];
  readonly completed_at: Run['completed_at'];
  readonly open: readonly ImportSummary[];
}

/** The resource, of what was read of it at this time. */
export function runOf(item: RunItem, counted: Counted, plan: RunPlanItem | undefined, nowMs: number): Run {
  const { imported: _, begun_at: _begun, plan_id: _plan, version = 0, ...stored } = item;
  const status = statusOf(counted, plan);
  const completed_at = status === 'processing' || status === 'draft' ? null : counted.completed_at;
  const shown = plan === undefined ? null : shownPlan(plan, nowMs);
  return { ...stored, version, status, counts: counted.counts, completed_at, plan: shown };
}

function statusOf({ counts, open }: Counted, plan: RunPlanItem | undefined): Run['status'] {
  if (open.length > 0 || plan?.status === 'applying') return 'processing';
  return counts.imports === 0 ? 'draft' : terminalStatus(counts);
}
