import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { configFolder, journalFolder } from '../config-folder.ts';
import { type Connection, connect } from '../connect.ts';
import { EXIT, UsageFault } from '../faults.ts';
import { originOf } from '../import/journal.ts';
import { openReading, type ReadingOptions } from '../import/open-reading.ts';
import type { Reading } from '../import/reading.ts';
import { RejectedFile } from '../import/rejected-file.ts';
import { added, ndjsonLine, rejectedLines } from '../import/rejected-rows.ts';
import { rejectionsFrom } from '../import/rejections.ts';
import { summaryLines } from '../import/summary.ts';
import { TallySheet } from '../import/tally.ts';
import type { Import } from '../../client/index.ts';
import { ServiceError } from '../../client/index.ts';
import { isExternalIdText } from '../../../functions/records/identifiers.ts';
import type { Output } from '../output.ts';

export interface ReportOptions extends ReadingOptions {
  /** The file the imports came from, where this machine does not remember it. */
  readonly file?: string;
  readonly rejected?: string;
}

const PATIENCE_MS = 5 * 60_000;

/** What is kept of an import while the file is read again. */
interface Reported {
  readonly import_id: string;
  readonly rejected: number;
  /** Tells the chunk of the file it came from. */
  readonly fingerprint: string;
}

/** `report IMPORT_ID…`: the summary and the rejected rows of imports that were made before. */
export async function report(import_ids: readonly string[], options: ReportOptions, output: Output): Promise<number> {
  const connection = await connect(output, { patienceMs: PATIENCE_MS });
  const tally = new TallySheet();
  const reported: Reported[] = [];
  let isDryRun = true;
  for (const import_id of import_ids) {
    const ended = await readImport(connection, import_id);
    tally.add(ended);
    isDryRun &&= ended.dry_run;
    reported.push({
      import_id,
      rejected: ended.counts.failed,
      fingerprint: fingerprint(ended.records.map((each) => each.external_record_id)),
    });
  }
  const failing = reported.filter(({ rejected }) => rejected > 0);
  const rejected_file = failing.length === 0 ? null : await writeRejected(failing, connection, options);
  const total = tally.total();
  if (output.json) output.jsonResult({ dry_run: isDryRun, ...total, rejected_file, imports: import_ids });
  else {
    for (const line of summaryLines(total, isDryRun)) output.result(line);
    if (rejected_file !== null) output.result(`The rejected rows are in ${rejected_file}, with the reasons.`);
  }
  return total.rejected === 0 ? EXIT.allApplied : EXIT.someRejected;
}

async function readImport({ client }: Connection, import_id: string): Promise<Import> {
  try {
    return await client.waitForImport(import_id);
  } catch (error) {
    if (error instanceof ServiceError && error.has('import_not_found'))
      throw new UsageFault(`there is no import ${import_id}`);
    throw error;
  }
}

/** In the columns they came in where the file is at hand, else as the records that were sent. */
async function writeRejected(
  failing: readonly Reported[],
  connection: Connection,
  options: ReportOptions,
): Promise<string> {
  const reading = await originalReading(failing, options);
  const byChunk = reading === undefined ? undefined : await chunksOf(reading, failing);
  const { lines, name, input } =
    reading !== undefined && byChunk?.size === failing.length
      ? {
          lines: rejectedLines(
            reading,
            rejectionsFrom(connection.client, (chunk) => byChunk.get(chunk)),
          ),
          name: reading.source.format === 'csv' ? 'rejected.csv' : 'rejected.ndjson',
          input: reading.source.path,
        }
      : { lines: recordLines(failing, connection), name: 'rejected.ndjson', input: '' };
  return new RejectedFile(configFolder()).write(lines, { asked: options.rejected, name, input });
}

async function originalReading([first]: readonly Reported[], options: ReportOptions): Promise<Reading | undefined> {
  if (options.file !== undefined) return openReading(options.file, options);
  const origin = first === undefined ? undefined : originOf(journalFolder(), first.import_id);
  if (origin === undefined || !existsSync(origin.file)) return undefined;
  return openReading(origin.file, {
    ...origin.options,
    ...(origin.mapping === null ? {} : { mapping: origin.mapping }),
  });
}

/** The chunk of the file that each import came from: the one with the same record ids in the same order. */
async function chunksOf(reading: Reading, failing: readonly Reported[]): Promise<Map<number, string>> {
  const wanted = new Map(failing.map(({ fingerprint, import_id }) => [fingerprint, import_id]));
  const found = new Map<number, string>();
  for await (const { index, records } of reading.chunks()) {
    const print = fingerprint(records.map(recordId));
    const import_id = wanted.get(print);
    if (import_id === undefined) continue;
    found.set(index, import_id);
    wanted.delete(print);
  }
  return found;
}

/** As the service gives it back: `null` where it is no usable text. */
function recordId(record: unknown): string | null {
  const id =
    typeof record === 'object' && record !== null
      ? (record as Record<string, unknown>)['external_record_id']
      : undefined;
  return isExternalIdText(id) ? id : null;
}

const fingerprint = (ids: readonly (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(ids)).digest('hex');

async function* recordLines(failing: readonly Reported[], { client }: Connection): AsyncGenerator<string> {
  for (const { import_id } of failing) {
    for await (const { record, errors } of client.records(import_id, { status: 'error', include: 'record' })) {
      yield ndjsonLine({ value: record }, added({ errors }));
    }
  }
}
