import { basename, extname } from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { isRunId } from '../../../functions/records/identifiers.ts';
import { journalFolder } from '../files/config-folder.ts';
import { inputFiles } from '../files/input-files.ts';
import {
  type CommandContext,
  collected,
  fileCommand,
  type OptionsOf,
  type RunCommand,
  wholeNumber,
} from '../command.ts';
import { EXIT } from '../errors.ts';
import { sha256Hex } from '../../importer/digest.ts';
import { UsageError } from '../../importer/errors.ts';
import { type Connection, connect } from '../session/session.ts';
import { type Preview, PreviewBuilder } from '../../importer/mapping/preview.ts';
import { displayOn, OutageNotice } from '../progress/display.ts';
import { descriptions, nextSteps } from '../import-lines.ts';
import { askToConfirm, type Output, ownCommand } from '../terminal.ts';
import type { RecordSet } from '../../importer/records/batches.ts';
import { loadTitles } from '../../importer/records/class-titles.ts';
import { type ImportRun, type PassOutcome, runPass, surveyOf } from '../../importer/run/import-run.ts';
import { Journal } from '../../importer/run/journal.ts';
import { previewLines } from '../../importer/mapping/preview-lines.ts';
import { openSet, type RecordFileOptions } from '../files/records.ts';
import {
  checkRejectedTarget,
  earlierRejectedFiles,
  type RejectedOptions,
  writeRejectedRows,
} from '../../importer/run/rejected-rows.ts';
import { summaryLines } from '../../importer/run/summary.ts';
import { duration, grouped } from '../../importer/text.ts';

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
    .option('--preview <number>', 'show the first records as they would be sent, and stop', wholeNumber(1, 10_000))
    .option('--dry-run', 'validate only; nothing is imported')
    .option('--yes', 'import after the dry run without asking')
    .option('--parallel <number>', 'number of uploads at the same time', wholeNumber(1, 32), 4)
    .option('--attempt <number>', 'a new number imports the same file again', wholeNumber(1, 1_000_000), 1)
    .option('--patience <minutes>', 'how long to wait for an unreachable service', wholeNumber(0, 10_000), 30)
    .option('--run <name>', 'name of the run, for cancel and revert (default: after the file)', runName)
    .option('--rejected <file>', 'file to write the rejected rows to')
    .option(
      '--safe-for-spreadsheets',
      'in rejected rows of CSV, write an apostrophe before what a spreadsheet would run',
    );

type ImportOptions = OptionsOf<typeof declared, RecordFileOptions & RejectedOptions> & Pick<CommandContext, 'folder'>;

export const command = (run: RunCommand) =>
  declared().action((paths, options) =>
    run(options, (context) => importFiles(paths, { ...options, folder: context.folder }, context)),
  );

/** Begins with a letter or digit, so that it never looks like an option. */
function runName(text: string): string {
  if (isRunId(text) && /^[\p{L}\p{N}]/u.test(text)) return text;
  throw new InvalidArgumentError('It must be 1 to 128 characters, beginning with a letter or digit.');
}

/**
 * `import FILE…`: reads the whole files, makes a dry run, asks, imports, and shows the results. After an interruption the same
 * command resumes.
 */
async function importFiles(paths: readonly string[], options: ImportOptions, context: CommandContext): Promise<number> {
  const { output, spool } = context;
  const display = displayOn(process.stderr);
  const outage = new OutageNotice((text) => display.note(text), Date.now);
  let connection: Connection | undefined;
  const connected = async (): Promise<Connection> => {
    connection ??= await connect(context, {
      patienceMs: options.patience * 60_000,
      waitsOutThrottles: true,
      onWait: (reason, delayMs) => outage.waiting(reason, delayMs),
    });
    return connection;
  };
  const set = await openSet(await inputFiles(paths, spool), options);
  await loadTitles(set, async () => (await connected()).client);
  if (options.preview !== undefined) return showRecords(set, options.preview, output);
  checkRejectedTarget(set, options.rejected);
  const preview = new PreviewBuilder(Date.now());
  display.note(`Reading ${set.name}`);
  const survey = await surveyOf(set, (record, line) => preview.addRecord(record, line), display);
  for (const line of descriptions(set, survey)) display.note(line);
  const journal = openJournal(set, await connected(), options);
  return runImport(
    { connection: await connected(), set, survey, preview, journal, display, outage, parallel: options.parallel },
    options,
    output,
  );
}

/** `--preview N`: the first records as they would be sent. */
async function showRecords(set: RecordSet, most: number, output: Output): Promise<number> {
  const shown: unknown[] = [];
  for await (const { records } of set.chunks()) {
    shown.push(...records.slice(0, most - shown.length));
    if (shown.length >= most) break;
  }
  if (output.json) output.jsonResult({ records: shown });
  else
    for (const record of shown)
      for (const line of JSON.stringify(record, undefined, 2).split('\n')) output.result(line);
  return EXIT.allApplied;
}

async function runImport(run: ImportRun, options: ImportOptions, output: Output): Promise<number> {
  const { journal, display } = run;
  const id = String(options.attempt);
  const accepted = journal.accepted(id).size;
  if (options.dryRun === true) {
    const outcome = await newDryRun(run);
    return showOutcome(run, { run_id: null, outcome, preview: previewOf(run) }, options, output);
  }
  if (accepted > 0) {
    display.note(
      accepted === run.survey.digests.length
        ? 'All batches were already accepted.'
        : `Resuming: ${grouped(accepted)} of ${grouped(run.survey.digests.length)} batches were already accepted.`,
    );
  } else {
    const stopped = await confirmByDryRun(run, options, output);
    if (stopped !== undefined) return stopped;
  }
  const run_id = runIdOf(run, options);
  journal.begin(id, run_id);
  display.note(`Run ${run_id}`);
  const outcome = await runPass(run, { dry_run: false, id, run_id });
  if (outcome.sent === 0) {
    display.note(
      `This file was imported before; showing those results. To import it again, use --attempt ${options.attempt + 1}.`,
    );
  }
  return showOutcome(run, { run_id, outcome, preview: accepted > 0 ? null : previewOf(run) }, options, output);
}

/** @throws UsageError if another run is asked for than the import was begun as */
function runIdOf({ journal, set, connection }: ImportRun, { run, attempt }: ImportOptions): string {
  const begun = journal.name(String(attempt));
  if (begun !== undefined && run !== undefined && run !== begun)
    throw new UsageError(
      `This import was begun as run ${begun}. Leave out --run to resume it, or import the file again as another run with --attempt ${attempt + 1}.`,
    );
  return begun ?? run ?? nameOfRun(set, connection.login.company_id, attempt);
}

/** `history-1f2e3d4c`: the same for the same files, so that any machine sends the same imports. */
function nameOfRun({ sources }: RecordSet, company_id: string, attempt: number): string {
  const files = sources.map(({ file, mappingHash }) => [file.hash, mappingHash]);
  const hash = sha256Hex(JSON.stringify([company_id, files, attempt]));
  const path = sources[0]?.file.path ?? '';
  const words = basename(path, extname(path)).match(/[\p{L}\p{N}]+/gu) ?? ['import'];
  return `${words.join('-').slice(0, 60).toWellFormed()}-${hash.slice(0, 8)}`;
}

const previewOf = ({ preview, survey: { notes }, set }: ImportRun): Preview =>
  preview.preview(notes.list(), { count: notes.localTimes, zone: set.sources[0]?.mapping?.time_zone ?? 'UTC' });

function openJournal(set: RecordSet, { login: { base_url, company_id } }: Connection, options: ImportOptions): Journal {
  const { attempt, folder, format, encoding, delimiter, sheet } = options;
  const read = Object.entries({ format, encoding, delimiter, sheet }).filter(([, value]) => value !== undefined);
  const files = set.sources.map(({ file, mappingHash }) => [file.hash, mappingHash]);
  const [first] = set.sources;
  // One file is identified as it always was, so that a run of an earlier version resumes.
  const identity = files.length === 1 ? (files[0] ?? []) : [sha256Hex(JSON.stringify(files)), ''];
  return Journal.open(journalFolder(folder), [base_url, company_id, ...identity, String(attempt)], {
    file: first?.file.path ?? '',
    mapping: first?.mappingPath ?? null,
    options: Object.fromEntries(read),
    base_url,
    company_id,
  });
}

async function newDryRun(run: ImportRun): Promise<PassOutcome> {
  const id = run.journal.beginDryRun(hashOfRecords(run));
  const outcome = await runPass(run, { dry_run: true, id, run_id: null });
  run.journal.endDryRun(id, outcome.summary.rejected, Date.now());
  return outcome;
}

/** The results of a dry run that was just made are read again; nothing is sent. */
async function recentOrNewDryRun(run: ImportRun): Promise<PassOutcome> {
  const recent = run.journal.recentDryRun(hashOfRecords(run), Date.now());
  if (recent === undefined) return newDryRun(run);
  const ago = duration((Date.now() - recent.endedAtMs) / 1000);
  run.display.note(
    `Showing the dry run of ${ago} ago: it was of the same records, and rejected none. For a new one, use --dry-run.`,
  );
  return runPass(run, { dry_run: true, id: recent.run, run_id: null });
}

const hashOfRecords = ({ survey }: ImportRun): string => sha256Hex(survey.digests.join());

/** The dry run before an import. Returns an exit code if nothing is to be imported. */
async function confirmByDryRun(run: ImportRun, options: ImportOptions, output: Output): Promise<number | undefined> {
  const outcome = await recentOrNewDryRun(run);
  const { unit, rows, rejected } = outcome.summary;
  const preview = previewOf(run);
  if (options.yes === true) {
    for (const line of previewLines(preview, run.set.sources[0]?.mapping)) run.display.note(line);
    run.display.note(`Dry run: ${grouped(rejected)} of ${grouped(rows)} ${unit} would be rejected. Importing.`);
    return undefined;
  }
  const code = await showOutcome(run, { run_id: null, outcome, preview }, options, output);
  if (rejected === rows) {
    output.note(`Nothing imported: every ${unit.slice(0, -1)} would be rejected.`);
    return code;
  }
  if (!output.interactive) {
    output.note(
      'Nothing imported: cannot ask for confirmation (no terminal). Use --yes to import or --dry-run to validate only.',
    );
    return EXIT.usage;
  }
  const isConfirmed = await askToConfirm(
    `Import the ${grouped(rows - rejected)} ${unit} that would be accepted? An import never lowers progress: what is too high stays until the run is reverted.`,
  );
  if (!isConfirmed) output.note('Nothing imported.');
  return isConfirmed ? undefined : code;
}

interface Shown {
  /** `null` for a dry run. */
  readonly run_id: string | null;
  readonly outcome: PassOutcome;
  /** `null` where there was no dry run. */
  readonly preview: Preview | null;
}

/** Shows the summary, writes the rejected rows, and returns the exit code. */
async function showOutcome(
  run: ImportRun,
  { run_id, outcome, preview }: Shown,
  options: ImportOptions,
  output: Output,
): Promise<number> {
  const { set, survey } = run;
  const { summary, chunks, sent, resumed } = outcome;
  const dry_run = run_id === null;
  const rejected_files = await rejectedFilesOf(run, outcome, options);
  const files = set.sources.map(({ file }) => file.path);
  if (output.json) {
    output.jsonResult({
      file: files[0],
      files,
      dry_run,
      run_id,
      ...summary,
      skipped: survey.skipped + survey.withoutProgress,
      preview,
      imports_sent: sent,
      imports_resumed: resumed,
      rejected_file: rejected_files[0] ?? null,
      rejected_files,
      imports: chunks.flatMap(({ import_id }) => import_id ?? []),
    });
  } else {
    const lines = [
      ...(dry_run && preview !== null ? previewLines(preview, set.sources[0]?.mapping) : []),
      ...summaryLines(summary, dry_run),
      ...rejected_files.flatMap((path) => nextSteps(path, run_id, options)),
      ...(run_id === null ? [] : [`To take all of it back: ${ownCommand('revert', run_id)}`]),
    ];
    for (const line of lines) output.result(line);
  }
  return summary.rejected === 0 ? EXIT.allApplied : EXIT.someRejected;
}

async function rejectedFilesOf(
  { set, connection, display }: ImportRun,
  { summary, chunks }: PassOutcome,
  options: ImportOptions,
): Promise<string[]> {
  const failing = new Map(
    chunks.flatMap(({ import_id, rejected }, position) => (rejected > 0 ? [[position, import_id] as const] : [])),
  );
  if (failing.size > 0) return writeRejectedRows(set, failing, connection.client, options, display);
  for (const path of earlierRejectedFiles(set))
    display.note(`${path} is of an earlier run: no ${summary.unit.slice(0, -1)} of this one was rejected.`);
  return [];
}
