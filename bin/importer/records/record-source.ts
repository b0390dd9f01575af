/** A file as the migration records that are made of it. */
import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import { SourceError } from '../errors.ts';
import { FILE_COLUMN, HeaderColumns, memberAt, MemberColumns, memberText } from '../mapping/columns.ts';
import { type CompileContext, compileMapping, type CompiledMapping, needsTitles } from '../mapping/compile.ts';
import { differingIdentity, recordJoin, saysNothing } from '../mapping/join-records.ts';
import { namedColumns } from '../mapping/named-columns.ts';
import { Notes, rejectionText } from '../mapping/notes.ts';
import type { Mapping } from '../mapping/schema.ts';
import { openSource, type Row, type Source, type SourceOptions } from '../source/open-source.ts';
import { findMapping, loadMapping } from '../../cli/files/mapping-file.ts';
import { joinedInGroups } from './row-groups.ts';
import { TextNumbers } from './text-numbers.ts';

/** Added to rejected rows, and ignored when they are imported again. */
export const ADDED_COLUMNS: readonly string[] = ['error_codes', 'error_messages'];

export interface RecordSourceOptions extends SourceOptions {
  /** Path of the mapping file. */
  readonly mapping?: string;
  /** `member=value`: the same value in every record. */
  readonly set?: readonly string[];
}

/** One record and the rows that it is made of. */
export interface Entry {
  readonly record: unknown;
  /** The row; of several rows that were joined, only the place of the first. */
  readonly row: Row;
  /** Numbers of the rows that were joined, from 0. */
  readonly joined?: readonly number[];
}

/** What one pass over the file has seen besides its records. */
export interface Seen {
  rows: number;
  skipped: number;
  /** Records with neither progress nor an assessment, skipped because the mapping says so. */
  withoutProgress: number;
}

export interface RecordSource {
  readonly file: Source;
  /** SHA-256 of the mapping, hexadecimal. */
  readonly mappingHash: string;
  /** The mapping file, if there is one. */
  readonly mappingPath: string | undefined;
  readonly mapping: Mapping | undefined;
  /** Class titles of the catalog are needed to read it. */
  readonly needsTitles: boolean;
  /** The rows that are not skipped. */
  rows(): AsyncGenerator<Row>;
  entries(seen: Seen, context: CompileContext): AsyncGenerator<Entry>;
  /** What of a row the mapping could not read, for the reasons of its rejection. */
  explain(row: Row): string[];
}

/**
 * Opens a file with its mapping. Options of the command take precedence over delimiter and encoding of the mapping.
 *
 * @throws UsageError
 */
export async function openRecords(path: string, options: RecordSourceOptions): Promise<RecordSource> {
  const named = options.mapping === undefined ? undefined : loadMapping(options.mapping, options.set);
  const file = await openSource(path, { ...formatOf(named), ...options });
  if (file.format === 'csv') return tableRecords(file, options);
  return named === undefined
    ? plainRecords(file)
    : jsonRecords(await file.under({ items: named.items }), named, options.mapping);
}

async function tableRecords(file: Source, options: RecordSourceOptions): Promise<RecordSource> {
  const { mapping, path } = findMapping(file.path, file.columns, options.mapping, options.set);
  const wanted = { ...formatOf(mapping), ...options };
  // A mapping that was found beside the file may say how to read it.
  const again = options.mapping === undefined && differs(file, wanted) ? await openSource(file.path, wanted) : file;
  const table = await again.under({ line: mapping.header_line, names: namedColumns(mapping) });
  const columns = new HeaderColumns(table.path, table.columns, table.headerLine);
  return mappedRecords(table, mapping, path, {
    compile: (context) => compileMapping(mapping, columns, context),
    cellsOf: ({ cells = [] }) => [...cells, nameOf(table.path)],
  });
}

/** The name of a file without its extension; a file of rejected rows has the name of the file that they come from. */
const nameOf = (path: string): string => basename(path, extname(path)).replace(/\.rejected(-\d+)?$/, '');

const differs = ({ delimiter }: Source, wanted: SourceOptions): boolean =>
  wanted.encoding !== undefined || (wanted.delimiter !== undefined && wanted.delimiter !== delimiter);

function formatOf(mapping: Mapping | undefined): SourceOptions {
  return {
    ...(mapping?.encoding === undefined ? {} : { encoding: mapping.encoding }),
    ...(mapping?.delimiter === undefined ? {} : { delimiter: mapping.delimiter }),
    ...(mapping?.items === undefined ? {} : { format: 'json' as const }),
  };
}

/** The items of the file are records already; what an earlier run added to rejected ones is removed. */
function plainRecords(file: Source): RecordSource {
  async function* rows(): AsyncGenerator<Row> {
    for await (const { line, value } of file.rows()) yield { line, value: withoutAdded(value) };
  }
  return {
    file,
    mappingHash: hashOf(undefined),
    mappingPath: undefined,
    mapping: undefined,
    needsTitles: false,
    rows,
    explain: () => [],
    async *entries(seen) {
      for await (const row of rows()) {
        seen.rows += 1;
        yield { row, record: row.value };
      }
    },
  };
}

function withoutAdded(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !ADDED_COLUMNS.includes(name)));
}

/** With a mapping, the members of each object are its columns; items of an array in it may be the rows. */
function jsonRecords(file: Source, mapping: Mapping, path: string | undefined): RecordSource {
  const columns = new MemberColumns();
  compileMapping(mapping, columns);
  const { rows: list } = mapping;
  async function* rows(): AsyncGenerator<Row> {
    for await (const { line, value } of file.rows()) {
      const items = list === undefined ? [value] : memberAt(value, list);
      for (const item of Array.isArray(items) ? items : [])
        yield { line, value: list === undefined ? item : within(value, list, item) };
    }
  }
  const textOf = (value: unknown, name: string): string => {
    if (name === FILE_COLUMN) return nameOf(file.path);
    const own = list === undefined ? '' : memberText(memberAt(value, `${list}.0`), name);
    return own === '' ? memberText(value, name) : own;
  };
  return mappedRecords({ ...file, rows }, mapping, path, {
    compile: (context) => compileMapping(mapping, columns, context),
    cellsOf: ({ value }) => columns.names.map((name) => textOf(value, name)),
  });
}

/** The object with one item of its list, so that a rejected item can be imported again. */
function within(value: unknown, list: string, item: unknown): unknown {
  const [name = '', ...rest] = Object.hasOwn(value as object, list) ? [list] : list.split('.');
  const inner = (value as Readonly<Record<string, unknown>>)[name];
  return { ...(value as object), [name]: rest.length === 0 ? [item] : within(inner, rest.join('.'), item) };
}

const hashOf = (mapping: Mapping | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify(mapping ?? null))
    .digest('hex');

interface Reading {
  readonly compile: (context: CompileContext) => CompiledMapping;
  readonly cellsOf: (row: Row) => readonly string[];
}

function mappedRecords(
  file: Source,
  mapping: Mapping,
  mappingPath: string | undefined,
  reading: Reading,
): RecordSource {
  const { compile, cellsOf } = reading;
  // A column that the file lacks is reported before anything is read.
  const { isSkipped } = compile({});
  const skips = (row: Row): boolean => isSkipped(cellsOf(row));
  async function* rows(seen?: Seen): AsyncGenerator<Row> {
    const skipCells = (cells: readonly string[]): boolean => {
      const isSkip = skips({ line: 0, cells });
      if (isSkip && seen !== undefined) seen.skipped += 1;
      return isSkip;
    };
    for await (const row of file.rows(file.format === 'csv' ? skipCells : undefined)) {
      if (file.format !== 'csv' && skips(row)) {
        if (seen !== undefined) seen.skipped += 1;
      } else yield row;
    }
  }
  return {
    file,
    mappingHash: hashOf(mapping),
    mappingPath,
    mapping,
    needsTitles: needsTitles(mapping),
    rows: () => rows(),
    explain: explainer(reading),
    async *entries(seen, context) {
      const compiled = compile(context);
      const drafts = draftsOf(rows(seen), { ...compiled, cellsOf, notes: context.notes, seen });
      const all = mapping.group_by === undefined ? drafts : joinedEntries(drafts, file.path, mapping);
      for await (const entry of all) {
        if (mapping.skip_without_progress === true && saysNothing(entry.record as Record<string, unknown>))
          seen.withoutProgress += 1;
        else yield entry;
      }
    },
  };
}

function explainer({ compile, cellsOf }: Reading): RecordSource['explain'] {
  const notes = new Notes();
  const { toRecord } = compile({ notes });
  return (row) => {
    toRecord(cellsOf(row));
    return notes.take().flatMap((note) => rejectionText(note) ?? []);
  };
}

interface Draft extends Entry {
  readonly group: string | undefined;
}

async function* draftsOf(
  rows: AsyncIterable<Row>,
  reading: CompiledMapping & Pick<Reading, 'cellsOf'> & { readonly notes: Notes | undefined; readonly seen: Seen },
): AsyncGenerator<Draft> {
  const { toRecord, groupOf, cellsOf, notes, seen } = reading;
  for await (const row of rows) {
    if (notes !== undefined) notes.line = row.line;
    const cells = cellsOf(row);
    seen.rows += 1;
    yield { row, record: toRecord(cells), group: groupOf(cells) };
  }
}

type JsonRecord = Readonly<Record<string, unknown>>;

interface JoinedRows {
  readonly record: JsonRecord;
  readonly line: number;
  readonly joined: number[];
}

/**
 * One entry for the rows of each group, in the order of their first rows.
 *
 * @throws SourceError for a row that names another learner or course than its group
 */
async function* joinedEntries(drafts: AsyncIterable<Draft>, path: string, mapping: Mapping): AsyncGenerator<Entry> {
  const joinRecords = recordJoin(mapping);
  const numbers = new TextNumbers();
  async function* numbered() {
    let number = 0;
    for await (const { row, record, group } of drafts) {
      yield { group: numbers.of(group), number, line: row.line, record: record as JsonRecord };
      number += 1;
    }
  }
  const groups = joinedInGroups(numbered(), (known: JoinedRows | undefined, { record, line, number }): JoinedRows => {
    if (known === undefined) return { record, line, joined: [number] };
    const differing = differingIdentity(known.record, record);
    if (differing !== undefined)
      throw new SourceError(
        path,
        { line },
        `by group_by this row and line ${known.line} are one record, but they differ in ${differing}. Add its column to group_by.`,
      );
    known.joined.push(number);
    return { ...known, record: joinRecords(known.record, record) };
  });
  for await (const { record, line, joined } of groups) yield { record, row: { line }, joined };
}
