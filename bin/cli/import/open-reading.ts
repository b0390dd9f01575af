import { HeaderColumns, MemberColumns } from '../mapping/columns.ts';
import { compileMapping, type ToRecord } from '../mapping/compile.ts';
import { findMapping, loadMapping } from '../mapping/load.ts';
import type { Mapping } from '../mapping/schema.ts';
import { openSource, type Source, type SourceOptions } from '../source/open-source.ts';
import type { Row } from '../source/row.ts';
import { type Reading, readingOf } from './reading.ts';
import { ADDED_COLUMNS } from './rejected-columns.ts';

export interface ReadingOptions extends SourceOptions {
  /** Path of the mapping file. */
  readonly mapping?: string;
}

/**
 * A file and what its columns mean. What the mapping says of delimiter and encoding holds unless the command says otherwise.
 *
 * @throws UsageFault
 */
export async function openReading(file: string, options: ReadingOptions): Promise<Reading> {
  const named = options.mapping === undefined ? undefined : loadMapping(options.mapping);
  const source = await openSource(file, { ...notationOf(named), ...options });
  if (source.format === 'csv') return csvReading(source, options);
  if (named === undefined || options.mapping === undefined) return jsonReading(source);
  return mappedJsonReading(source, named, options.mapping);
}

async function csvReading(source: Source, options: ReadingOptions): Promise<Reading> {
  const found = findMapping(source.path, source.columns, options.mapping);
  const told = { ...notationOf(found.mapping), ...options };
  const again = options.mapping === undefined && differs(source, told) ? await openSource(source.path, told) : source;
  return readingOf(again, found, compileMapping(found.mapping, new HeaderColumns(again.path, again.columns)));
}

/** A mapping found beside the file may say how to read it, once its columns have been seen. */
const differs = ({ delimiter }: Source, told: SourceOptions): boolean =>
  told.encoding !== undefined || (told.delimiter !== undefined && told.delimiter !== delimiter);

function notationOf(mapping: Mapping | undefined): SourceOptions {
  return {
    ...(mapping?.encoding === undefined ? {} : { encoding: mapping.encoding }),
    ...(mapping?.delimiter === undefined ? {} : { delimiter: mapping.delimiter }),
  };
}

const nothing: ToRecord = () => ({});

/** Records stand in the file as the interface wants them; what an earlier run added to rejected ones is taken off again. */
function jsonReading(source: Source): Reading {
  return readingOf(
    { ...source, rows: () => mapRows(source.rows(), withoutAdded) },
    { mapping: undefined, path: undefined },
    nothing,
  );
}

/** With a mapping, the members of each object are its columns. */
function mappedJsonReading(source: Source, mapping: Mapping, path: string): Reading {
  const columns = new MemberColumns();
  const toRecord = compileMapping(mapping, columns);
  const asRow = ({ line, value }: Row): Row => ({
    line,
    value,
    cells: columns.names.map((name) => textOf(value, name)),
  });
  return readingOf({ ...source, rows: () => mapRows(source.rows(), asRow) }, { mapping, path }, toRecord);
}

async function* mapRows(rows: AsyncIterable<Row>, change: (row: Row) => Row): AsyncGenerator<Row> {
  for await (const row of rows) yield change(row);
}

function withoutAdded({ line, value }: Row): Row {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { line, value };
  const members = Object.entries(value).filter(([name]) => !ADDED_COLUMNS.includes(name));
  return { line, value: Object.fromEntries(members) };
}

function textOf(value: unknown, name: string): string {
  const member = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return member === undefined || member === null ? '' : typeof member === 'string' ? member : JSON.stringify(member);
}
