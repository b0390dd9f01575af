/** A file as the migration records that are made of it. */
import { sha256Hex } from '../digest.ts';
import { SourceError } from '../errors.ts';
import { type CompileContext, type CompiledMapping, datedByClasses, needsTitles } from '../mapping/compile.ts';
import type { Decision, LocalRejection } from '../kinds/apply.ts';
import type { JsonObject } from '../mapping/fields.ts';
import { differingIdentity, recordJoin } from '../mapping/join-records.ts';
import { Notes, rejectionText } from '../mapping/notes.ts';
import type { Mapping } from '../mapping/schema.ts';
import type { Row, Source } from '../source/open-source.ts';
import { joinedInGroups } from './row-groups.ts';
import type { RowSpool } from './row-spool.ts';
import { TextNumbers } from './text-numbers.ts';

/** Added to rejected rows, and ignored when they are imported again. */
export const ADDED_COLUMNS: readonly string[] = ['error_codes', 'error_messages'];

/** One record and the rows that it is made of. */
export interface Entry {
  readonly record: unknown;
  /** The row; of several rows that were joined, only the place of the first. */
  readonly row: Row;
  /** Numbers of the rows that were joined, from 0. */
  readonly joined?: readonly number[];
  /** Why it is not sent. */
  readonly rejection?: LocalRejection | undefined;
}

/** The rows that one pass over a file has counted. */
export interface RowCounts {
  /** Rows that became a record, or a part of one. */
  readonly rows: number;
  /** Rows that a rule of the mapping skips. */
  readonly skipped: number;
  /** Rows that a confirmed kind leaves out, by its reason. */
  readonly leftOut: Readonly<Record<string, number>>;
}

export interface ReadContext extends CompileContext {
  /** Called after each row, to show progress. */
  readonly onRow?: (() => void) | undefined;
}

/** One pass over a file. */
export interface Reading {
  readonly entries: AsyncGenerator<Entry>;
  /** Counts of the rows that were read so far. */
  counts(): RowCounts;
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
  read(context?: ReadContext): Reading;
  /** Values of a row that the mapping could not read, as reasons for its rejection. */
  explain(row: Row): string[];
}

const hashOf = (mapping: Mapping | undefined): string => sha256Hex(JSON.stringify(mapping ?? null));

/** The items of the file are records already; the members that an earlier run added to rejected ones are removed. */
export function plainRecords(file: Source): RecordSource {
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
    read({ onRow } = {}) {
      let count = 0;
      async function* entries(): AsyncGenerator<Entry> {
        for await (const row of rows()) {
          count += 1;
          onRow?.();
          yield { row, record: row.value };
        }
      }
      return { entries: entries(), counts: () => ({ rows: count, skipped: 0, leftOut: {} }) };
    },
  };
}

function withoutAdded(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !ADDED_COLUMNS.includes(name)));
}

/** A mapping and where it is from. */
export interface ChosenMapping {
  readonly mapping: Mapping;
  /** The mapping file, if there is one. */
  readonly path: string | undefined;
}

/** How the rows of a file are read by a mapping. */
export interface RowReader {
  readonly compile: (context: CompileContext) => CompiledMapping;
  readonly cellsOf: (row: Row) => readonly string[];
}

/** The rows of a file by a mapping. @throws UsageError for a column that the file lacks, before anything is read */
export function mappedRecords(
  file: Source,
  { mapping, path }: ChosenMapping,
  reader: RowReader,
  spool: () => RowSpool,
): RecordSource {
  const compiled = reader.compile({});
  const isSkipped = mapping.skip && ((row: Row): boolean => compiled.isSkipped(reader.cellsOf(row)));
  async function* unvoided(onSkipped?: () => void): AsyncGenerator<Row> {
    const isVoided = await voidedRows(file, reader, compiled);
    yield* keptRows(file, (row) => isSkipped?.(row) === true || isVoided(row), onSkipped);
  }
  const rows = (onSkipped?: () => void): AsyncGenerator<Row> =>
    compiled.idOf === undefined ? keptRows(file, isSkipped, onSkipped) : unvoided(onSkipped);
  return {
    file,
    mappingHash: hashOf(mapping),
    mappingPath: path,
    mapping,
    needsTitles: needsTitles(mapping),
    rows: () => rows(),
    explain: explainer(reader),
    read: (context = {}) => new MappedReading(rows, { path: file.path, mapping, reader, spool }, context),
  };
}

/** Finds the rows that another row takes back, wherever it is in the file, and those that take back. */
async function voidedRows(
  file: Source,
  { cellsOf }: RowReader,
  { voids, idOf }: CompiledMapping,
): Promise<(row: Row) => boolean> {
  if (idOf === undefined) return () => false;
  const ids = new Set<string>();
  for await (const row of file.format === 'csv' ? file.anyRows() : file.rows()) {
    const id = voids(cellsOf(row));
    if (id !== undefined) ids.add(id);
  }
  return (row) => {
    const cells = cellsOf(row);
    const id = idOf(cells);
    return voids(cells) !== undefined || (id !== undefined && ids.has(id));
  };
}

function keptRows(
  file: Source,
  isSkipped: ((row: Row) => boolean) | undefined,
  onSkipped: () => void = () => {},
): AsyncGenerator<Row> {
  if (isSkipped === undefined) return file.rows();
  const skips = (row: Row): boolean => {
    const isSkip = isSkipped(row);
    if (isSkip) onSkipped();
    return isSkip;
  };
  // A skipped row of a table may have any width, so the table has to know it.
  return file.format === 'csv' ? file.rows((cells) => skips({ line: 0, cells })) : itemsKept(file, skips);
}

async function* itemsKept(file: Source, skips: (row: Row) => boolean): AsyncGenerator<Row> {
  for await (const row of file.rows()) if (!skips(row)) yield row;
}

function explainer({ compile, cellsOf }: RowReader): RecordSource['explain'] {
  const notes = new Notes();
  let compiled: CompiledMapping | undefined;
  return (row) => {
    compiled ??= compile({ notes });
    compiled.toRecord(cellsOf(row));
    return notes.take().flatMap((note) => rejectionText(note) ?? []);
  };
}

/** A row that is a record, rejected here, or left out. */
interface Draft {
  readonly record: JsonObject;
  readonly row: Row;
  readonly group: string | undefined;
  readonly rejection?: LocalRejection;
  readonly isLeftOut?: true;
}

interface ReadBy {
  readonly path: string;
  readonly mapping: Mapping;
  readonly reader: RowReader;
  readonly spool: () => RowSpool;
}

class MappedReading implements Reading {
  readonly entries: AsyncGenerator<Entry>;
  readonly #context: ReadContext;
  #rows = 0;
  #skipped = 0;
  readonly #leftOut = new Map<string, number>();

  constructor(rows: (onSkipped: () => void) => AsyncIterable<Row>, by: ReadBy, context: ReadContext) {
    this.#context = context;
    const onSkipped = (): void => void (this.#skipped += 1);
    this.entries = this.#entries(this.#drafts(rows(onSkipped), by.reader), by);
  }

  counts(): RowCounts {
    return { rows: this.#rows, skipped: this.#skipped, leftOut: Object.fromEntries(this.#leftOut) };
  }

  async *#drafts(rows: AsyncIterable<Row>, { compile, cellsOf }: RowReader): AsyncGenerator<Draft> {
    const { notes, onRow } = this.#context;
    const { toRecord, groupOf, decide } = compile(this.#context);
    for await (const row of rows) {
      if (notes !== undefined) notes.line = row.line;
      const cells = cellsOf(row);
      onRow?.();
      const decision = decide?.(cells) ?? { is: 'record' };
      if (decision.is === 'record') {
        this.#rows += 1;
        yield { row, record: toRecord(cells, decision.fill), group: groupOf(cells) };
      } else yield { row, record: {}, group: undefined, ...this.#unwritten(decision) };
    }
  }

  #unwritten(decision: Exclude<Decision, { is: 'record' }>): Pick<Draft, 'rejection' | 'isLeftOut'> {
    if (decision.is === 'rejected') {
      this.#rows += 1;
      return { rejection: decision.rejection };
    }
    this.#leftOut.set(decision.reason, (this.#leftOut.get(decision.reason) ?? 0) + 1);
    return { isLeftOut: true };
  }

  async *#entries(drafts: AsyncIterable<Draft>, by: ReadBy): AsyncGenerator<Entry> {
    const all: AsyncIterable<Entry & Pick<Draft, 'record' | 'isLeftOut'>> =
      by.mapping.group_by === undefined ? drafts : joinedEntries(drafts, by);
    for await (const each of all)
      if (each.isLeftOut !== true) yield { ...each, record: datedByClasses(each.record, by.mapping, this.#context) };
  }
}

interface JoinedRows extends Pick<Draft, 'rejection'> {
  readonly record: JsonObject;
  readonly line: number;
  readonly joined: number[];
}

/**
 * One entry for the rows of each group, in the order of their first rows.
 *
 * @throws SourceError for a row that names another learner or course than its group
 */
async function* joinedEntries(drafts: AsyncIterable<Draft>, { path, mapping, spool }: ReadBy) {
  const joinRecords = recordJoin(mapping);
  const numbers = new TextNumbers();
  async function* numbered() {
    let number = 0;
    for await (const { row, record, group, rejection, isLeftOut } of drafts) {
      if (isLeftOut !== true) yield { group: numbers.of(group), number, line: row.line, record, rejection };
      number += 1;
    }
  }
  const groups = joinedInGroups(
    numbered(),
    (known: JoinedRows | undefined, { record, line, number, rejection }): JoinedRows => {
      if (known === undefined) return { record, line, joined: [number], ...(rejection && { rejection }) };
      const differing = differingIdentity(known.record, record);
      if (differing !== undefined)
        throw new SourceError(
          path,
          { line },
          `by group_by this row and line ${known.line} are one record, but they differ in ${differing}. Add its column to group_by.`,
        );
      known.joined.push(number);
      return { ...known, record: joinRecords(known.record, record) };
    },
    spool(),
  );
  for await (const { line, ...joined } of groups) yield { ...joined, row: { line } };
}
