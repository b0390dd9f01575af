import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isExternalIdText } from '../../../functions/records/identifiers.ts';
import { type Import, type MigrationClient, ServiceError } from '../../client/index.ts';
import { journalFolder } from '../files/config-folder.ts';
import { type CommandContext, fileCommand, type OptionsOf, type RunCommand } from '../command.ts';
import { EXIT } from '../errors.ts';
import { UsageError } from '../../importer/errors.ts';
import { connect } from '../session/session.ts';
import { displayOn, whileShown } from '../progress/display.ts';
import { Meter } from '../progress/meter.ts';
import { importsOfRun } from '../runs.ts';
import { originOf } from '../../importer/run/journal.ts';
import { RecordSet } from '../../importer/records/batches.ts';
import { loadTitles } from '../../importer/records/class-titles.ts';
import { openRecordFile, type RecordFileOptions } from '../files/records.ts';
import { writeRejectedFile } from '../files/rejected-file.ts';
import { ndjsonLine, type RejectedOptions, writeRejectedRows } from '../../importer/run/rejected-rows.ts';
import { SummaryBuilder, summaryLines } from '../../importer/run/summary.ts';

const declared = () =>
  fileCommand('report', 'show the results of earlier imports', ['report --run spring --rejected rejected.csv'])
    .argument('[import_id...]')
    .option('--run <name>', 'the imports of this run')
    .option('--file <file>', 'file that the imports came from')
    .option('--mapping <file>', 'mapping that was used')
    .option('--rejected <file>', 'file to write the rejected rows to')
    .option(
      '--safe-for-spreadsheets',
      'in rejected rows of CSV, write an apostrophe before what a spreadsheet would run',
    );

type ReportOptions = OptionsOf<typeof declared, Omit<RecordFileOptions, 'set'> & RejectedOptions> &
  Pick<CommandContext, 'folder'>;

export const command = (run: RunCommand) =>
  declared().action((import_ids, options) =>
    run(options, (context) => report(import_ids, { ...options, folder: context.folder }, context)),
  );

interface ReportedImport {
  readonly import_id: string;
  readonly rejected: number;
  /** Identifies the chunk of the file that the import came from. */
  readonly fingerprint: string;
}

/** `report IMPORT_ID…`: the summary and the rejected rows of earlier imports. */
async function report(asked: readonly string[], options: ReportOptions, context: CommandContext): Promise<number> {
  const { output } = context;
  const { client } = await connect(context);
  const import_ids = await idsOf(client, asked, options);
  const builder = new SummaryBuilder();
  const reported: ReportedImport[] = [];
  let isDryRun = true;
  const display = displayOn(process.stderr);
  const meter = new Meter('reading', undefined, Date.now);
  await whileShown(display, meter, async () => {
    for (const import_id of import_ids) {
      const { records, counts, dry_run } = await readImport(client, import_id);
      builder.add({ records });
      meter.add(counts.total);
      isDryRun &&= dry_run;
      const fingerprint = fingerprintOf(records.map((each) => each.external_record_id));
      reported.push({ import_id, rejected: counts.failed, fingerprint });
    }
  });
  const failing = reported.filter(({ rejected }) => rejected > 0);
  const rejected_file = failing.length === 0 ? null : await writeRejected(failing, client, options);
  const summary = builder.summary();
  if (output.json) output.jsonResult({ dry_run: isDryRun, ...summary, rejected_file, imports: import_ids });
  else {
    for (const line of summaryLines(summary, isDryRun)) output.result(line);
    if (rejected_file !== null) output.result(`The rejected rows are in ${rejected_file}, with the reasons.`);
  }
  return summary.rejected === 0 ? EXIT.allApplied : EXIT.someRejected;
}

async function idsOf(client: MigrationClient, asked: readonly string[], { run }: ReportOptions): Promise<string[]> {
  const ofRun = run === undefined ? [] : await importsOfRun(client, run);
  if (asked.length + ofRun.length === 0)
    throw new UsageError('Name imports by their ids, or a run with --run NAME. The command "imports" lists both.');
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

/** In the original columns if the file is available, else as the records that were sent. */
async function writeRejected(
  failing: readonly ReportedImport[],
  client: MigrationClient,
  options: ReportOptions,
): Promise<string> {
  const set = await originalRecords(failing, options);
  if (set !== undefined) {
    await loadTitles(set, async () => client);
    const byChunk = await chunksOf(set, failing);
    const [path] =
      byChunk.size === failing.length
        ? await writeRejectedRows(set, byChunk, client, options, displayOn(process.stderr))
        : [];
    if (path !== undefined) return path;
  }
  const target = { asked: options.rejected, name: 'rejected.ndjson', input: '' };
  return writeRejectedFile(sentRecords(failing, client), target, options.folder);
}

async function originalRecords(
  [first]: readonly ReportedImport[],
  options: ReportOptions,
): Promise<RecordSet | undefined> {
  if (options.file !== undefined) return new RecordSet([await openRecordFile(options.file, options)]);
  const origin = first === undefined ? undefined : originOf(journalFolder(options.folder), first.import_id);
  if (origin === undefined || !existsSync(origin.file)) return undefined;
  const mapping = origin.mapping === null ? {} : { mapping: origin.mapping };
  return new RecordSet([await openRecordFile(origin.file, { ...origin.options, ...mapping })]);
}

/** The imports by chunk of the file: the chunk with the same record ids in the same order. */
async function chunksOf(set: RecordSet, failing: readonly ReportedImport[]): Promise<Map<number, string>> {
  const wanted = new Map(failing.map(({ fingerprint, import_id }) => [fingerprint, import_id]));
  const found = new Map<number, string>();
  for await (const { position, records } of set.chunks()) {
    const fingerprint = fingerprintOf(records.map(recordId));
    const import_id = wanted.get(fingerprint);
    if (import_id === undefined) continue;
    found.set(position, import_id);
    wanted.delete(fingerprint);
  }
  return found;
}

/** As the service returns it: `null` if the record has no valid id. */
function recordId(record: unknown): string | null {
  const id =
    typeof record === 'object' && record !== null
      ? (record as Record<string, unknown>)['external_record_id']
      : undefined;
  return isExternalIdText(id) ? id : null;
}

const fingerprintOf = (ids: readonly (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(ids)).digest('hex');

async function* sentRecords(failing: readonly ReportedImport[], client: MigrationClient): AsyncGenerator<string> {
  for (const { import_id } of failing) {
    for await (const { record, errors } of client.records(import_id, { status: 'error', include: 'record' }))
      yield ndjsonLine({ line: 0, value: record }, { errors });
  }
}
