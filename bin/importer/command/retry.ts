/** The archive of a run, tried again: dry runs of what can be imported now, their plan, a question, its application (§4.12). */
import type { ImportRecord, MigrationClient, Plan } from '../client/index.ts';
import { isOpenPlan, resultsOf } from '../engine/run/plan-run.ts';
import { SummaryBuilder } from '../engine/run/summary.ts';
import { countLine, grouped } from '../engine/ground/text.ts';
import { ARCHIVE_PAGE, countCauses, keptLine } from './archive.ts';
import { EXIT, UsageError } from './errors.ts';
import { applyCommand, planLines } from './lines/plan.ts';
import { appliedRun, ofRun, showApproval, type View } from './plans.ts';
import { type Output, ownCommand, printResult, refusalOf } from './terminal.ts';

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

/** `runs RUN --retry`: imports by a plan what succeeds in a dry run now. The rest stays in the archive. Returns the exit code. */
export async function retryArchive(retry: Retry): Promise<number> {
  const { client, run_id, output, dryRun, yes } = retry;
  const { plan: before } = await ofRun(run_id, client.getRun(run_id));
  refuseOpen(before);
  const looked = await lookedAt(retry);
  const { alive, found } = looked;
  const code = alive.length === found.archived ? EXIT.allApplied : EXIT.someRejected;
  if (dryRun === true || alive.length === 0) return shown(retry, looked, code);
  // Nobody can agree to a plan: none is made.
  if (yes !== true && !output.interactive) {
    shown(retry, looked, code);
    return (await refusalOf(output, '', UNCONFIRMED)) ?? code;
  }
  for (const line of foundLines(run_id, found)) output.note(line);
  const { import_ids } = looked;
  const plan = await client.planRun(run_id, import_ids);
  return (await declined(retry, plan, code)) ?? applied(retry, looked, plan);
}

/** A new plan would withdraw it, also if it is approved. @throws UsageError */
function refuseOpen(plan: Plan | null): void {
  if (plan === null || !(isOpenPlan(plan) || plan.status === 'applying')) return;
  throw new UsageError(`Run ${plan.run_id} has a plan already. To import that first: ${applyCommand(plan)}`);
}

type Looked = Awaited<ReturnType<typeof lookedAt>>;

/** Only the dry runs of `import_ids` are for the plan: they have no other records than those that can be imported. */
async function lookedAt({ client, run_id }: Pick<Retry, 'client' | 'run_id'>) {
  const records = await newestRecords(client, run_id);
  const options = { dry_run: true, run_id, parallel: PARALLEL };
  const all = await client.importAll(records, options);
  const alive = records.filter((_, index) => all.records[index]?.status === 'success');
  const causes = new Map<string, number>();
  for (const { errors } of all.records) countCauses(causes, errors);
  const isWhole = alive.length === records.length || alive.length === 0;
  const { import_ids } = isWhole ? all : await client.importAll(alive, options);
  const found = { archived: records.length, importable: alive.length, by_cause: Object.fromEntries(causes) };
  return { alive, import_ids, found };
}

/** A record that several imports of the run have archived is sent once, as the newest has it. */
async function newestRecords(client: MigrationClient, run_id: string): Promise<ImportRecord[]> {
  const newest = new Map<string, ImportRecord>();
  for await (const each of client.archive({ run_id, limit: ARCHIVE_PAGE, include: 'record' })) {
    const id = each.external_record_id ?? `${each.import_id} ${each.index}`;
    // As it was sent: the service decides what it is worth.
    if (!newest.has(id)) newest.set(id, each.record as ImportRecord);
  }
  return [...newest.values()];
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

async function applied(retry: Retry, { found, import_ids }: Looked, plan: Plan): Promise<number> {
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

function shown({ run_id, output }: Retry, { found }: Looked, code: number): number {
  printResult(output, { run_id, dry_run: true, ...found }, foundLines(run_id, found));
  return code;
}

const foundLines = (run_id: string, found: Looked['found']): string[] => [
  keptLine(run_id, found.archived),
  countLine(found.importable, 'can be imported now'),
  ...leftLines(found),
];

/** The records that stay in the archive, and why. */
const leftLines = ({ archived, importable, by_cause }: Looked['found']): string[] => [
  countLine(archived - importable, 'cannot be imported yet'),
  ...Object.entries(by_cause).map(([code, count]) => countLine(count, `  ${code}`)),
];
