import type { ImportSummary, MigrationClient, Plan, RunRevert } from '../../client/index.ts';
import { importsOfRun, listRuns } from '../../client/runs.ts';
import { countLine, grouped } from '../../engine/ground/text.ts';
import { showArchive } from '../archive.ts';
import { type OptionsOf, type RunCommand, serviceCommand } from '../command.ts';
import { EXIT, UsageError } from '../errors.ts';
import { lifeLines } from '../lines/plan.ts';
import { applyRun, approveRun, ofRun } from '../plans.ts';
import { displayOn, Meter, outageNotice } from '../progress.ts';
import { retryArchive } from '../retry.ts';
import { connect, explained } from '../session/session.ts';
import { type Output, ownCommand, printResult, refusalOf, shortDate, table } from '../terminal.ts';

const declared = () =>
  serviceCommand(
    'runs',
    'list the runs, newest first, or the plan and imports of one; approve or apply its plan, stop it, or take it back',
    [
      'runs',
      'runs spring',
      'runs spring --approve 9f86d081884c…',
      'runs spring --cancel',
      'runs spring --revert --dry-run',
    ],
  )
    .argument('[run]')
    .option('--approve <digest>', 'approve the plan with this digest, which another administrator made')
    .option('--comment <text>', 'with --approve: what is said about it, for the evidence')
    .option('--apply <digest>', 'have the service import the plan with this digest')
    .option('--archive', 'list what the run keeps in the archive')
    .option('--retry', 'import what it keeps in the archive and the platform knows by now')
    .option('--cancel', 'stop the run: applied records stay, the rest is rejected')
    .option('--revert', 'take back what the run has applied; after an interruption, run it again to resume')
    .option('--dry-run', 'with --revert or --retry: show what would be done; nothing is changed')
    .option('--yes', 'with --approve, --apply, --retry or --revert: do not ask');

type RunOptions = OptionsOf<typeof declared>;

/** As long as an import waits for an unreachable service by default. */
const APPLYING_PATIENCE_MINUTES = 30;
const ACTIONS = ['approve', 'apply', 'archive', 'retry', 'cancel', 'revert'] as const;

/** @throws UsageError */
function checkOptions(run_id: string | undefined, options: RunOptions): void {
  const asked = ACTIONS.filter((name) => options[name] !== undefined);
  if (run_id === undefined && asked.length > 0) throw new UsageError('Name the run.');
  if (asked.length > 1) throw new UsageError(`Use either ${asked.map((name) => `--${name}`).join(' or ')}.`);
}

export const command = (run: RunCommand) =>
  declared().action((run_id, options) =>
    run(options, async (context) => {
      checkOptions(run_id, options);
      const { output } = context;
      const display = displayOn(process.stderr);
      const outage = outageNotice((text) => display.note(text));
      const { approve, apply, comment, yes, dryRun, archive, retry, cancel, revert } = options;
      const isApplying = apply !== undefined || retry === true;
      const { client, login } = await connect(
        context,
        isApplying ? outage.policy(APPLYING_PATIENCE_MINUTES) : undefined,
      );
      if (run_id === undefined) return showRuns(client, output);
      const view = { output, url: login.base_url, display, outage };
      if (approve !== undefined) return approveRun(client, { run_id, plan_digest: approve, comment, yes }, output);
      if (apply !== undefined) return applyRun(client, { run_id, plan_digest: apply, yes }, view);
      if (archive === true) return showArchive(client, run_id, output);
      if (retry === true) return retryArchive({ client, run_id, dryRun, yes, ...view });
      if (cancel === true) return cancelRun(client, run_id, output);
      return revert === true ? revertRun(client, run_id, options, output) : showRun(client, run_id, output);
    }),
  );

export async function showRuns(client: MigrationClient, output: Output): Promise<number> {
  const runs = await listRuns(client);
  const none = ['There are no runs. Every import makes one.'];
  const lines = table(
    ['run', 'started (UTC)', 'state', 'imports', 'records', 'succeeded', 'rejected'],
    runs.map(({ run_id, state, created_at, counts: { imports, total, succeeded, failed } }) => [
      run_id,
      shortDate(created_at),
      state,
      imports,
      total,
      succeeded,
      failed,
    ]),
  );
  printResult(output, { runs }, runs.length === 0 ? none : lines);
  return EXIT.allApplied;
}

/** `runs RUN`: its plan, how far that is, and its imports. */
export async function showRun(client: MigrationClient, run_id: string, output: Output): Promise<number> {
  const run = await ofRun(run_id, client.getRun(run_id));
  const imports = run.counts.imports === 0 ? [] : await importsOfRun(client, run_id);
  printResult(output, { ...run, imports }, [
    ...(run.plan === null ? [] : lifeLines(run.plan)),
    ...(run.plan?.status === 'applying' ? [shareLine(run.plan, imports)] : []),
    ...(imports.length === 0 ? ['It has no import yet.'] : importTable(imports)),
  ]);
  return EXIT.allApplied;
}

/** How much of the plan is processed: `created_at` of its imports follows its application. */
function shareLine({ counts: { total }, applied_at }: Plan, imports: readonly ImportSummary[]): string {
  const ofPlan = imports.filter(({ created_at }) => created_at >= (applied_at ?? ''));
  const processed = ofPlan.reduce((sum, { counts }) => sum + counts.processed, 0);
  return `${Math.floor((processed / total) * 100)} % of its records are processed.`;
}

const importTable = (imports: readonly ImportSummary[]): string[] =>
  table(
    ['import', 'started (UTC)', 'status', 'records', 'succeeded', 'rejected', 'cancelled', 'reverted'],
    imports.map(({ import_id, created_at, status, counts, cancelled_at, reverted_at }) => [
      import_id,
      shortDate(created_at),
      status,
      counts.total,
      counts.succeeded,
      counts.failed,
      shortDate(cancelled_at),
      shortDate(reverted_at),
    ]),
  );

const inImports = (run_id: string, total: number, imports: number): string =>
  `Run ${run_id}: ${grouped(total)} records in ${grouped(imports)} ${imports === 1 ? 'import' : 'imports'}`;

/** `runs RUN --cancel`: waits until all imports have ended. The same command resumes. */
export async function cancelRun(client: MigrationClient, run_id: string, output: Output): Promise<number> {
  const found = await ofRun(run_id, client.cancelRun(run_id));
  if (found.status === 'processing')
    output.note(`Run ${run_id} is cancelled; batches that are being processed still end.`);
  else if (found.status === 'draft') output.note(`Run ${run_id} has no import yet, so nothing was cancelled.`);
  else output.note(`Run ${run_id} had ended already, so nothing was cancelled.`);
  const ended = found.status === 'processing' ? await client.waitForRun(run_id) : found;
  const { imports, total, succeeded, failed } = ended.counts;
  printResult(output, ended, [
    inImports(run_id, total, imports),
    countLine(succeeded, 'succeeded; they stay'),
    countLine(failed, 'rejected or cancelled'),
    `To take back what succeeded: ${ownCommand('runs', run_id, '--revert')}`,
  ]);
  return EXIT.allApplied;
}

/** `runs RUN --revert`: a dry run, a question, the revert. The service continues it without this command. */
export async function revertRun(
  client: MigrationClient,
  run_id: string,
  options: Pick<RunOptions, 'dryRun' | 'yes'>,
  output: Output,
): Promise<number> {
  const totalOfRun = async (): Promise<number> => (await client.getRun(run_id)).counts.total;
  // For a run with a revert, running or complete, a dry run is the report of that revert.
  const report = await requestRevert(client, run_id, true);
  const isLong = report.dry_run && report.status === 'processing';
  const found = isLong ? await followed(client, run_id, await totalOfRun(), true) : report;
  if (found.status === 'success') {
    output.note(`Run ${run_id} was reverted on ${shortDate(found.completed_at)} UTC. None of its records is left.`);
    return showRevert(found, output);
  }
  if (found.status === 'processing') output.note(`Run ${run_id} is being reverted already.`);
  else {
    const stopped = await confirmed(found, options, output);
    if (stopped !== undefined) return stopped;
    await requestRevert(client, run_id, false);
  }
  if (options.dryRun === true) return showRevert(found, output);
  output.note('This takes half a minute or more: the service first waits for the writes that are running.');
  const total = found.status === 'processing' ? await totalOfRun() : found.counts.total;
  return showRevert(await followed(client, run_id, total, false), output);
}

const requestRevert = (client: MigrationClient, run_id: string, dry_run: boolean): Promise<RunRevert> =>
  explained(ofRun(run_id, client.revertRun(run_id, { dry_run })), {
    import_not_terminal: `Run ${run_id} has not ended, so it cannot be reverted yet. Wait for its end, or stop it: ${ownCommand('runs', run_id, '--cancel')}`,
  });

async function confirmed(
  planned: RunRevert,
  { dryRun, yes }: Pick<RunOptions, 'dryRun' | 'yes'>,
  output: Output,
): Promise<number | undefined> {
  if (dryRun === true) return showRevert(planned, output);
  if (yes === true) return undefined;
  for (const line of revertLines(planned)) output.note(line);
  const records = `${grouped(planned.counts.reverted)} records of run ${planned.run_id}`;
  return refusalOf(output, `Take back the ${records}? Only another import brings them back.`, {
    nothing: 'Nothing reverted',
    unasked: 'Use --yes, or --dry-run to look only.',
    code: EXIT.allApplied,
  });
}

/** The counts of a running revert, or dry run, are those of its progress. */
function followed(client: MigrationClient, run_id: string, total: number, dry_run: boolean): Promise<RunRevert> {
  const meter = new Meter(dry_run ? 'looking' : 'reverting', total);
  const onProgress = ({ counts: { reverted, nothing_to_revert } }: RunRevert): void =>
    meter.add(reverted + nothing_to_revert - meter.done);
  const step = (): Promise<RunRevert> => client.waitForRunRevert(run_id, { dry_run, onProgress });
  return displayOn(process.stderr).during([meter], step, true);
}

function showRevert(revert: RunRevert, output: Output): number {
  printResult(output, revert, revertLines(revert));
  return EXIT.allApplied;
}

function revertLines({ run_id, status, counts: { imports, total, reverted, nothing_to_revert } }: RunRevert): string[] {
  const would = status === 'validated' ? 'would be ' : '';
  return [
    inImports(run_id, total, imports),
    countLine(reverted, `${would}taken back; each learner keeps the progress of the platform and of other imports`),
    countLine(nothing_to_revert, 'have nothing to take back: they were rejected, or wrote nothing'),
  ];
}
