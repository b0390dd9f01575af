import { journalFolder } from '../config-folder.ts';
import { EXIT } from '../errors.ts';
import { type Connection, connect } from '../login/session.ts';
import { displayOn, OutageNotice } from '../progress/display.ts';
import { grouped } from '../progress/meter.ts';
import { askToConfirm, type Output } from '../terminal.ts';
import { type ImportRun, type PassOutcome, runPass, type Survey, surveyOf } from './import-run.ts';
import { Journal } from './journal.ts';
import { openRecords, type RecordSource, type RecordSourceOptions } from './record-source.ts';
import { writeRejectedRows } from './rejected-rows.ts';
import { summaryLines } from './summary.ts';

export interface ImportOptions extends RecordSourceOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  /** Uploads at once. */
  readonly parallel: number;
  /** Number of the attempt at the same file; a new number imports it again. */
  readonly attempt: number;
  /** Minutes to wait for a service that is unreachable. */
  readonly patience: number;
  readonly rejected?: string;
}

/**
 * `import FILE`: reads the whole file, makes a dry run, asks, imports, and shows the results. After an interruption the same
 * command resumes.
 */
export async function importFile(path: string, options: ImportOptions, output: Output): Promise<number> {
  const display = displayOn(process.stderr);
  const source = await openRecords(path, options);
  const survey = await surveyOf(source);
  display.note(description(source, survey));
  const outage = new OutageNotice((text) => display.note(text), Date.now);
  const connection = await connect(output, {
    patienceMs: options.patience * 60_000,
    onWait: (reason, delayMs) => outage.waiting(reason, delayMs),
  });
  const journal = openJournal(source, connection, options);
  const run: ImportRun = { connection, source, survey, journal, display, outage, parallel: options.parallel };

  const id = String(options.attempt);
  const accepted = journal.accepted(id).size;
  if (options.dryRun === true) return showOutcome(run, true, await dryRun(run), options, output);
  if (accepted > 0) {
    display.note(`Resuming: ${grouped(accepted)} ${accepted === 1 ? 'batch was' : 'batches were'} already accepted.`);
  } else {
    const stopped = await confirmByDryRun(run, options, output);
    if (stopped !== undefined) return stopped;
  }
  const outcome = await runPass(run, { dry_run: false, id });
  if (outcome.sent === 0) {
    display.note(
      `This file was imported before; showing those results. To import it again, use --attempt ${options.attempt + 1}.`,
    );
  }
  return showOutcome(run, false, outcome, options, output);
}

function openJournal(
  { file, mappingHash, mappingPath }: RecordSource,
  { login: { base_url, company_id } }: Connection,
  { attempt, format, encoding, delimiter }: ImportOptions,
): Journal {
  const given = { ...(format && { format }), ...(encoding && { encoding }), ...(delimiter && { delimiter }) };
  return Journal.open(journalFolder(), [base_url, company_id, file.hash, mappingHash, String(attempt)], {
    file: file.path,
    mapping: mappingPath ?? null,
    options: given,
    base_url,
    company_id,
  });
}

function description({ file }: RecordSource, { rows, digests }: Survey): string {
  const format =
    file.format === 'csv'
      ? `CSV, ${file.encoding}, columns separated by ${JSON.stringify(file.delimiter)}`
      : file.format;
  const batches = digests.length === 1 ? 'batch' : 'batches';
  return `${file.path}: ${format}; ${grouped(rows)} rows in ${grouped(digests.length)} ${batches}`;
}

async function dryRun(run: ImportRun): Promise<PassOutcome> {
  const id = run.journal.beginDryRun();
  const outcome = await runPass(run, { dry_run: true, id });
  run.journal.endDryRun(id);
  return outcome;
}

/** The dry run before an import. Returns an exit code if nothing is to be imported. */
async function confirmByDryRun(run: ImportRun, options: ImportOptions, output: Output): Promise<number | undefined> {
  const outcome = await dryRun(run);
  const { rows, rejected } = outcome.summary;
  if (options.yes === true) {
    run.display.note(`Dry run: ${grouped(rejected)} of ${grouped(rows)} rows would be rejected. Importing.`);
    return undefined;
  }
  const code = await showOutcome(run, true, outcome, options, output);
  if (rejected === rows) {
    output.note('Nothing imported: every row would be rejected.');
    return code;
  }
  if (!output.interactive) {
    output.note(
      'Nothing imported: cannot ask for confirmation (no terminal). Use --yes to import or --dry-run to validate only.',
    );
    return EXIT.usage;
  }
  const isConfirmed = await askToConfirm(`Import the ${grouped(rows - rejected)} rows that would be accepted?`);
  if (!isConfirmed) output.note('Nothing imported.');
  return isConfirmed ? undefined : code;
}

/** Shows the summary, writes the rejected rows, and returns the exit code. */
async function showOutcome(
  { source, connection }: ImportRun,
  dry_run: boolean,
  { summary, chunks, sent, resumed }: PassOutcome,
  options: ImportOptions,
  output: Output,
): Promise<number> {
  const failing = new Map(
    chunks.flatMap(({ import_id, rejected }, index) => (rejected > 0 ? [[index, import_id] as const] : [])),
  );
  const rejected_file =
    failing.size === 0 ? null : await writeRejectedRows(source, failing, connection.client, options.rejected);
  if (output.json) {
    output.jsonResult({
      file: source.file.path,
      dry_run,
      ...summary,
      imports_sent: sent,
      imports_resumed: resumed,
      rejected_file,
      imports: chunks.map(({ import_id }) => import_id),
    });
  } else {
    for (const line of summaryLines(summary, dry_run)) output.result(line);
    if (rejected_file !== null) for (const line of nextSteps(source, rejected_file, dry_run)) output.result(line);
  }
  return summary.rejected === 0 ? EXIT.allApplied : EXIT.someRejected;
}

function nextSteps({ mappingPath }: RecordSource, path: string, dry_run: boolean): string[] {
  if (dry_run) return [`The rows that would be rejected are in ${path}, with the reasons.`];
  const mapping = mappingPath === undefined ? '' : ` --mapping ${mappingPath}`;
  return [
    `The rejected rows are in ${path}, with the reasons. Correct them there, then run:`,
    `  npx course-progress-migration import ${path}${mapping}`,
  ];
}
