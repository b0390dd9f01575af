import { type Connection, connect } from '../connect.ts';
import { journalFolder } from '../config-folder.ts';
import { EXIT } from '../faults.ts';
import { Journal } from '../import/journal.ts';
import { openReading, type ReadingOptions } from '../import/open-reading.ts';
import type { Reading } from '../import/reading.ts';
import type { RunOutcome } from '../import/run-chunks.ts';
import { Runner } from '../import/runner.ts';
import { type Survey, survey } from '../import/survey.ts';
import { tellOutcome } from '../import/tell-outcome.ts';
import type { Output } from '../output.ts';
import { type Display, displayOn } from '../progress/display.ts';
import { grouped } from '../progress/words.ts';
import { Waiting } from '../progress/waiting.ts';
import { askToConfirm } from '../prompts.ts';

export interface ImportOptions extends ReadingOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  /** Uploads at once. */
  readonly parallel: number;
  /** Which attempt at the same file this is; another one makes the service judge anew. */
  readonly attempt: number;
  /** Minutes to wait for a service that is away. */
  readonly patience: number;
  readonly rejected?: string;
}

/**
 * `import FILE`: look through the file, try it (dry run), ask, import, report.
 * Run again after any interruption it goes on where it stopped.
 */
export async function importFile(file: string, options: ImportOptions, output: Output): Promise<number> {
  const display = displayOn(process.stderr);
  const reading = await openReading(file, options);
  const surveyed = await survey(reading);
  display.note(described(reading, surveyed));
  const waiting = new Waiting((text) => display.note(text), Date.now);
  const onWait = (reason: string, delayMs: number) => waiting.wait(reason, delayMs);
  const connection = await connect(output, { patienceMs: options.patience * 60_000, onWait });
  const journal = openJournal(reading, connection, options);
  const runner = new Runner({
    connection,
    reading,
    survey: surveyed,
    journal,
    display,
    waiting,
    parallel: options.parallel,
  });
  return new ImportSteps({
    runner,
    journal,
    reading,
    connection,
    options,
    output,
    display,
    rows: surveyed.rows,
  }).take();
}

function openJournal(
  reading: Reading,
  { login }: Connection,
  { attempt, format, encoding, delimiter }: ImportOptions,
): Journal {
  const { base_url, company_id } = login;
  const { source, mappingHash, mappingPath = null } = reading;
  const given = { ...(format && { format }), ...(encoding && { encoding }), ...(delimiter && { delimiter }) };
  return Journal.open(journalFolder(), [base_url, company_id, source.hash, mappingHash, String(attempt)], {
    file: source.path,
    mapping: mappingPath,
    options: given,
    base_url,
    company_id,
  });
}

function described({ source }: Reading, { rows, digests }: Survey): string {
  const form =
    source.format === 'csv'
      ? `CSV, ${source.encoding}, columns separated by ${JSON.stringify(source.delimiter)}`
      : source.format;
  return `${source.path}: ${form}; ${grouped(rows)} rows in ${grouped(digests.length)} ${digests.length === 1 ? 'import' : 'imports'}`;
}

interface Steps {
  readonly runner: Runner;
  readonly journal: Journal;
  readonly reading: Reading;
  readonly connection: Connection;
  readonly options: ImportOptions;
  readonly output: Output;
  readonly display: Display;
  readonly rows: number;
}

class ImportSteps {
  readonly #steps: Steps;

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  async take(): Promise<number> {
    const { options, journal, display } = this.#steps;
    const run = String(options.attempt);
    const begun = journal.accepted(run).size;
    if (options.dryRun === true) return this.#tell(await this.#dryRun(), true);
    if (begun > 0)
      display.note(`Going on with an import that was begun: ${grouped(begun)} parts were accepted before.`);
    else {
      const stopped = await this.#rehearse();
      if (stopped !== undefined) return stopped;
    }
    const outcome = await this.#steps.runner.import(run);
    if (outcome.sent === 0) {
      display.note(
        'The service has had this file before; these are its results. To have it judged anew, say --attempt 2.',
      );
    }
    return this.#tell(outcome, false);
  }

  async #dryRun(): Promise<RunOutcome> {
    const { journal, runner } = this.#steps;
    const run = journal.beginDryRun();
    const outcome = await runner.dryRun(run);
    journal.endDryRun(run);
    return outcome;
  }

  /** The dry run before an import; an exit code where that was all. */
  async #rehearse(): Promise<number | undefined> {
    const { options, output, display, rows } = this.#steps;
    const outcome = await this.#dryRun();
    const { rejected } = outcome.tally;
    if (options.yes === true) {
      display.note(`Dry run: ${grouped(rejected)} of ${grouped(rows)} rows would be rejected. Importing.`);
      return undefined;
    }
    const code = await this.#tell(outcome, true);
    if (rejected === rows) {
      output.note('Nothing has been imported: no row would be accepted.');
      return code;
    }
    if (!output.interactive) {
      output.note(
        'Nothing has been imported: nobody can be asked here. Say --yes to import, or --dry-run if this was all.',
      );
      return EXIT.usage;
    }
    const goOn = await askToConfirm(`Import the ${grouped(rows - rejected)} rows that would be accepted?`);
    if (!goOn) output.note('Nothing has been imported.');
    return goOn ? undefined : code;
  }

  #tell(outcome: RunOutcome, dry_run: boolean): Promise<number> {
    const { reading, connection, options, output } = this.#steps;
    return tellOutcome({ outcome, dry_run, reading, connection, output, rejected: options.rejected });
  }
}
