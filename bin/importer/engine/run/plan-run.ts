/** What follows the dry runs of a run (§4.11): their plan, its application by the service alone, and what became of the records. */
import type { Import, ImportQuery, ImportSummary, Plan, Run, WaitOptions } from '../../wire/types.ts';
import { say } from '../ground/codes.ts';
import { EngineError, refusal } from '../ground/errors.ts';
import type { DryRuns, PassOutcome } from './import-run.ts';
import { asCompleted, type OnProgress } from './send.ts';

/** What applying a plan asks of the client. */
export interface PlanService {
  planRun(run_id: string, import_ids: readonly string[]): Promise<Plan>;
  /** @throws ServiceError `run_not_found` */
  getRun(run_id: string): Promise<Run>;
  applyPlan(run_id: string, plan_digest: string): Promise<Run>;
  waitForRun(run_id: string, options: WaitOptions<Run>): Promise<Run>;
  imports(query: Omit<ImportQuery, 'cursor'>): AsyncIterable<ImportSummary>;
  getImport(import_id: string): Promise<Import>;
}

/** Closes the dry runs in the plan of their run. The same ones again are the same plan. @throws ServiceError `plan_incomplete`, `plan_closed` */
export const planOf = (service: Pick<PlanService, 'planRun'>, { run_id, chunks }: DryRuns): Promise<Plan> =>
  service.planRun(
    run_id,
    chunks.flatMap(({ import_id }) => import_id ?? []),
  );

/** A plan that can still be approved and applied. */
export const isOpenPlan = ({ status }: Pick<Plan, 'status'>): boolean => status === 'waiting' || status === 'approved';

type Applied = Pick<Plan, 'run_id' | 'plan_digest' | 'counts'>;
type Following = Pick<PlanService, 'waitForRun'>;

/**
 * Has the service apply the plan, and follows it to its end. The service goes on without a client. Repeated, it follows the same
 * application.
 *
 * @param onBegun called once the service goes on alone
 * @throws ServiceError `approval_required`, `plan_digest_differs`, `plan_closed`
 */
export async function applyPlan(
  service: Following & Pick<PlanService, 'getRun' | 'applyPlan'>,
  plan: Applied,
  onProgress?: OnProgress,
  onBegun?: () => void,
): Promise<Run> {
  const before = await service.getRun(plan.run_id);
  const isBegun = before.plan?.status === 'applying' || before.plan?.status === 'applied';
  await service.applyPlan(plan.run_id, plan.plan_digest);
  onBegun?.();
  return followPlan(service, plan, onProgress, isBegun ? 0 : before.counts.processed);
}

/**
 * The run once the application of its plan has ended, or was cancelled. Reports each record once.
 *
 * @param earlier records that the run had processed before the application
 */
export function followPlan(
  service: Following,
  { run_id, counts: { total } }: Applied,
  onProgress?: OnProgress,
  earlier = 0,
): Promise<Run> {
  let reported: number | undefined;
  const report = ({ counts }: Run): void => {
    const done = Math.min(total, counts.processed - earlier);
    const records = done - (reported ?? 0);
    if (records > 0) onProgress?.({ step: 'process', records, isResumed: reported === undefined });
    reported = Math.max(reported ?? 0, done);
  };
  return service.waitForRun(run_id, { onProgress: report });
}

/** The run was cancelled or reverted meanwhile: showing its results would mislead. */
export class TakenBack extends EngineError {
  override readonly name = 'TakenBack';

  constructor(code: 'run_reverted' | 'run_cancelled', run_id: string) {
    super(say(code, { run_id }));
  }
}

function refuseTakenBack({ reverted_at, cancelled_at }: Import, run_id: string): void {
  if (reverted_at !== null) throw new TakenBack('run_reverted', run_id);
  if (cancelled_at !== null) throw new TakenBack('run_cancelled', run_id);
}

/** The clocks of two invocations may disagree by as much. */
const CLOCKS_MS = 5 * 60_000;
/** The last imports may not be listed yet. */
const LISTED_AGAIN = 5;

interface ResultsOf {
  readonly service: Following & Pick<PlanService, 'imports' | 'getImport'>;
  /** Imports whose results are read at once. */
  readonly parallel: number;
}

/**
 * What became of the records once their plan is applied: the results of the import that was made of each dry run, in its place.
 *
 * @param applied the run as `followPlan` returns it
 * @throws TakenBack if the application was cancelled, or an import of it reverted meanwhile
 * @throws EngineError `run_imports_missing` if the run still does not list them all when it was asked again
 */
export async function resultsOf(
  { service, parallel }: ResultsOf,
  dryRuns: DryRuns,
  applied: Run,
  again = LISTED_AGAIN,
): Promise<PassOutcome> {
  const { run_id, plan } = applied;
  if (plan?.status === 'cancelled') throw new TakenBack('run_cancelled', run_id);
  const left = placesOf(dryRuns);
  const summary = dryRuns.unsent.copy();
  const chunks = [...dryRuns.chunks];
  for await (const each of importsSince(service, applied, { atOnce: parallel, most: left.size })) {
    const { import_id, counts, planned_by = '' } = each;
    const place = left.get(planned_by);
    if (place === undefined) continue;
    refuseTakenBack(each, run_id);
    left.delete(planned_by);
    const { position, chunk } = place;
    summary.add(each, { position, file: chunk.file, lines: chunk.lines });
    chunks[position] = { ...chunk, import_id, rejected: counts.failed + chunk.unsent };
  }
  if (left.size === 0) return { ...dryRuns, chunks, summary: summary.summary() };
  if (again === 0) throw refusal('run_imports_missing', { run_id, missing: left.size });
  return resultsOf({ service, parallel }, dryRuns, await service.waitForRun(run_id, { afterSeconds: 1 }), again - 1);
}

/** The batches that were sent, by the dry runs of them. */
const placesOf = ({ chunks }: DryRuns) =>
  new Map(
    chunks.flatMap((chunk, position) => (chunk.import_id === null ? [] : [[chunk.import_id, { position, chunk }]])),
  );

/**
 * The newest real imports of the run, one for each dry run of its plan, with their results, in any order. Older ones are of an earlier
 * application of the same dry runs, which was cancelled.
 */
async function* importsSince(
  service: ResultsOf['service'],
  { run_id, created_at, plan }: Run,
  { atOnce, most }: { readonly atOnce: number; readonly most: number },
): AsyncGenerator<Import> {
  const applied = plan?.applied_at ?? created_at;
  const since = new Date(Date.parse(applied) - CLOCKS_MS).toISOString();
  const read = ({ import_id }: ImportSummary) => service.getImport(import_id);
  const isOfNow = ({ dry_run, cancelled_at }: ImportSummary): boolean =>
    !dry_run && (cancelled_at === null || cancelled_at >= applied);
  async function* newest() {
    let left = most;
    for await (const each of service.imports({ run_id, created_since: since, limit: 100 })) {
      if (left === 0) return;
      if (!isOfNow(each)) continue;
      left -= 1;
      yield each;
    }
  }
  yield* asCompleted(newest(), atOnce, read);
}
