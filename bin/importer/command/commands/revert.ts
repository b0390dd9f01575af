import { type MigrationClient, type RunRevert, ServiceError } from '../../client/index.ts';
import { type OptionsOf, type RunCommand, serviceCommand } from '../command.ts';
import { EXIT } from '../errors.ts';
import { grouped } from '../../engine/text.ts';
import { UsageError } from '../../engine/errors.ts';
import { displayOn } from '../progress/display.ts';
import { Meter } from '../progress/meter.ts';
import { shortDate, withRun } from '../runs.ts';
import { connect } from '../session/session.ts';
import { askToConfirm, type Output, ownCommand, printResult } from '../terminal.ts';

const declared = () =>
  serviceCommand('revert', 'take back the records of a run; after an interruption, run it again to resume', [
    'revert spring --dry-run',
    'revert spring',
  ])
    .argument('<run>')
    .option('--dry-run', 'show which records would be taken back; nothing is changed')
    .option('--yes', 'revert without asking');

type RevertOptions = OptionsOf<typeof declared>;

export const command = (run: RunCommand) =>
  declared().action((run_id, options) =>
    run(options, async (context) => revertRun((await connect(context)).client, run_id, options, context.output)),
  );

/**
 * `revert RUN`: makes a dry run, says what would be taken back, asks, and follows the revert to its end. The service
 * continues a revert without this command; the same command follows it again.
 */
export async function revertRun(
  client: MigrationClient,
  run_id: string,
  options: RevertOptions,
  output: Output,
): Promise<number> {
  // For a run with a revert, running or complete, a dry run is the report of that revert.
  const found = await request(client, run_id, true);
  if (found.status === 'success') {
    output.note(`Run ${run_id} was reverted on ${shortDate(found.completed_at)} UTC. None of its records is left.`);
    return show(found, output);
  }
  if (found.status === 'processing') output.note(`Run ${run_id} is being reverted already.`);
  else {
    const stopped = await confirmed(client, found, options, output);
    if (stopped !== undefined) return stopped;
    await request(client, run_id, false);
  }
  if (options.dryRun === true) return show(found, output);
  output.note('This takes half a minute or more: the service first waits for the writes that are running.');
  return show(await followed(client, found), output);
}

async function request(client: MigrationClient, run_id: string, dry_run: boolean): Promise<RunRevert> {
  try {
    return await withRun(run_id, () => client.revertRun(run_id, { dry_run }));
  } catch (error) {
    if (!(error instanceof ServiceError && error.has('import_not_terminal'))) throw error;
    throw new UsageError(
      `Run ${run_id} has not ended, so it cannot be reverted yet. Wait for its end, or stop it: ${ownCommand('cancel', run_id)}`,
    );
  }
}

/** Returns an exit code if nothing is to be reverted. */
async function confirmed(
  client: MigrationClient,
  planned: RunRevert,
  { dryRun, yes }: RevertOptions,
  output: Output,
): Promise<number | undefined> {
  const { run_id, counts } = planned;
  if (dryRun === true) return show(planned, output, await sampleLines(client, planned));
  if (yes === true) return undefined;
  for (const line of [...resultLines(planned), ...(await sampleLines(client, planned))]) output.note(line);
  if (!output.interactive) {
    output.note('Nothing reverted: cannot ask for confirmation (no terminal). Use --yes, or --dry-run to look only.');
    return EXIT.usage;
  }
  const question = `Take back the ${grouped(counts.reverted)} records of run ${run_id}? Only another import brings them back.`;
  if (await askToConfirm(question)) return undefined;
  output.note('Nothing reverted.');
  return EXIT.allApplied;
}

async function followed(client: MigrationClient, { run_id, counts, status }: RunRevert): Promise<RunRevert> {
  const display = displayOn(process.stderr);
  // The counts of a running revert are those of its progress.
  const { total } = status === 'processing' ? (await client.getRun(run_id)).counts : counts;
  const meter = new Meter('reverting', total, Date.now);
  display.show([meter]);
  try {
    return await client.waitForRunRevert(run_id, {
      onProgress: ({ counts: { reverted, nothing_to_revert } }) => meter.add(reverted + nothing_to_revert - meter.done),
    });
  } finally {
    display.end();
  }
}

const SAMPLES = 3;

/**
 * The progress of some learners before and after. Only for a run of one import: with several, the report of each assumes that
 * the others stay.
 */
async function sampleLines(client: MigrationClient, { run_id, counts }: RunRevert): Promise<string[]> {
  if (counts.imports !== 1) return [];
  const { imports } = await client.listImports({ run_id });
  const single = imports.find(({ dry_run, reverted_at }) => !dry_run && reverted_at === null);
  if (single === undefined) return [];
  const { records } = await client.revertImport(single.import_id, { dry_run: true });
  const lines: string[] = [];
  for (const { external_record_id, progress } of records
    .filter(({ outcome }) => outcome === 'reverted')
    .slice(0, SAMPLES)) {
    if (external_record_id === null || progress === null) continue;
    const { effective } = await client.getRecord(external_record_id);
    lines.push(
      `    ${external_record_id}: user ${progress.user_id} in course ${progress.platform_course_id} has ${effective.completion_pct} %, afterwards ${progress.completion_pct} %`,
    );
  }
  return lines.length === 0 ? [] : ['for example', ...lines];
}

function show(revert: RunRevert, output: Output, more: readonly string[] = []): number {
  printResult(output, revert, [...resultLines(revert), ...more]);
  return EXIT.allApplied;
}

function resultLines({ run_id, status, counts: { imports, total, reverted, nothing_to_revert } }: RunRevert): string[] {
  const would = status === 'validated' ? 'would be ' : '';
  return [
    `Run ${run_id}: ${grouped(total)} records in ${grouped(imports)} ${imports === 1 ? 'import' : 'imports'}`,
    `  ${grouped(reverted).padStart(9)}  ${would}taken back; each learner keeps the progress of the platform and of other imports`,
    `  ${grouped(nothing_to_revert).padStart(9)}  have nothing to take back: they were rejected, or wrote nothing`,
  ];
}
