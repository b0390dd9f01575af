/** Checks the promises at the end of a run; then sends everything again, and checks again. */
import { importIdForKey } from '../../../functions/imports/idempotency-key.ts';
import type { Workload } from '../workload.ts';
import { COMPANY } from '../world.ts';
import { checkAgainstReference } from './by-reference.ts';
import type { FaultKind } from '../faults.ts';
import { checkArchive, checkNames } from './archive.ts';
import { checkAnswers } from './answers.ts';
import { checkConvergence } from './convergence.ts';
import { checkErasure } from './erasure.ts';
import { checkBindings, checkEvents } from './events.ts';
import { type Finished, type FinishedImport, finishedImports } from './finished.ts';
import { checkLastWord } from './last-word.ts';
import { checkPlans } from './plans.ts';
import { checkProgress, checkResults, checkUserMappings } from './results.ts';
import { checkRules } from './rules.ts';
import { checkRuns } from './runs.ts';
import { checkReverts } from './reverts.ts';

export async function checkRun(run: Finished): Promise<void> {
  const imports = await finishedImports(run);
  await checkPlans(run, imports);
  await checkRules(run, imports);
  await checkRuns(run, imports);
  await (run.workload.erasure === undefined ? checkImports(run, imports) : checkImportsWithErasure(run, imports));
  await checkArchive(run, await finishedImports(run));
  await checkNames(run);
}

async function checkImports(run: Finished, imports: readonly FinishedImport[]): Promise<void> {
  const { simulation, stack } = run;
  const { history } = stack;
  const isClockRight = simulation.suffered.every(({ kind }) => kind !== 'clock jump');
  for (const one of imports) {
    if (!isGone(run, one)) checkResults(one, history);
    if (!one.item.dry_run) checkReal(run, one, isClockRight);
  }
  checkAnswers(history, imports);
  checkEvents(run, imports);
  checkBindings(run, imports);
  await checkReverts(run, imports);
  checkLastWord(run, imports);
  checkAbandoning(run, imports);
  checkDeadLetters(run);
  if (run.workload.settledPairs) for (const one of imports) checkAgainstReference(one, history);
  if (isAccepted(run.workload) && history.violations.length === 0 && simulation.seed % 3 === 0)
    await checkConvergence(run, imports);
}

function checkReal(run: Finished, one: FinishedImport, isClockRight: boolean): void {
  const { history } = run.stack;
  if (isClockRight) checkUserMappings(one, history);
  // Reported progress may come from an import that was reverted.
  if (history.reverted.size === 0) checkProgress(one, run);
}

/** Whether what is sent again is accepted again. */
const isAccepted = ({ plans = { isAlone: false, applied: [] } }: Workload): boolean =>
  plans.gone === undefined && plans.quota === undefined && plans.settings === undefined;

/** A dry run whose report the table deleted. */
const isGone = ({ workload }: Finished, { item }: FinishedImport): boolean =>
  item.import_id === importIdForKey(COMPANY, workload.plans?.gone?.[1] ?? '');

/** Results change while a person is erased; the rest is checked by the plans, as after reverts. */
async function checkImportsWithErasure(run: Finished, imports: readonly FinishedImport[]): Promise<void> {
  checkEvents(run, imports);
  checkBindings(run, imports);
  await checkReverts(run, imports);
  checkAbandoning(run, imports);
  checkDeadLetters(run);
  await checkErasure(run);
}

/** Longer than any wait for a backlog here, and than all re-sends after a few lost messages. */
const LONG_MS = 3_600_000;

/** Records may be abandoned only where nothing could process them for a day. */
function checkAbandoning({ simulation, stack, workload }: Finished, imports: readonly FinishedImport[]): void {
  const isLong = ({ amount }: { amount: number }) => amount >= LONG_MS;
  const isTiredOut = workload.outageMs !== undefined && simulation.suffered.length > 3;
  const hasCause = workload.delivers !== undefined || isTiredOut || simulation.suffered.some(isLong);
  if (hasCause || !imports.some(({ item }) => item.closing_at !== undefined)) return;
  stack.history.violate('an import was abandoned without need');
}

/** Faults that do not count against a chunk: a later delivery succeeds. */
const PASSING: ReadonlySet<FaultKind> = new Set([
  'throttled',
  'partly unprocessed',
  'answer lost',
  'sent twice by the SDK',
  'stale read',
]);

/** A chunk that met nothing worse than throttles never becomes a dead letter. */
function checkDeadLetters({ simulation, stack }: Finished): void {
  if (stack.queue.deadLetters === 0 || !simulation.suffered.every(({ kind }) => PASSING.has(kind))) return;
  stack.history.violate('a chunk that was throttled became a dead letter');
}
