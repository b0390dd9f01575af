/** The file of rejected rows: the rows as they were, with the reasons added, to be corrected and imported again. */
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { MigrationClient } from '../../client/index.ts';
import { UsageError } from '../errors.ts';
import { checkWritable, withoutExtension } from '../../cli/files/paths.ts';
import { type Display, whileShown } from '../../cli/progress/display.ts';
import { Meter } from '../../cli/progress/meter.ts';
import { csvLine, defused } from '../source/csv-text.ts';
import type { Row } from '../source/open-source.ts';
import type { Chunk, RecordSet } from '../records/batches.ts';
import { isSpooled } from '../../cli/files/input-files.ts';
import { ADDED_COLUMNS, type Entry, type RecordSource } from '../records/record-source.ts';
import { writeRejectedFile } from '../../cli/files/rejected-file.ts';
import { repeatMessage } from './summary.ts';

/** Why a record was rejected. */
interface Rejection {
  readonly errors: readonly { readonly error_code: string; readonly message: string }[];
}

/** The rejections of an import, by position of the record; `undefined` if the chunk is of no interest. */
type RejectionsOf = (chunk: Chunk) => Promise<ReadonlyMap<number, Rejection> | undefined>;

export interface RejectedOptions {
  /** Path to write to. */
  readonly rejected?: string;
  /** No cell may be a formula. */
  readonly safeForSpreadsheets?: boolean;
}

interface RejectedTarget extends RejectedOptions {
  /** Where the hashes of the files that this command left are stored. */
  readonly folder: string;
}

/**
 * Writes the rejected rows of each file to a file of their own and returns the paths.
 *
 * @param failing the imports with rejected records, by position of the chunk
 */
export async function writeRejectedRows(
  set: RecordSet,
  failing: ReadonlyMap<number, string | null>,
  client: MigrationClient,
  options: RejectedTarget,
  display: Display,
): Promise<string[]> {
  const meter = new Meter('rejected', undefined, Date.now);
  return whileShown(display, meter, () => filesOfRejected(set, failing, client, options, meter));
}

async function filesOfRejected(
  set: RecordSet,
  failing: ReadonlyMap<number, string | null>,
  client: MigrationClient,
  options: RejectedTarget,
  meter: Meter,
): Promise<string[]> {
  const paths: string[] = [];
  for (const source of set.sources) {
    const lines = rejectedLines(
      source,
      set,
      async ({ position }) => {
        const import_id = failing.get(position);
        return typeof import_id === 'string'
          ? rejectionsOf(client, import_id)
          : import_id === null
            ? new Map()
            : undefined;
      },
      options.safeForSpreadsheets,
    );
    const first = await lines.next();
    if (first.done === true) continue;
    paths.push(
      await writeRejectedFile(
        following(first.value, lines, meter),
        {
          asked: set.sources.length === 1 ? options.rejected : undefined,
          name: rejectedName(source),
          input: source.file.path,
        },
        options.folder,
      ),
    );
  }
  return paths;
}

async function* following(first: string, lines: AsyncIterable<string>, meter: Meter): AsyncGenerator<string> {
  yield first;
  for await (const line of lines) {
    meter.add(1);
    yield line;
  }
}

/** `history.csv` → `history.rejected.csv`, beside it; the mapping of the one is found for the other. */
function rejectedName({ file: { path, format } }: RecordSource): string {
  const place = isSpooled(path) ? basename(path) : path;
  const stem = withoutExtension(place).replace(/\.rejected(-\d+)?$/, '');
  return `${stem}.rejected${format === 'csv' ? '.csv' : '.ndjson'}`;
}

/** Files of rejected rows that an earlier run has left, by the name that those of this one would have. */
export const earlierRejectedFiles = ({ sources }: RecordSet): string[] =>
  sources
    .filter((source) => existsSync(rejectedName(source)) && resolve(rejectedName(source)) !== resolve(source.file.path))
    .map(rejectedName);

/** @throws UsageError if no file can be written there; found before anything is sent */
export function checkRejectedTarget(set: RecordSet, asked: string | undefined): void {
  if (asked !== undefined && set.sources.length > 1)
    throw new UsageError(
      '--rejected names one file, but several files are imported: each has rejected rows of its own.',
    );
  for (const source of set.sources) checkWritable(asked ?? rejectedName(source), 'The rejected rows', '--rejected');
}

async function rejectionsOf(client: MigrationClient, import_id: string): Promise<Map<number, Rejection>> {
  const rejections = new Map<number, Rejection>();
  for await (const { index, errors } of client.records(import_id, { status: 'error' }))
    rejections.set(index, { errors });
  return rejections;
}

/** The lines of a file, with its header; nothing if no row of it was rejected. */
export async function* rejectedLines(
  source: RecordSource,
  set: RecordSet,
  rejectionsOf: RejectionsOf,
  isSafe = false,
): AsyncGenerator<string> {
  const { header, write } =
    source.file.format === 'csv' ? csvFormat(source, isSafe) : { header: undefined, write: ndjsonLine };
  const rejected = source.mapping?.group_by === undefined ? rejectedRows : rejectedRowsOfGroups;
  let isFirst = true;
  for await (const { row, rejection } of rejected(source, set, rejectionsOf)) {
    if (isFirst && header !== undefined) yield header;
    isFirst = false;
    yield write(row, explained(rejection, source.explain(row)));
  }
}

/** The service knows a value as it was sent; the mapping knows where it comes from and how it should look. */
function explained({ errors }: Rejection, reasons: readonly string[]): Rejection {
  const [first, ...others] = errors;
  if (first === undefined || reasons.length === 0) return { errors };
  return { errors: [{ ...first, message: `${first.message.replace(/\.$/, '')} (${reasons.join('; ')}).` }, ...others] };
}

interface RejectedRow {
  readonly row: Row;
  readonly rejection: Rejection;
}

/** Rejections are read chunk by chunk, never all at once. */
async function* rejectedRows(
  source: RecordSource,
  set: RecordSet,
  rejectionsOf: RejectionsOf,
): AsyncGenerator<RejectedRow> {
  for await (const chunk of set.chunks()) {
    if (chunk.source !== source) continue;
    const rejected = await rejectedEntries(chunk, rejectionsOf);
    yield* rejected.map(({ entry: { row }, rejection }) => ({ row, rejection }));
  }
}

/** All rows of each rejected record, so that the corrected file holds the whole record. */
async function* rejectedRowsOfGroups(
  source: RecordSource,
  set: RecordSet,
  rejectionsOf: RejectionsOf,
): AsyncGenerator<RejectedRow> {
  const byRow = new Map<number, Rejection>();
  for await (const chunk of set.chunks()) {
    if (chunk.source !== source) continue;
    for (const { entry, rejection } of await rejectedEntries(chunk, rejectionsOf))
      for (const number of entry.joined ?? []) byRow.set(number, rejection);
  }
  let number = 0;
  for await (const row of source.rows()) {
    const rejection = byRow.get(number);
    if (rejection !== undefined) yield { row, rejection };
    number += 1;
  }
}

async function rejectedEntries(
  chunk: Chunk,
  rejectionsOf: RejectionsOf,
): Promise<{ entry: Entry; rejection: Rejection }[]> {
  const rejections = await rejectionsOf(chunk);
  if (rejections === undefined) return [];
  const sent = chunk.entries.flatMap((entry, position) => {
    const rejection = rejections.get(position);
    return rejection === undefined ? [] : [{ entry, rejection }];
  });
  const repeated = chunk.repeats.map((repeat) => ({
    entry: repeat.entry,
    rejection: { errors: [{ error_code: 'duplicate_external_record_id', message: repeatMessage(repeat) }] },
  }));
  if (repeated.length === 0) return sent;
  return [...sent, ...repeated].toSorted((a, b) => a.entry.row.line - b.entry.row.line);
}

/** The values of the added columns. */
function addedCells(line: number, { errors }: Rejection): [codes: string, messages: string] {
  const codes = [...new Set(errors.map(({ error_code }) => error_code))];
  const messages = errors.map(({ message }) => message).join('; ');
  return [codes.join(' '), line === 0 ? messages : `line ${line}: ${messages}`];
}

/** What we add is never a formula. What is in the file is, so that it can be imported again, unless `isSafe`. */
function csvFormat({ file }: RecordSource, isSafe: boolean) {
  const { columns, delimiter, crlf, bom, encoding } = file;
  const end = crlf ? '\r\n' : '\n';
  const kept = columns.flatMap((name, index) => (ADDED_COLUMNS.includes(name) ? [] : [index]));
  // The output is UTF-8, which spreadsheets assume only after a byte-order mark.
  const own = isSafe ? defused : (cell: string) => cell;
  const mark = bom || encoding !== 'utf-8' ? '\u{feff}' : '';
  const line = (cells: readonly string[], added: readonly string[]) =>
    csvLine([...kept.map((index) => own(cells[index] ?? '')), ...added.map(defused)], delimiter) + end;
  return {
    header: mark + line(columns, ADDED_COLUMNS),
    write: (row: Row, rejection: Rejection) => line(row.cells ?? [], addedCells(row.line, rejection)),
  };
}

/** @param row line 0 of a record whose file is not known */
export function ndjsonLine({ line, value }: Row, rejection: Rejection): string {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const [error_codes, error_messages] = addedCells(line, rejection);
  return `${JSON.stringify({ ...(isObject ? value : { record: value }), error_codes, error_messages })}\n`;
}
