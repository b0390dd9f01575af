import { classReader, ClassTitle, type DraftClass } from './class-reader.ts';
import { kindApplier } from './kinds.ts';
import { sharedDecider } from './names.ts';
import type { Columns } from '../ground/columns.ts';
import {
  type DraftRecord,
  type Field,
  FIELD_NAMES,
  FIELDS,
  isField,
  isObject,
  type JsonObject,
  memberOf,
  place,
} from '../ground/fields.ts';
import { columnOf } from '../language/named-columns.ts';
import type { Notes } from '../language/notes.ts';
import type { ClassColumn, ClassList, Kinds, Mapping } from '../language/schema.ts';
import { type Cells, earlier, later, ownDates, type Value, ValueReaders } from './value-reader.ts';

/** Class ids by title, which only the platform knows. */
export interface ClassTitles {
  /** Id of a class of a course, by the titles of its catalog; `undefined` if no title is equal. */
  idOf(content: unknown, title: string): number | undefined;
  /** Number of classes of a course; `undefined` if the course is not known. */
  countOf(content: unknown): number | undefined;
}

/** What a mapping is applied with, beside the file. */
export interface CompileContext {
  readonly notes?: Notes | undefined;
  readonly titles?: ClassTitles | undefined;
  /** Addresses with several names beside them that no person has decided yet. */
  readonly shared?: ReadonlyMap<string, readonly string[]> | undefined;
  /** The time of reading, in milliseconds. */
  readonly now?: number | undefined;
}

export type CompiledMapping = ReturnType<typeof compileMapping>;

/** @throws EngineError naming the column that the file lacks */
export function compileMapping(mapping: Mapping, columns: Columns, context: CompileContext = {}) {
  const values = new ValueReaders(mapping, columns, context.notes);
  const sources = Object.entries(mapping.record).flatMap(([name, source]) =>
    source === undefined || !isField(name) ? [] : [{ field: name, source }],
  );
  const hasClasses = mapping.record['progress.classes'] !== undefined;
  const readers = sources.map(({ field, source }) => ({
    field,
    read:
      FIELDS[field] === 'classes'
        ? classReader(source as string | ClassList | ClassColumn[], values)
        : values.reader(field, source),
  }));
  const fromOwnDates = sources.flatMap(({ field, source }) => {
    const which = FIELDS[field] === 'date' ? ownDates(source) : undefined;
    return which === undefined ? [] : [{ field, which, better: which === 'earliest' ? earlier : later }];
  });
  const deriveDates = (record: DraftRecord): void => {
    const dates = fromOwnDates.length === 0 ? [] : datesOf(record);
    if (dates.length === 0) return;
    for (const { field, which, better } of fromOwnDates) {
      if (memberOf(record, field) !== undefined) continue;
      place(record, field, dates.reduce(better));
      if (field !== 'progress.last_activity_at')
        context.notes?.add({ kind: 'date_derived', field, column: '', value: which });
    }
  };
  return {
    ...voiding(values),
    /** The key that the rows of one record share; `undefined` if each row is a record. */
    groupOf: groupReader(values),
    /** What becomes of a row by its kind; `undefined` for the interface's own names, whose rows are all records. */
    decide: mapping.kinds && deciderOf(mapping.kinds, values, context),
    /** Makes a migration record (§2.7) of the cells of one row. Empty cells become absent members. */
    toRecord: (cells: Cells, fill?: (record: DraftRecord) => void): Readonly<Record<string, unknown>> => {
      const record: DraftRecord = { content: { type: 'course' } };
      for (const { field, read } of readers) placeRead(record, field, read(cells));
      if (hasClasses) resolveTitles(record, context);
      fill?.(record);
      deriveDates(record);
      return record;
    },
  };
}

function deciderOf(kinds: Kinds, values: ValueReaders, { now, shared }: CompileContext) {
  const [byKind, ofShared] = [kindApplier(kinds, values, now), sharedDecider(values, shared)];
  return (cells: Cells) => ofShared(cells) ?? byKind(cells);
}

/** A course that `values` do not translate has an id of the old system, which may be registered. */
function placeRead(record: DraftRecord, field: Field, value: unknown): void {
  const isOld = field === 'content.platform_course_id' && typeof value === 'string';
  place(record, isOld ? 'content.external_course_id' : field, value);
}

type Id = string | undefined;

function voiding(values: ValueReaders): {
  /** The id of the row that this one takes back; `undefined` for most rows. */
  readonly voids: (cells: Cells) => Id;
  /** The id by which another row may take this one back; without the rule every row has none. */
  readonly idOf: ((cells: Cells) => Id) | undefined;
} {
  const {
    columns,
    mapping: { voided },
  } = values;
  if (voided === undefined) return { voids: () => undefined, idOf: undefined };
  const holds = values.condition({ column: voided.column, is: voided.is }, 'voided');
  const [target, id] = [columns.indexOf(voided.target, 'voided'), columns.indexOf(voided.id, 'voided')];
  return {
    voids: (cells) => (holds(cells) ? values.textOf(cells[target]) : undefined),
    idOf: (cells) => values.textOf(cells[id]),
  };
}

function groupReader(values: ValueReaders): (cells: Cells) => Id {
  const {
    columns,
    mapping: { group_by, record },
  } = values;
  if (group_by === undefined) return () => undefined;
  const email = columnOf(record['user.email']);
  const indexes = group_by.map((name) => ({
    index: columns.indexOf(name, 'group_by'),
    // E-mail addresses compare without regard to letter case.
    isEmail: name === email,
  }));
  return (cells) => {
    const texts = indexes.map(({ index, isEmail }) => {
      const text = values.textOf(cells[index]);
      return isEmail ? text?.toLowerCase() : text;
    });
    return texts[0] === undefined ? undefined : JSON.stringify(texts);
  };
}

const DATES: readonly Field[] = FIELD_NAMES.filter((field) => FIELDS[field] === 'date');

/** The classes of a record; `undefined` for a value that is no list. */
function classesOf(record: unknown): (DraftClass | null)[] | undefined {
  const classes = memberOf(record, 'progress.classes');
  return Array.isArray(classes) ? classes : undefined;
}

const viewsOf = (classes: readonly (DraftClass | null)[]): Value[] => classes.map((each) => each?.viewed_at as Value);

/** Every date of a record, those of its classes too. */
export function datesOf(record: unknown): Value[] {
  const dates: Value[] = [];
  for (const field of DATES) {
    const date = memberOf(record, field) as Value;
    if (date !== undefined) dates.push(date);
  }
  const classes = classesOf(record);
  if (classes !== undefined) for (const date of viewsOf(classes)) if (date !== undefined) dates.push(date);
  return dates;
}

function resolveTitles(record: DraftRecord, { titles, notes }: CompileContext): void {
  const classes = classesOf(record);
  if (!classes?.some((each) => each?.platform_class_id instanceof ClassTitle)) return;
  const resolved = classes.map((each) => {
    if (!(each?.platform_class_id instanceof ClassTitle)) return each;
    const { title, column } = each.platform_class_id;
    const id = titles?.idOf(record['content'], title);
    if (id === undefined) notes?.add({ kind: 'not_a_class', field: 'progress.classes', column, value: title });
    return { ...each, platform_class_id: id ?? title };
  });
  place(record, 'progress.classes', resolved);
}

/** A course all of whose classes were viewed is completed with the last of them. */
export function datedByClasses(record: JsonObject, mapping: Mapping, { titles }: CompileContext): JsonObject {
  const classes = classesOf(record);
  if (classes === undefined || !isDatedByClasses(mapping) || memberOf(record, 'progress.completed_at') !== undefined)
    return record;
  const latest = viewsOf(classes).reduce(later, undefined);
  const source = mapping.record['progress.classes'];
  const isWhole = classes.length === (Array.isArray(source) ? source.length : titles?.countOf(record['content']));
  const dated = { ...record, progress: { ...(isObject(record['progress']) ? record['progress'] : {}) } };
  if (isWhole) place(dated, 'progress.completed_at', latest);
  return dated;
}

function isDatedByClasses({ record, kinds }: Mapping): boolean {
  const classes = record['progress.classes'];
  return kinds !== undefined && typeof classes === 'object' && !('json' in classes);
}

/** The mapping names classes by their titles, or counts the classes of a course. */
export function needsTitles(mapping: Mapping): boolean {
  const classes = mapping.record['progress.classes'];
  if (isDatedByClasses(mapping) && !Array.isArray(classes)) return true;
  if (Array.isArray(classes)) return (classes as ClassColumn[]).some((each) => each.platform_class_id === undefined);
  return typeof classes === 'object' && 'titles' in classes && classes.titles === true;
}
