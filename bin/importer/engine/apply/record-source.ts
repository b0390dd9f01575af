/** A file as the migration records that are made of it. */
import { sha256Hex } from '../ground/digest.ts';
import type { Said } from '../ground/codes.ts';
import { refusalAt } from '../ground/errors.ts';
import type { Decision, LocalRejection } from './kinds.ts';
import { nameNoter, type NamesBeside } from './names.ts';
import { revocationOf } from './revoked.ts';
import { type PairContext, rejectionReader } from './pairs.ts';
import type { Columns } from '../ground/columns.ts';
import { type CompileContext, type CompiledMapping, compileMapping, datedByClasses } from './compile.ts';
import { isObject } from '../../wire/values.ts';
import type { JsonObject } from '../ground/fields.ts';
import { differingIdentity, recordJoin } from './join-records.ts';
import { Notes, reasonOf } from '../language/notes.ts';
import { namedColumns } from '../language/named-columns.ts';
import type { Mapping } from '../language/schema.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import { type Cells, ValueReaders } from './value-reader.ts';
import type { Row, Source } from '../read/open-source.ts';
import { each, mapped, type Pieces } from '../read/pieces.ts';
import { TextNumbers } from '../ground/record-ids.ts';
import { joinedInGroups, type RowSpool } from './row-groups.ts';

/** Added to rejected rows, and ignored when they are imported again. */
export const ADDED_COLUMNS: readonly string[] = ['error_codes', 'error_messages'];

/** Columns that no member is made of. In a file of the interface's names, nobody has said so: a misspelt one is among them. */
export function foreignColumns(columns: readonly string[], mapping: Mapping): string[] {
  const known = new Set([...namedColumns(mapping), ...ADDED_COLUMNS, '']);
  return columns.filter((column) => !known.has(column));
}

/** A record with its row. */
export interface Entry {
  readonly record: unknown;
  /** The row; of several rows that were joined, only the place of the first. */
  readonly row: Row;
  /** Numbers of the rows that were joined, from 0. */
  readonly joined?: readonly number[];
  readonly rejection?: LocalRejection | undefined;
}

/** What became of the rows of a file. */
export interface RowCounts {
  /** Rows that became a record, or a part of one. */
  readonly rows: number;
  /** Rows that a rule of the mapping skips. */
  readonly skipped: number;
  /** Rows that a confirmed kind leaves out, by its reason. */
  readonly leftOut: Readonly<Record<string, number>>;
}

export interface ReadContext extends CompileContext, PairContext {
  /** Takes the learner of each row that is not skipped, with the name beside it. */
  readonly beside?: NamesBeside | undefined;
  readonly onRow?: (() => void) | undefined;
}

interface Reading {
  readonly entries: Pieces<Entry>;
  /** Counts of the rows that were read so far. */
  readonly counts: () => RowCounts;
}

/** A file with its mapping, read as records. */
export interface RecordSource {
  readonly file: Source;
  /** SHA-256 of the mapping, hexadecimal. */
  readonly mappingHash: string;
  readonly mappingPath: string | undefined;
  readonly mapping: Mapping | undefined;
  /** The rows that are not skipped. */
  rows(): Pieces<Row>;
  read(context?: ReadContext): Reading;
  /** Values of a row that the mapping could not read, as reasons for its rejection. */
  explain(row: Row): readonly Said[];
}

const hashOf = (mapping: Mapping | undefined): string => sha256Hex(JSON.stringify(mapping ?? null));

/** The items of the file are records already; the members that an earlier run added to rejected ones are removed. */
export function plainRecords(file: Source): RecordSource {
  const rows = (): Pieces<Row> => mapped(file.rows(), ({ line, value }) => ({ line, value: withoutAdded(value) }));
  return {
    file,
    mappingHash: hashOf(undefined),
    mappingPath: undefined,
    mapping: undefined,
    rows,
    explain: () => [],
    read({ onRow } = {}) {
      let count = 0;
      const entries = mapped(rows(), (row) => {
        count += 1;
        onRow?.();
        return { row, record: row.value };
      });
      return { entries, counts: () => ({ rows: count, skipped: 0, leftOut: {} }) };
    },
  };
}

function withoutAdded(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !ADDED_COLUMNS.includes(name)));
}

export interface ChosenMapping {
  readonly mapping: Mapping;
  readonly path: string | undefined;
}

/** The rows of a file by a mapping, as the cells of the columns that it names. */
export interface MappedRows {
  readonly file: Source;
  readonly columns: Columns;
  readonly cellsOf: (row: Row) => readonly string[];
  readonly headers: () => Promise<readonly ColumnProfile[]>;
}

/** A row that is a record, or is rejected here. A class, because V8 may promote literals to the old generation, which keeps their rows. */
class Draft implements Entry {
  readonly row: Row;
  readonly number: number;
  readonly record: JsonObject;
  readonly group: string | undefined;
  readonly rejection: LocalRejection | undefined;

  constructor(row: Row, number: number, record: JsonObject, group?: string, rejection?: LocalRejection) {
    this.row = row;
    this.number = number;
    this.record = record;
    this.group = group;
    this.rejection = rejection;
  }
}

/** @throws EngineError for a column that the file lacks, before anything is read */
export function mappedRecords(
  { file, columns, cellsOf, headers }: MappedRows,
  { mapping, path }: ChosenMapping,
  spool: () => RowSpool,
): RecordSource {
  const compile = (context: CompileContext): CompiledMapping =>
    compileMapping(mapping, columns, { ...context, now: file.now });
  const { voids, idOf } = compile({});
  const values = new ValueReaders(mapping, columns, undefined);
  const [ofTable, ofAdded] = [false, true].map((isAdded) =>
    (mapping.skip ?? []).filter(({ column }) => column.startsWith(':') === isAdded),
  );
  const [isTableSkip, isAddedSkip] = [values.anyCondition(ofTable, 'skip'), values.anyCondition(ofAdded, 'skip')];

  /** Every layer costs each row, so there is none without a rule. */
  const rows = (onSkipped?: () => void): Pieces<Row> =>
    mapping.skip === undefined && idOf === undefined ? file.rows() : keptRows(onSkipped);

  async function* keptRows(onSkipped?: () => void) {
    const voided = await voidedIds();
    const counted = (isSkip: boolean): boolean => {
      if (isSkip) onSkipped?.();
      return isSkip;
    };
    const skips = (cells: readonly string[]): boolean =>
      counted(isTableSkip(cells) || voids(cells) !== undefined || voided.has(idOf?.(cells)));
    const isTable = file.format === 'csv';
    // A skipped row of a table may have any width, so the table has to know it; it does not know what a shape adds.
    yield* mapped(isTable ? file.rows((cells) => skips(cellsOf({ line: 0, cells }))) : file.rows(), (row) => {
      const cells = cellsOf(row);
      return (!isTable && skips(cells)) || counted(isAddedSkip(cells)) ? undefined : row;
    });
  }

  /** The ids of rows that another row takes back, wherever it is in the file. */
  async function voidedIds(): Promise<ReadonlySet<string | undefined>> {
    const ids = new Set<string | undefined>();
    if (idOf === undefined) return ids;
    for await (const row of each(file.format === 'csv' ? file.anyRows() : file.rows())) ids.add(voids(cellsOf(row)));
    ids.delete(undefined);
    return ids;
  }

  function read(context: ReadContext = {}): Reading {
    const counts = { rows: 0, skipped: 0 };
    const leftOut = new Map<string, number>();
    const dated = (record: JsonObject): JsonObject => datedByClasses(record, mapping, context);
    async function* drafts() {
      const { notes, onRow, beside } = context;
      const isNoted = beside !== undefined && mapping.kinds !== undefined;
      const noteName = isNoted ? nameNoter(beside, await headers(), values) : () => {};
      const { toRecord, groupOf, decide } = compile(context);
      const revocation = revocationOf(mapping, values);
      if (revocation !== undefined) for await (const row of each(rows())) revocation.note(cellsOf(row));
      const decided = (cells: Cells): Decision | undefined => {
        const decision = decide?.(cells);
        return (decision?.is === 'record' ? revocation?.takenBack(cells) : undefined) ?? decision;
      };
      const [rejectionOf, isGrouped] = [rejectionReader(mapping, file.path, context), mapping.group_by !== undefined];
      let number = -1;
      // Once it is known that some rows wait, all are read again: only whose rows are undecided is still to be noted.
      const isDecided = (decision: Decision | undefined): boolean =>
        decision?.is === 'record' && context.undecided?.isAnyWaiting === true;
      const draftOf = (row: Row, cells: Cells, decision: Decision | undefined): Draft => {
        const record = toRecord(cells, fillOf(decision));
        const rejection = rejectionOf(decision, record, row.line);
        return rejection === undefined
          ? new Draft(row, number, isGrouped ? record : dated(record), groupOf(cells))
          : new Draft(row, number, {}, undefined, rejection);
      };
      yield* mapped(
        rows(() => void (counts.skipped += 1)),
        (row) => {
          number += 1;
          if (notes !== undefined) notes.line = row.line;
          const cells = cellsOf(row);
          onRow?.();
          noteName(cells);
          const decision = decided(cells);
          if (decision?.is === 'left out') {
            leftOut.set(decision.reason, (leftOut.get(decision.reason) ?? 0) + 1);
            return undefined;
          }
          counts.rows += 1;
          return isDecided(decision) ? undefined : draftOf(row, cells, decision);
        },
      );
    }
    async function* joined() {
      for await (const entry of joinedEntries(file.path, drafts(), mapping, spool()))
        yield [{ ...entry, record: dated(entry.record) }];
    }
    const entries = mapping.group_by === undefined ? drafts() : joined();
    return { entries, counts: () => ({ ...counts, leftOut: Object.fromEntries(leftOut) }) };
  }

  const notes = new Notes();
  let compiled: CompiledMapping | undefined;
  function explain(row: Row): Said[] {
    compiled ??= compile({ notes });
    compiled.toRecord(cellsOf(row));
    return notes.take().flatMap((note) => reasonOf(note) ?? []);
  }

  const facts = { file, mappingHash: hashOf(mapping), mappingPath: path, mapping };
  return { ...facts, rows: () => rows(), read, explain };
}

const fillOf = (decision: Decision | undefined) => (decision?.is === 'record' ? decision.fill : undefined);

interface JoinedRows extends Pick<Entry, 'rejection'>, Pick<Draft, 'record'> {
  readonly line: number;
  readonly joined: number[];
}

/** In the order of their first rows. @throws EngineError for a row of another learner or course than its group */
async function* joinedEntries(
  path: string,
  drafts: Pieces<Draft>,
  mapping: Mapping,
  spool: RowSpool,
): AsyncGenerator<Entry & Pick<Draft, 'record'>> {
  const joinRecords = recordJoin(mapping);
  const numbers = new TextNumbers();
  const numbered = mapped(drafts, ({ row, group, ...draft }) => ({
    ...draft,
    group: numbers.of(group),
    line: row.line,
  }));
  const groups = joinedInGroups(
    each(numbered),
    (known: JoinedRows | undefined, { record, line, number, rejection }): JoinedRows => {
      if (known === undefined) return { record, line, joined: [number], ...(rejection && { rejection }) };
      const differing = differingIdentity(known.record, record);
      if (differing !== undefined)
        throw refusalAt(path, { line }, 'rows_of_group_differ', { line: known.line, member: differing });
      known.joined.push(number);
      return { ...known, record: joinRecords(known.record, record) };
    },
    spool,
  );
  for await (const { line, ...joined } of groups) yield { ...joined, row: { line } };
}
