/** Sending everything again repairs what our faults left undone; after that it changes nothing. */
import type { RecordResult } from '../../../functions/shared/model.ts';
import { checkSums } from './by-reference.ts';
import { type Finished, type FinishedImport, finishedImports } from './finished.ts';
import { checkResults, isOurFault } from './results.ts';

const WEEK_MS = 7 * 24 * 3_600_000;

export async function checkConvergence(run: Finished, imports: readonly FinishedImport[]): Promise<void> {
  const { simulation, stack, workload } = run;
  const real = imports.filter(({ item }) => !item.dry_run);
  if (real.length === 0) return;
  simulation.quiet = true;
  await sendAgain(run, real);
  const repaired = stateOf(run);
  const repeated = await sendAgain(run, real);
  if (stateOf(run) !== repaired) stack.history.violate('sending everything a second time changed the progress');
  const results = repeated.flatMap((one) => one.results);
  for (const result of results) checkRepeat(result, stack.history.violate.bind(stack.history));
  if (workload.settledPairs) checkSums(real, run);
}

function checkRepeat(result: RecordResult, violate: (what: string) => void): void {
  if (result.status === 'success' && result.outcome !== 'unchanged')
    violate(`sent again, ${result.external_record_id} is ${result.outcome}`);
}

async function sendAgain(run: Finished, imports: readonly FinishedImport[]): Promise<FinishedImport[]> {
  const { simulation, stack } = run;
  const known = new Set(stack.history.commits.keys());
  for (const { sent } of imports) {
    stack.send({ atMs: 0, dry_run: false, records: sent, racing: 1, replaysMs: [] });
    await simulation.run(simulation.nowMs + WEEK_MS);
  }
  const fresh = (await finishedImports(run)).filter(({ item }) => !known.has(item.import_id));
  if (fresh.length !== imports.length)
    stack.history.violate(`${imports.length} imports sent again, ${fresh.length} ended`);
  for (const one of fresh) {
    checkResults(one, stack.history);
    if (one.results.some(isOurFault)) stack.history.violate('sent again without faults, a record failed');
  }
  return fresh;
}

function stateOf({ simulation }: Finished): string {
  return JSON.stringify([...simulation.table.items()].filter(({ pk }) => String(pk).includes('#learner#')));
}
