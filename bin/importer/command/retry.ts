/** The archive of a run, tried again: dry runs of what can be imported now, their plan, a question, its application (§4.12). */
import { isAhead, type TriedArchive, tryArchive } from '../client/archive.ts';
import type { MigrationClient, Plan } from '../client/index.ts';
import { resultsOf } from '../engine/run/plan-run.ts';
import { SummaryBuilder } from '../engine/run/summary.ts';
import { countLine, grouped } from '../engine/ground/text.ts';
import { keptLine } from './archive.ts';
import { EXIT, UsageError } from './errors.ts';
import { applyCommand, planLines } from './lines/plan.ts';
import { appliedRun, ofRun, showApproval, type View } from './plans.ts';
import { type Output, ownCommand, printResult, refusalOf, unconfirmed } from './terminal.ts';

interface Retry extends View {
  readonly client: MigrationClient;
  /** The address of the service. */
  readonly url: string;
  readonly run_id: string;
  readonly dryRun?: boolean | undefined;
  readonly yes?: boolean | undefined;
  readonly output: Output;
}

const PARALLEL = 4;

type Found = Omit<TriedArchive, 'import_ids'>;

/** `runs RUN --retry`: imports by a plan what succeeds in a dry run now. The rest stays in the archive. Returns the exit code. */
export async function retryArchive(retry: Retry): Promise<number> {
  const { client, run_id, output, dryRun, yes } = retry;
  const { plan: before } = await ofRun(run_id, client.getRun(run_id));
  refuseOpen(before);
  const found = await tryArchive(client, run_id);
  const code = found.importable === found.archived ? EXIT.allApplied : EXIT.someRejected;
  if (dryRun === true || found.importable === 0) return shown(retry, found, code);
  // Nobody can agree to a plan: none is made.
  if (yes !== true && !output.interactive) {
    const refused = unconfirmed(UNCONFIRMED);
    shown(retry, { ...found, ...refused }, refused.exit_code);
    output.note(refused.error);
    return refused.exit_code;
  }
  for (const line of foundLines(run_id, found)) output.note(line);
  const plan = await client.planRun(run_id, found.import_ids);
  return (await declined(retry, plan, code)) ?? applied(retry, found, plan);
}

/** @throws UsageError */
function refuseOpen(plan: Plan | null): void {
  if (!isAhead(plan)) return;
  throw new UsageError(`Run ${plan.run_id} has a plan already. To import that first: ${applyCommand(plan)}`);
}

const UNCONFIRMED = {
  nothing: 'Nothing imported',
  unasked: 'Use --yes to import or --dry-run to look only.',
  code: EXIT.usage,
};

/** Returns the exit code if nothing is to be imported; then the plan is withdrawn, so that the next retry can make its own. */
async function declined({ client, output, yes }: Retry, plan: Plan, code: number): Promise<number | undefined> {
  for (const line of planLines(plan)) output.note(line);
  if (yes === true) return undefined;
  const { applied: added, updated, unchanged } = plan.counts;
  const question = `Import these ${grouped(added + updated + unchanged)} records of the archive?`;
  const stopped = await refusalOf(output, question, { ...UNCONFIRMED, code });
  if (stopped !== undefined) await client.withdrawPlan(plan.run_id);
  return stopped;
}

async function applied(retry: Retry, { import_ids, ...found }: TriedArchive, plan: Plan): Promise<number> {
  const { client, run_id, url, output } = retry;
  const run = await appliedRun(client, plan, retry);
  if (run === undefined) return showApproval(plan, url, output);
  const unsent = new SummaryBuilder('records');
  const lines = new Uint32Array();
  const chunks = import_ids.map((import_id) => ({ import_id, rejected: 0, unsent: 0, file: undefined, lines }));
  const sent = { unsent, summary: unsent.summary(), archivable: 0, sent: chunks.length, resumed: 0 };
  const dryRuns = { run_id, attempt: '', chunks, ...sent };
  const outcome = await resultsOf({ service: client, parallel: PARALLEL }, dryRuns, run);
  const { applied: added, updated, unchanged, rejected } = outcome.summary;
  const imports = outcome.chunks.flatMap(({ import_id }) => import_id ?? []);
  const left = found.archived - found.importable;
  const counts = { applied: added, updated, unchanged, rejected };
  printResult(output, { run_id, dry_run: false, ...found, ...counts, imports }, [
    `Run ${run_id}`,
    ...Object.entries(counts).map(([name, count]) => countLine(count, name)),
    ...leftLines(found),
    `To take all of it back: ${ownCommand('runs', run_id, '--revert')}`,
  ]);
  return left + rejected === 0 ? EXIT.allApplied : EXIT.someRejected;
}

function shown({ run_id, output }: Retry, { import_ids: _, ...found }: TriedArchive, code: number): number {
  printResult(output, { run_id, dry_run: true, ...found }, foundLines(run_id, found));
  return code;
}

const foundLines = (run_id: string, found: Found): string[] => [
  keptLine(run_id, found.archived),
  countLine(found.importable, 'can be imported now'),
  ...leftLines(found),
];

/** The records that stay in the archive, and why. */
const leftLines = ({ archived, importable, by_cause }: Found): string[] => [
  countLine(archived - importable, 'cannot be imported yet'),
  ...Object.entries(by_cause).map(([code, count]) => countLine(count, `  ${code}`)),
];
