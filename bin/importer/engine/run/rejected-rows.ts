/** Rejected rows: the rows as they were, with the reasons added, to be corrected and imported again. */
import { externalRecordIdOf, isObject } from '../../wire/values.ts';
import type { Service } from '../../wire/types.ts';
import { type Said, say as named } from '../ground/codes.ts';
import { refusal } from '../ground/errors.ts';
import { columnFinder, SHEET_COLUMN } from '../ground/columns.ts';
import { namesSheet, serialColumns } from '../language/named-columns.ts';
import type { Mapping } from '../language/schema.ts';
import { csvLine, defused } from '../read/csv.ts';
import { each } from '../read/pieces.ts';
import type { Row, Source } from '../read/open-source.ts';
import type { Chunk, RecordSet } from '../apply/record-set.ts';
import { ADDED_COLUMNS, type Entry, type RecordSource } from '../apply/record-source.ts';
import { type RecordError, unsentOf } from './summary.ts';

interface Rejection {
  readonly errors: readonly RecordError[];
  /** What the mapping knows of the values that the service rejects: their columns, and their valid forms. */
  readonly reasons?: readonly Said[];
}

interface RejectedFormat {
  readonly say: (said: Said) => string;
  /** No cell may be a formula. */
  readonly isSafe?: boolean | undefined;
  readonly onRejected?: OnRejected;
  /** In place of the codes and sentences of this program. */
  readonly words?: AddedWords | undefined;
}

/** What is added to the rows for people: the titles of two columns, and their cells; `undefined` for a row that is no news. */
export interface AddedWords {
  readonly columns: AddedCells;
  readonly of: (each: RejectedRow) => AddedCells | undefined;
}

/** The rejections of a batch, by position of the record; `undefined` if it has none. */
type RejectionsOf = (chunk: Chunk) => Promise<ReadonlyMap<number, Rejection> | undefined>;

/** Reads the rejections of a batch. @throws EngineError if an import is of other records than its batch */
export const rejectionsFrom =
  (client: Pick<Service, 'records'>, failing: ReadonlyMap<number, string | null>): RejectionsOf =>
  async ({ position, file, records }) => {
    const import_id = failing.get(position);
    if (import_id === undefined) return undefined;
    const rejections = new Map<number, Rejection>();
    if (import_id === null) return rejections;
    for await (const { index, external_record_id, errors } of client.records(import_id, { status: 'error' })) {
      if (externalRecordIdOf(records[index]) !== external_record_id) throw refusal('file_changed', { path: file });
      rejections.set(index, { errors });
    }
    return rejections;
  };

/** Called with each record, before its rows. */
type OnRejected = (entry: Entry, errors: Rejection['errors']) => void;

/** The lines of a file, with its header; nothing if no row of it was rejected. */
export async function* rejectedLines(
  source: RecordSource,
  set: RecordSet,
  rejectionsOf: RejectionsOf,
  { say, isSafe = false, onRejected, words }: RejectedFormat,
): AsyncGenerator<string> {
  const columns = words?.columns ?? ADDED_COLUMNS;
  const { header, write } = source.file.format === 'csv' ? csvFormat(source, isSafe, columns) : ndjsonFormat(columns);
  let isFirst = true;
  for await (const each of rejectedRowsOf(source, set, rejectionsOf, onRejected)) {
    const added = words === undefined ? addedCells(each, say) : words.of(each);
    if (added === undefined) continue;
    if (isFirst && header !== undefined) yield header;
    isFirst = false;
    yield write(each.row, added);
  }
}

export interface RejectedRow {
  readonly row: Row;
  readonly rejection: Rejection;
}

/** In the order of batches, read chunk by chunk; of joined rows all of a rejected record, so that it is whole. */
export async function* rejectedRowsOf(
  source: RecordSource,
  set: RecordSet,
  rejectionsOf: RejectionsOf,
  onRejected?: OnRejected,
): AsyncGenerator<RejectedRow> {
  const isGrouped = source.mapping?.group_by !== undefined;
  const explained = (row: Row, rejection: Rejection): RejectedRow => ({
    row,
    rejection: { ...rejection, reasons: source.explain(row) },
  });
  const byRow = new Map<number, Rejection>();
  for await (const chunk of set.chunks()) {
    if (chunk.source !== source) continue;
    for (const { entry, rejection } of await rejectedEntries(chunk, rejectionsOf)) {
      onRejected?.(entry, rejection.errors);
      if (!isGrouped) yield explained(entry.row, rejection);
      for (const number of entry.joined ?? []) byRow.set(number, rejection);
    }
  }
  for await (const { row, rejection } of rowsAt(source, byRow)) yield explained(row, rejection);
}

/** The rows of rejected records, by their numbers. */
async function* rowsAt(source: RecordSource, rejections: ReadonlyMap<number, Rejection>): AsyncGenerator<RejectedRow> {
  if (rejections.size === 0) return;
  let number = 0;
  for await (const row of each(source.rows())) {
    const rejection = rejections.get(number);
    if (rejection !== undefined) yield { row, rejection };
    number += 1;
  }
}

async function rejectedEntries(chunk: Chunk, rejectionsOf: RejectionsOf) {
  const rejections = await rejectionsOf(chunk);
  if (rejections === undefined) return [];
  const sent = chunk.entries.flatMap((entry, position) => {
    const rejection = rejections.get(position);
    return rejection === undefined ? [] : [{ entry, rejection }];
  });
  const unsent = unsentOf(chunk).map(({ entry, error }) => ({ entry, rejection: { errors: [error] } }));
  return [...sent, ...unsent].toSorted((a, b) => a.entry.row.line - b.entry.row.line);
}

type AddedCells = readonly [codes: string, messages: string];

function addedCells({ row, rejection }: RejectedRow, say: RejectedFormat['say']): AddedCells {
  const { line, sheet = '', lineOfSheet } = row;
  const { errors, reasons = [] } = rejection;
  const codes = [...new Set(errors.map(({ error_code }) => error_code))];
  const [first = '', ...others] = errors.map(({ said, message }) => (said === undefined ? message : say(said)));
  const known = reasons.length === 0 ? first : `${first.replace(/\.$/, '')} (${reasons.map(say).join('; ')}).`;
  const place =
    lineOfSheet === undefined ? named('at_line', { line }) : named('at_line_of_sheet', { sheet, line: lineOfSheet });
  return [codes.join(' '), `${say(place)}: ${[known, ...others].join('; ')}`];
}

/** An added cell is never a formula. A cell of the file may be one, so that it can be imported again, unless `isSafe`. */
function csvFormat({ file, mapping }: RecordSource, isSafe: boolean, titles: readonly string[]) {
  const { columns, delimiter, crlf, bom, encoding } = file;
  const end = crlf ? '\r\n' : '\n';
  const kept = columns.flatMap((name, index) => (ADDED_COLUMNS.includes(name) ? [] : [index]));
  // What is not in the cells: the sheet, and the heading above.
  const names = [
    ...(mapping !== undefined && namesSheet(mapping) ? [SHEET_COLUMN] : []),
    ...(mapping?.headings === undefined ? [] : [mapping.headings]),
  ].filter((name) => !columns.includes(name));
  const around = ({ sheet = '', added: [heading = ''] = [] }: Row): string[] =>
    names.map((name) => (name === SHEET_COLUMN ? sheet : heading));
  // The output is UTF-8, which spreadsheets assume only after a byte-order mark.
  const own = isSafe ? defused : (cell: string) => cell;
  const asText = since1900(file, mapping);
  const mark = bom || encoding !== 'utf-8' ? '\u{feff}' : '';
  const line = (cells: readonly string[], others: readonly string[], added: readonly string[]) =>
    csvLine([...[...kept.map((index) => cells[index] ?? ''), ...others].map(own), ...added.map(defused)], delimiter) +
    end;
  return {
    header: mark + line(columns, names, titles),
    write: (row: Row, added: AddedCells) => line(asText(row.cells ?? []), around(row), added),
  };
}

/** No text says that its days count from 1904. */
function since1900({ is1904, columns }: Source, mapping: Mapping | undefined) {
  const at = columnFinder(columns);
  const places = new Set(is1904 === true && mapping !== undefined ? serialColumns(mapping).map(at) : []);
  return (cells: readonly string[]): readonly string[] =>
    places.size === 0
      ? cells
      : cells.map((cell, index) =>
          places.has(index) && /^\d+(\.\d+)?$/.test(cell) ? String(Number(cell) + 1462) : cell,
        );
}

const ndjsonFormat = ([codes = '', messages = '']: readonly string[]) => ({
  header: undefined,
  write: ({ value }: Row, added: AddedCells) =>
    `${JSON.stringify({ ...(isObject(value) ? value : { record: value }), [codes]: added[0], [messages]: added[1] })}\n`,
});
