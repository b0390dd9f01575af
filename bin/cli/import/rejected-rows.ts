/** The file of rejected rows: the rows as they were, with the reasons added, to be corrected and imported again. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MigrationClient } from '../../client/index.ts';
import { configFolder, writePrivateFile } from '../config-folder.ts';
import { UsageError } from '../errors.ts';
import type { Row } from '../source/open-source.ts';
import { ADDED_COLUMNS, type RecordSource } from './record-source.ts';

/** Why a record was rejected. */
export interface Rejection {
  readonly errors: readonly { readonly error_code: string; readonly message: string }[];
}

/** The rejections of a chunk, by position in it; `undefined` if there are none. */
export type RejectionsOf = (chunk: number) => Promise<ReadonlyMap<number, Rejection> | undefined>;

/**
 * Writes the rejected rows of a file and returns the path.
 *
 * @param failing the imports with rejected rows, by chunk
 * @param asked path to write to, if the user named one
 */
export function writeRejectedRows(
  source: RecordSource,
  failing: ReadonlyMap<number, string>,
  client: MigrationClient,
  asked: string | undefined,
): Promise<string> {
  const { format, path: input } = source.file;
  const lines = rejectedLines(source, async (chunk) => {
    const import_id = failing.get(chunk);
    return import_id === undefined ? undefined : rejectionsOf(client, import_id);
  });
  return writeRejectedFile(lines, { asked, name: format === 'csv' ? 'rejected.csv' : 'rejected.ndjson', input });
}

async function rejectionsOf(client: MigrationClient, import_id: string): Promise<Map<number, Rejection>> {
  const rejections = new Map<number, Rejection>();
  for await (const { index, errors } of client.records(import_id, { status: 'error' }))
    rejections.set(index, { errors });
  return rejections;
}

/** The lines of the file, with its header. Rejections are read chunk by chunk, never all at once. */
export async function* rejectedLines(source: RecordSource, rejectionsOf: RejectionsOf): AsyncGenerator<string> {
  const { header, write } = source.file.format === 'csv' ? csvFormat(source) : { header: undefined, write: ndjsonLine };
  if (header !== undefined) yield header;
  for await (const { index, rows } of source.chunks()) {
    const rejections = await rejectionsOf(index);
    if (rejections === undefined) continue;
    for (const [position, row] of rows.entries()) {
      const rejection = rejections.get(position);
      if (rejection !== undefined) yield write(row, rejection);
    }
  }
}

/** The values of the added columns. */
function addedCells({ errors }: Rejection): [codes: string, messages: string] {
  const codes = [...new Set(errors.map(({ error_code }) => error_code))];
  return [codes.join(' '), errors.map(({ message }) => message).join('; ')];
}

function csvFormat({ file }: RecordSource) {
  const { columns, delimiter, crlf, bom, encoding } = file;
  const end = crlf ? '\r\n' : '\n';
  const kept = columns.flatMap((name, index) => (ADDED_COLUMNS.includes(name) ? [] : [index]));
  // The output is UTF-8, which spreadsheets assume only after a byte-order mark.
  const mark = bom || encoding !== 'utf-8' ? '\u{feff}' : '';
  const line = (cells: readonly string[], added: readonly string[]) =>
    csvLine([...kept.map((index) => cells[index] ?? ''), ...added], delimiter) + end;
  return {
    header: mark + line(columns, ADDED_COLUMNS),
    write: ({ cells = [] }: Row, rejection: Rejection) => line(cells, addedCells(rejection)),
  };
}

/** One line of CSV, with quotes only where they are needed (RFC 4180). */
export function csvLine(cells: readonly string[], delimiter: string): string {
  return cells.map((cell) => quoted(cell, delimiter)).join(delimiter);
}

function quoted(cell: string, delimiter: string): string {
  const isPlain = !cell.includes(delimiter) && !/["\r\n]|^\s|\s$/.test(cell);
  return isPlain ? cell : `"${cell.replaceAll('"', '""')}"`;
}

export function ndjsonLine({ value }: Pick<Row, 'value'>, rejection: Rejection): string {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const [error_codes, error_messages] = addedCells(rejection);
  return `${JSON.stringify({ ...(isObject ? value : { record: value }), error_codes, error_messages })}\n`;
}

interface Target {
  /** Path to write to, even if a file exists there; else `name` in the working folder. */
  readonly asked: string | undefined;
  readonly name: string;
  /** Path that is never overwritten. */
  readonly input: string;
}

/**
 * Writes a file of rejected rows and returns its path. A file that somebody may have edited is never overwritten: if one with
 * the name exists and is not as this command left it, the next free number is taken.
 *
 * @param folder where the hashes of the files that this command left are stored
 */
export async function writeRejectedFile(
  lines: AsyncIterable<string>,
  { asked, name, input }: Target,
  folder: string = configFolder(),
): Promise<string> {
  if (asked !== undefined && resolve(asked) === resolve(input))
    throw new UsageError(`--rejected ${asked} would overwrite the file that is imported. Name another file.`);
  const ledger = join(folder, 'rejected-files.json');
  const draft = `${resolve(asked ?? name)}.${process.pid}.part`;
  try {
    await pipeline(Readable.from(lines), createWriteStream(draft));
    const hash = await hashOf(draft);
    const written = writtenFiles(ledger);
    const path = asked ?? (await freeName(name, input, [hash, written]));
    renameSync(draft, path);
    writePrivateFile(ledger, JSON.stringify({ ...written, [resolve(path)]: hash }));
    return path;
  } finally {
    rmSync(draft, { force: true });
  }
}

type Written = Readonly<Record<string, string>>;

async function freeName(name: string, input: string, [hash, written]: [string, Written]): Promise<string> {
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? name : `${stem}-${number}${extension}`;
    if (resolve(path) === resolve(input)) continue;
    if (!existsSync(path)) return path;
    const existing = await hashOf(path);
    if (existing === hash || existing === written[resolve(path)]) return path;
  }
}

/** Hashes of the files as this command left them, by path. */
function writtenFiles(ledger: string): Written {
  try {
    return JSON.parse(readFileSync(ledger, 'utf8')) as Written;
  } catch {
    return {};
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
