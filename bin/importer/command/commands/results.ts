import { existsSync } from 'node:fs';
import { type Import, type MigrationClient, ServiceError } from '../../client/index.ts';
import { UsageError } from '../../engine/errors.ts';
import { recordSetOf } from '../../engine/records/record-set.ts';
import type { RecordSource } from '../../engine/records/record-source.ts';
import type { Origin } from '../../engine/run/journal.ts';
import { type FailingImport, ndjsonLine, OtherRecords, positionsOf } from '../../engine/run/rejected-rows.ts';
import { SummaryBuilder, summaryLines } from '../../engine/run/summary.ts';
import { type Unmatched, unmatchedLines, UnmatchedTally } from '../../engine/run/unmatched.ts';
import { NO_REJECTED_ROWS } from '../import-lines.ts';
import { type CommandContext, fileCommand, type OptionsOf, type RunCommand } from '../command.ts';
import { EXIT } from '../errors.ts';
import { journalFolder } from '../files/config-folder.ts';
import { journalOfImport } from '../files/journal-file.ts';
import { openRecordFile, type RecordFileOptions } from '../files/records.ts';
import { type RejectedOptions, writeRejectedFile, writeRejectedRows } from '../files/rejected-file.ts';
import { displayOn, whileCounting } from '../progress/display.ts';
import { connect } from '../session/session.ts';
import { type Output, printResult } from '../terminal.ts';
import { importsOfRun } from '../run-imports.ts';

const declared = () =>
  fileCommand('results', 'show the results of earlier imports', ['results --run spring --rejected rejected.csv'])
    .argument('[import_id...]')
    .option('--run <name>', 'the imports of this run')
    .option('--file <file>', 'file that the imports came from')
    .option('--mapping <file>', 'mapping that was used')
    .option('--rejected <file>', 'file to write the rejected rows to')
    .option(
      '--safe-for-spreadsheets',
      'in rejected rows of CSV, write an apostrophe before what a spreadsheet would run',
    );

type ResultOptions = OptionsOf<typeof declared, Omit<RecordFileOptions, 'set'> & RejectedOptions> &
  Pick<CommandContext, 'folder'>;

export const command = (run: RunCommand) =>
  declared().action((import_ids, options) =>
    run(options, async (context) => {
      const { client } = await connect(context);
      return showResults(import_ids, { ...options, folder: context.folder }, client, context.output);
    }),
  );

/** `results IMPORT_ID…`: the summary and the rejected rows of earlier imports. */
export async function showResults(
  asked: readonly string[],
  options: ResultOptions,
  client: MigrationClient,
  output: Output,
): Promise<number> {
  const import_ids = await idsOf(client, asked, options);
  const builder = new SummaryBuilder();
  const failing: FailingImport[] = [];
  let isDryRun = true;
  await whileCounting(displayOn(process.stderr), 'reading', async (add) => {
    for (const import_id of import_ids) {
      const { records, counts, dry_run } = await readImport(client, import_id);
      builder.add({ records });
      add(counts.total);
      isDryRun &&= dry_run;
      const ids = records.flatMap(({ external_record_id }) => external_record_id ?? []);
      if (counts.failed > 0) failing.push({ import_id, external_record_id: ids[0] ?? null });
    }
  });
  const { path: rejected_file, sums } =
    failing.length === 0 ? { path: null, sums: NO_REJECTED_ROWS.sums } : await writeRejected(failing, client, options);
  const summary = builder.summary();
  printResult(output, { dry_run: isDryRun, ...summary, unmatched: sums, rejected_file, imports: import_ids }, [
    ...summaryLines(summary, isDryRun),
    ...unmatchedLines(sums),
    ...(rejected_file === null ? [] : [`The rejected rows are in ${rejected_file}, with the reasons.`]),
  ]);
  return summary.rejected === 0 ? EXIT.allApplied : EXIT.someRejected;
}

async function idsOf(client: MigrationClient, asked: readonly string[], { run }: ResultOptions): Promise<string[]> {
  const ofRun = run === undefined ? [] : await importsOfRun(client, run);
  if (asked.length + ofRun.length === 0)
    throw new UsageError('Name imports by their ids, or a run with --run NAME. The command "runs" lists both.');
  return [...asked, ...ofRun.map(({ import_id }) => import_id)];
}

async function readImport(client: MigrationClient, import_id: string): Promise<Import> {
  try {
    return await client.waitForImport(import_id);
  } catch (error) {
    if (error instanceof ServiceError && error.has('import_not_found'))
      throw new UsageError(`There is no import ${import_id}.`);
    throw error;
  }
}

interface Rejected {
  readonly path: string | null;
  /** What the platform has no course or no learner for. */
  readonly sums: Unmatched;
}

/** In the original columns if the file is available, else as the records that were sent. */
async function writeRejected(
  failing: readonly FailingImport[],
  client: MigrationClient,
  options: ResultOptions,
): Promise<Rejected> {
  const original = await writeOriginalRows(failing, client, options);
  if (original !== undefined) return original;
  const target = { asked: options.rejected, name: 'rejected.ndjson', input: '' };
  const tally = new UnmatchedTally();
  const path = await writeRejectedFile(sentRecords(failing, client, tally), target, options.folder);
  return { path: path ?? null, sums: tally.unmatched() };
}

/** Writes nothing and returns `undefined` if there is no file with these records. */
async function writeOriginalRows(
  failing: readonly FailingImport[],
  client: MigrationClient,
  options: ResultOptions,
): Promise<Rejected | undefined> {
  const import_id = failing[0]?.import_id ?? '';
  const journal =
    options.file === undefined ? await journalOfImport(journalFolder(options.folder), import_id) : undefined;
  const source = await originalRecords(journal?.origin, options);
  if (source === undefined) return undefined;
  const set = await recordSetOf([source], async () => client);
  const positions = await positionsOf(set, failing, journal);
  if (positions.size < failing.length) return undefined;
  try {
    const { rejected, sums } = await writeRejectedRows(set, positions, client, options, displayOn(process.stderr));
    return rejected[0] === undefined ? undefined : { path: rejected[0], sums };
  } catch (error) {
    if (error instanceof OtherRecords) return undefined;
    throw error;
  }
}

/** The file that is named, else the file of the journal. */
async function originalRecords(origin: Origin | undefined, options: ResultOptions): Promise<RecordSource | undefined> {
  if (options.file !== undefined) return openRecordFile(options.file, options);
  if (origin === undefined || !existsSync(origin.file)) return undefined;
  const mapping = origin.mapping === null ? {} : { mapping: origin.mapping };
  return openRecordFile(origin.file, { ...origin.options, ...mapping });
}

async function* sentRecords(
  failing: readonly FailingImport[],
  client: MigrationClient,
  tally: UnmatchedTally,
): AsyncGenerator<string> {
  for (const { import_id } of failing) {
    for await (const { record, errors } of client.records(import_id, { status: 'error', include: 'record' })) {
      tally.add({ record }, errors);
      yield ndjsonLine({ line: 0, value: record }, { errors });
    }
  }
}
