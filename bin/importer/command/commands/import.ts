import { join } from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { isRunId } from '../../wire/values.ts';
import type { MigrationClient } from '../../client/index.ts';
import { recordSetOf } from '../../engine/apply/record-set.ts';
import { PreviewBuilder } from '../../engine/run/preview.ts';
import { previewLines } from '../lines/preview.ts';
import { inWords } from '../advice.ts';
import {
  dryRun,
  failingChunks,
  type ImportRun,
  type PassOutcome,
  openAttempt,
  previewOf,
  runPass,
  TakenBack,
} from '../../engine/run/import-run.ts';
import { type Attempt, Journal } from '../../engine/run/journal.ts';
import type { ImportService } from '../../engine/run/send.ts';
import { journalName } from '../../engine/run/keys.ts';
import { refuseUndecided } from '../../engine/decide/confirm.ts';
import { recordsHash, surveyOf } from '../../engine/run/survey.ts';
import { surveyLines } from '../lines/survey.ts';
import { grouped } from '../../engine/ground/text.ts';
import {
  type CommandContext,
  collected,
  fileCommand,
  type OptionsOf,
  type RunCommand,
  wholeNumber,
} from '../command.ts';
import { EXIT, isUsage, UsageError } from '../errors.ts';
import { reasonOf, signImport } from './evidence.ts';
import { inputFiles } from '../files/input-files.ts';
import { journalFile } from '../files/config-folder.ts';
import { openRecordFile, type RecordFileOptions } from '../files/records.ts';
import {
  checkRejectedTarget,
  earlierRejectedFiles,
  type RejectedOptions,
  writeRejectedRows,
} from '../files/rejected-file.ts';
import {
  type Display,
  displayOn,
  Meter,
  outageNotice,
  type OutageNotice,
  whileCounting,
  whileMetered,
} from '../progress.ts';
import { connect, type Connection } from '../session/session.ts';
import { NO_REJECTED_ROWS, type RejectedRows, resultLines, resultOf, type Shown } from '../lines/result.ts';
import { duration, printResult, refusalOf } from '../terminal.ts';

const declared = () =>
  fileCommand(
    'import',
    'import Excel, CSV, JSON or NDJSON files, or - for standard input; after an interruption, run it again to resume',
    [
      'import history.csv --dry-run',
      'import history.csv --run spring',
      "import 'exports/*.csv' --mapping all.mapping.json --set content.platform_course_id=2002",
    ],
  )
    .argument('<files...>')
    .option('--mapping <file>', 'what the columns mean (default: FILE.mapping.json beside the file)')
    .option('--set <member=value>', 'the same value in every record; may be repeated', collected)
    .option('--dry-run', 'validate only; nothing is imported')
    .option('--yes', 'import after the dry run without asking; it confirms nothing')
    .option('--replace', 'what earlier imports stored under the same record ids counts no longer')
    .option('--parallel <number>', 'number of uploads at the same time', wholeNumber(1, 32), 4)
    .option('--patience <minutes>', 'how long to wait for an unreachable service', wholeNumber(0, 10_000), 30)
    .option('--run <name>', 'name of the run, for cancel and revert (default: after the file)', runName)
    .option('--evidence [reason]', 'have the service sign evidence of the import, with this reason, for an auditor')
    .option('--rejected <file>', 'file to write the rejected rows to')
    .option(
      '--safe-for-spreadsheets',
      'in rejected rows of CSV, write an apostrophe before what a spreadsheet would run',
    );

type ImportOptions = OptionsOf<typeof declared, RecordFileOptions & RejectedOptions>;

export const command = (run: RunCommand) =>
  declared().action((paths, options) => run(options, (context) => importFiles(paths, options, context)));

/** Begins with a letter or digit, so that it never looks like an option. */
function runName(text: string): string {
  if (isRunId(text) && /^[\p{L}\p{N}]/u.test(text)) return text;
  throw new InvalidArgumentError('It must be 1 to 128 characters, beginning with a letter or digit.');
}

export interface CommandRun extends CommandContext {
  readonly run: ImportRun;
  readonly client: MigrationClient;
  /** The address of the service. */
  readonly url: string;
  readonly options: ImportOptions;
  readonly display: Display;
  readonly outage: OutageNotice;
  readonly reason: string | undefined;
}

/** `import FILE…`: a dry run, a question, the import, its results. After an interruption the same command resumes. */
async function importFiles(paths: readonly string[], options: ImportOptions, context: CommandContext): Promise<number> {
  const { output } = context;
  const canAsk = output.interactive && options.yes !== true;
  const reason = options.evidence === undefined ? undefined : await reasonOf(options.evidence, canAsk);
  const display = displayOn(process.stderr);
  const outage = outageNotice((text) => display.note(text));
  let connection: Promise<Connection> | undefined;
  // Before the files are read only if a mapping needs the catalog.
  const connected = (): Promise<Connection> => (connection ??= connect(context, outage.policy(options.patience)));
  const sources = [];
  for (const path of await inputFiles(paths, context.spool)) sources.push(await openRecordFile(path, options));
  const set = await recordSetOf(sources, async () => (await connected()).client);
  for (const { mapping, file } of set.sources) refuseUndecided(mapping, file.path);
  checkRejectedTarget(set, options.rejected);
  const preview = new PreviewBuilder(Date.now());
  display.note(`Reading ${set.name}`);
  const survey = await whileCounting(display, 'reading', (add) =>
    surveyOf(set, {
      preview,
      onProgress: ({ records }) => add(records),
    }),
  );
  for (const line of surveyLines(set, survey)) display.note(line);
  const { client, login } = await connected();
  const { company_id, base_url: url } = login;
  const isReplacing = options.replace === true;
  const name = journalName(set.sources, login, isReplacing);
  const journal = await Journal.read(journalFile(join(context.folder, 'imports'), name));
  const service = isReplacing ? replacing(client) : client;
  const run = { service, company_id, set, survey, preview, journal, parallel: options.parallel };
  return runImport({ ...context, run, client, url, options, display, outage, reason });
}

/** `--replace`: what earlier imports stored under the ids of these records counts no longer. */
const replacing = (client: ImportService): ImportService => ({
  startImport: (body, key) => client.startImport({ ...body, replace: true }, key),
  getImport: (import_id) => client.getImport(import_id),
  waitForImport: (import_id, options) => client.waitForImport(import_id, options),
});

/** The run of the files. Once its results are shown it has ended, and the next import of the files sends them again. */
export async function runImport(command: CommandRun): Promise<number> {
  const { run, options, display } = command;
  const batches = run.survey.digests.length;
  const accepted = run.journal.open === undefined ? 0 : run.journal.accepted(run.journal.open.attempt).size;
  if (options.dryRun === true) {
    const outcome = await dryRunOf(command, true);
    return showOutcome(command, { run_id: null, outcome, preview: previewOf(run) });
  }
  if (accepted === batches) display.note('All batches were already accepted.');
  else if (accepted > 0)
    display.note(`Resuming: ${grouped(accepted)} of ${grouped(batches)} batches were already accepted.`);
  else {
    const stopped = await confirmByDryRun(command);
    if (stopped !== undefined) return stopped;
  }
  const attempt = await openAttempt(run, () => crypto.randomUUID(), options.run);
  const { run_id } = attempt;
  display.note(`Run ${run_id}`);
  const outcome = await realPass(command, attempt);
  const preview = accepted > 0 ? null : previewOf(run);
  const { reason, client, url, output } = command;
  const file = reason === undefined ? undefined : await signImport(run, client, { run_id, outcome, reason }, output);
  const evidence = file === undefined ? undefined : { file, url };
  const code = await showOutcome(command, { run_id, outcome, preview, evidence });
  // Rejected rows that could not be written: the same command writes them.
  if (code !== EXIT.usage) await run.journal.end(attempt.attempt);
  return code;
}

async function realPass(command: CommandRun, attempt: Attempt): Promise<PassOutcome> {
  const { run } = command;
  const meters = { upload: meterOf(command, 'upload'), process: meterOf(command, 'processing') };
  const pass = { dry_run: false, ...attempt };
  try {
    return await whileMetered(command, meters, (onProgress) => runPass(run, pass, onProgress));
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
    await run.journal.end(attempt.attempt);
    throw new UsageError(`${inWords(error)} To import the file again, run the same command once more.`);
  }
}

/** The results of a dry run that was just made are read again; nothing is sent. */
async function dryRunOf(command: CommandRun, isNew: boolean): Promise<PassOutcome> {
  const { run, display } = command;
  const nowMs = Date.now();
  const recent = isNew ? undefined : run.journal.recentDryRun(recordsHash(run.survey), nowMs);
  if (recent !== undefined)
    display.note(
      `Showing the dry run of ${duration((nowMs - recent.endedAtMs) / 1000)} ago: it was of the same records, and rejected none. For a new one, use --dry-run.`,
    );
  return whileMetered(command, { process: meterOf(command, 'dry run') }, (onProgress) =>
    recent === undefined
      ? dryRun(run, { newId: () => crypto.randomUUID(), now: Date.now }, onProgress)
      : runPass(run, { dry_run: true, attempt: recent.attempt, run_id: null }, onProgress),
  );
}

const meterOf = ({ run }: CommandRun, name: string): Meter => new Meter(name, run.survey.records);

/** The dry run before an import. Returns an exit code if nothing is to be imported. */
async function confirmByDryRun(command: CommandRun): Promise<number | undefined> {
  const { run, options, display } = command;
  const outcome = await dryRunOf(command, false);
  const { unit, rows, rejected } = outcome.summary;
  const preview = previewOf(run);
  if (options.yes === true) {
    for (const line of previewLines(preview, run.set.sources[0]?.mapping)) display.note(line);
    display.note(`Dry run: ${grouped(rejected)} of ${grouped(rows)} ${unit} would be rejected. Importing.`);
    return undefined;
  }
  const code = await showOutcome(command, { run_id: null, outcome, preview });
  return confirmed(command, outcome.summary, code);
}

async function confirmed(
  { output }: CommandRun,
  { unit, rows, rejected }: PassOutcome['summary'],
  code: number,
): Promise<number | undefined> {
  if (rejected === rows) {
    output.note(`Nothing imported: every ${unit.slice(0, -1)} would be rejected.`);
    return code;
  }
  return refusalOf(
    output,
    `Import the ${grouped(rows - rejected)} ${unit} that would be accepted? An import never lowers progress: what is too high stays until the run is reverted.`,
    { nothing: 'Nothing imported', unasked: 'Use --yes to import or --dry-run to validate only.', code },
  );
}

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
