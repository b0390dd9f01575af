/** The run of an import: dry runs, their plan, a question, its application by the service, and its results (§4.11). */
import type { MigrationClient, Plan } from '../client/index.ts';
import {
  type DryRuns,
  failingChunks,
  type ImportRun,
  type PassOutcome,
  previewOf,
  readDryRuns,
  sendDryRuns,
} from '../engine/run/import-run.ts';
import type { Journal } from '../engine/run/journal.ts';
import { PreviewBuilder } from '../engine/run/preview.ts';
import { isOpenPlan, planOf, resultsOf, TakenBack } from '../engine/run/plan-run.ts';
import { recordsHash } from '../engine/run/survey.ts';
import { refusal } from '../engine/ground/errors.ts';
import { grouped } from '../engine/ground/text.ts';
import { inWords } from './advice.ts';
import type { CommandContext } from './command.ts';
import { signImport } from './commands/evidence.ts';
import { EXIT, isUsage, UsageError } from './errors.ts';
import { earlierRejectedFiles, type RejectedOptions, writeRejectedRows } from './files/rejected-file.ts';
import { applyCommand, lifeLines, planLines } from './lines/plan.ts';
import { previewLines } from './lines/preview.ts';
import {
  NO_REJECTED_ROWS,
  type RejectedRows,
  resultLines,
  type Repeated,
  resultOf,
  type Shown,
} from './lines/result.ts';
import { appliedRun, showApproval } from './plans.ts';
import { type Display, Meter, type OutageNotice, whileMetered } from './progress.ts';
import { explained, hasCode } from './session/session.ts';
import { askToConfirm, duration, ownCommand, printResult, refusalOf, unconfirmed } from './terminal.ts';

interface ImportOptions extends RejectedOptions, Repeated {
  readonly dryRun?: true | undefined;
  readonly yes?: true | undefined;
  readonly archive?: true | undefined;
  /** Name of the run. */
  readonly run?: string | undefined;
}

export interface CommandRun extends CommandContext {
  readonly run: ImportRun & { readonly journal: Journal };
  readonly client: MigrationClient;
  /** The address of the service. */
  readonly url: string;
  readonly options: ImportOptions;
  readonly display: Display;
  readonly outage: OutageNotice;
  readonly reason: string | undefined;
}

interface Checked {
  readonly dryRuns: DryRuns;
  readonly plan: Plan;
}

/** Once its results are shown a run has ended, and the next import of the files begins anew. Returns the exit code. */
export async function runImport(command: CommandRun): Promise<number> {
  if (command.options.dryRun === true) return showDryRuns(command, await dryRunsOf(command, true));
  const checked = (await agreedPlan(command)) ?? (await newPlan(command));
  return typeof checked === 'number' ? checked : importPlan(command, checked);
}

/** Has the service apply the plan, and shows what became of the records. */
async function importPlan(command: CommandRun, { dryRuns, plan }: Checked): Promise<number> {
  const { run, client, url, output, reason } = command;
  const { run_id, attempt } = dryRuns;
  await run.journal.agree({ attempt, run_id, plan_digest: plan.plan_digest });
  const applied = await appliedRun(client, plan, command);
  if (applied === undefined) return showApproval(plan, url, output);
  const outcome = await resultsOf({ service: client, parallel: run.parallel }, dryRuns, applied).catch(
    (error: unknown) => endedBy(error, command, attempt),
  );
  const file = reason === undefined ? undefined : await signImport(run, client, { run_id, outcome, reason }, output);
  const evidence = file === undefined ? undefined : { file, url };
  const code = await showOutcome(command, { run_id, isDryRun: false, outcome, preview: previewOf(run), evidence });
  // Rejected rows that could not be written: the same command writes them.
  if (code !== EXIT.usage) await run.journal.end(attempt);
  return code;
}

/** A run that was cancelled or reverted meanwhile has ended here, too. @throws UsageError, or the error if it is another one */
async function endedBy(error: unknown, { run }: CommandRun, attempt: string): Promise<never> {
  if (!(error instanceof TakenBack)) throw error;
  await run.journal.end(attempt);
  throw new UsageError(`${inWords(error)} To import the file again, run the same command once more.`);
}

const isStill = (plan: Plan | null, plan_digest: string): plan is Plan =>
  plan?.plan_digest === plan_digest && plan.status !== 'withdrawn' && plan.status !== 'expired';

/**
 * The plan that was agreed to before: its application goes on without the command, and its approval takes a while. `undefined` if
 * there is none that counts; an exit code if nothing is to be imported.
 *
 * @throws UsageError if the run was cancelled, EngineError if it goes on under another name than the one asked for
 */
async function agreedPlan(command: CommandRun): Promise<Checked | number | undefined> {
  const { run, client, options, display } = command;
  const agreed = run.journal.agreed(recordsHash(run.survey), options.archive);
  if (agreed === undefined) return undefined;
  const { attempt, run_id, plan_digest } = agreed;
  const plan = await planOfRun(client, run_id);
  if (!isStill(plan, plan_digest)) {
    display.note(`The plan of run ${run_id} was withdrawn, replaced or has expired: the file is checked again.`);
    await run.journal.end(attempt);
    return undefined;
  }
  if (options.run !== undefined && options.run !== run_id) throw refusal('run_of_other_name', { run_id });
  if (plan.status === 'cancelled') return endedBy(new TakenBack('run_cancelled', run_id), command, attempt);
  for (const line of lifeLines(plan)) display.note(line);
  const stopped = isOpenPlan(plan) ? await confirmed(command, plan, EXIT.allApplied) : undefined;
  if (stopped !== undefined) return stopped;
  return { plan, dryRuns: await metered(command, (onProgress) => readDryRuns(run, agreed, onProgress)) };
}

async function planOfRun(client: MigrationClient, run_id: string): Promise<Plan | null> {
  try {
    return (await client.getRun(run_id)).plan;
  } catch (error) {
    if (hasCode(error, 'run_not_found')) return null;
    throw error;
  }
}

const metered = (command: CommandRun, step: Parameters<typeof whileMetered<DryRuns>>[2]): Promise<DryRuns> =>
  whileMetered(command, { process: new Meter('dry run', command.run.survey.records) }, step);

/** The results of a dry run that was just made are read again; nothing is sent. */
async function dryRunsOf(command: CommandRun, isNew: boolean): Promise<DryRuns> {
  const { run, options, display } = command;
  const nowMs = Date.now();
  const last = isNew ? undefined : run.journal.recentDryRun(recordsHash(run.survey), nowMs);
  if (last === undefined || (options.run ?? last.run_id) !== last.run_id || last.archive !== options.archive)
    return sentDryRuns(command, options);
  display.note(
    `Showing the dry run of ${duration((nowMs - last.endedAtMs) / 1000)} ago: it was of the same records, and rejected none. For a new one, use --dry-run.`,
  );
  return metered(command, (onProgress) => readDryRuns(run, last, onProgress));
}

const sentDryRuns = (
  command: CommandRun,
  { run: asked, archive }: Pick<ImportOptions, 'run' | 'archive'>,
  preview = command.run.preview,
): Promise<DryRuns> => {
  const asking = { newId: () => crypto.randomUUID(), now: Date.now, asked, archive };
  return metered(command, (onProgress) => sendDryRuns({ ...command.run, preview }, asking, onProgress));
};

/**
 * Asks whether the archive keeps what nobody or no course answers to (§4.12), and has the service check all of it with that. As on the
 * page, it is asked where there is something to keep. `undefined` if it is not to be kept.
 */
async function withArchive(
  command: CommandRun,
  { run_id, archivable, summary }: DryRuns,
): Promise<DryRuns | undefined> {
  const { options, output } = command;
  const isAsked = output.interactive && options.yes !== true && options.archive !== true;
  if (!isAsked || archivable === 0) return undefined;
  const rows = archivable === 1 ? `1 ${summary.unit.slice(0, -1)}` : `${grouped(archivable)} ${summary.unit}`;
  const them = archivable === 1 ? 'it' : 'them';
  const question = `In ${rows}, the person or the course is not on the platform. Keep ${them} in the archive?`;
  if (!(await askToConfirm(question))) return undefined;
  // Nothing but what is archived differs: the preview is shown already.
  return sentDryRuns(command, { run: run_id, archive: true }, new PreviewBuilder(Date.now()));
}

/** Rejected rows that the archive keeps are imported, too. */
const leavesNothing = ({ rows, rejected, archived = 0 }: DryRuns['summary']): boolean =>
  rejected === rows && archived === 0;

const nothingLeft = ({ rows, unit }: DryRuns['summary']): string =>
  `Nothing imported: ${rows === 0 ? `no ${unit.slice(0, -1)} is left` : `every ${unit.slice(0, -1)} would be rejected`}.`;

function noteDryRuns({ run, display }: CommandRun, { summary: { unit, rows, rejected } }: DryRuns): void {
  for (const line of previewLines(previewOf(run), run.set.sources[0]?.mapping)) display.note(line);
  display.note(`Dry run: ${grouped(rejected)} of ${grouped(rows)} ${unit} would be rejected. Importing.`);
}

/** Dry runs, their results, their plan, and the question. Returns an exit code if nothing is to be imported. */
async function newPlan(command: CommandRun): Promise<Checked | number> {
  const { options, output, display } = command;
  const plain = await dryRunsOf(command, false);
  if (options.yes === true && !leavesNothing(plain.summary)) {
    noteDryRuns(command, plain);
    return { dryRuns: plain, plan: await planned(command, plain) };
  }
  // Nobody can agree to a plan: none is made.
  const refused = output.interactive || leavesNothing(plain.summary) ? undefined : unconfirmed(UNCONFIRMED);
  const code = await showDryRuns(command, plain, refused);
  if (refused !== undefined) {
    output.note(refused.error);
    return refused.exit_code;
  }
  const dryRuns = (await withArchive(command, plain)) ?? plain;
  if (leavesNothing(dryRuns.summary)) {
    output.note(nothingLeft(dryRuns.summary));
    return code;
  }
  const plan = await planned(command, dryRuns);
  for (const line of planLines(plan)) display.note(line);
  return (await confirmed(command, plan, code)) ?? { dryRuns, plan };
}

/** @throws UsageError if the dry runs are gone, or another plan of the run is being applied */
async function planned({ run, client }: CommandRun, dryRuns: DryRuns): Promise<Plan> {
  const { run_id, attempt } = dryRuns;
  try {
    return await explained(planOf(client, dryRuns), {
      plan_closed: `Run ${run_id} is being imported. "${ownCommand('runs', run_id)}" shows it. Wait for its end, or use another name with --run.`,
    });
  } catch (error) {
    if (!hasCode(error, 'plan_incomplete') && !hasCode(error, 'run_not_found')) throw error;
    await run.journal.end(attempt);
    throw new UsageError(`The dry runs of run ${run_id} are gone. Run the same command again: it makes new ones.`);
  }
}

const UNCONFIRMED = {
  nothing: 'Nothing imported',
  unasked: 'Use --yes to import or --dry-run to validate only.',
};

/** Returns the exit code if nothing is to be imported. */
async function confirmed({ options, output }: CommandRun, plan: Plan, code: number): Promise<number | undefined> {
  if (options.yes === true) return undefined;
  const { applied, updated, unchanged, archived } = plan.counts;
  const kept = archived === 0 ? '' : `, and keep ${grouped(archived)} in the archive`;
  const question = `Import these ${grouped(applied + updated + unchanged)} records${kept}? An import never lowers progress: what is too high stays until the run is reverted.`;
  const stopped = await refusalOf(output, question, { ...UNCONFIRMED, code });
  if (stopped !== undefined) output.note(`The plan stays. To import it later: ${applyCommand(plan)}`);
  return stopped;
}

const showDryRuns = (command: CommandRun, dryRuns: DryRuns, refused?: Shown['refused']): Promise<number> =>
  showOutcome(command, {
    run_id: dryRuns.run_id,
    isDryRun: true,
    outcome: dryRuns,
    preview: previewOf(command.run),
    refused,
  });

async function showOutcome(command: CommandRun, shown: Shown): Promise<number> {
  const { output } = command;
  const rejected = await rejectedFilesOf(command, shown.outcome);
  printResult(
    output,
    resultOf(command.run, shown, rejected),
    resultLines(command.run, command.options, shown, rejected),
  );
  if (rejected.problem !== null) return EXIT.usage;
  return shown.outcome.summary.rejected === 0 ? EXIT.allApplied : EXIT.someRejected;
}

async function rejectedFilesOf(
  { run: { set }, client, options, display }: CommandRun,
  { summary, chunks }: PassOutcome,
): Promise<RejectedRows> {
  const failing = failingChunks(chunks);
  if (failing.size === 0) {
    for (const path of earlierRejectedFiles(set))
      display.note(`${path} was left by an earlier run. This run rejected no ${summary.unit}.`);
    return NO_REJECTED_ROWS;
  }
  try {
    return { ...(await writeRejectedRows(set, failing, client, options, display)), problem: null };
  } catch (error) {
    if (!isUsage(error)) throw error;
    // The results are shown, too, where the disk is full, or the file has changed.
    return { ...NO_REJECTED_ROWS, problem: inWords(error) };
  }
}
