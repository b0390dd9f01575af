import { ClassReaders, ClassTitle, type DraftClass } from './class-reader.ts';
import type { Columns } from './columns.ts';
import { type DraftRecord, type Field, FIELD_NAMES, FIELDS, isField, memberOf, place } from './fields.ts';
import type { Notes } from './notes.ts';
import type { ClassColumn, ClassList, Mapping } from './schema.ts';
import { type Cells, earlier, later, ownDates, type Value, ValueReaders } from './value-reader.ts';

/** Makes a migration record (§2.7) of the cells of one row. Empty cells become absent members. */
type ToRecord = (cells: Cells) => Readonly<Record<string, unknown>>;

/** Class ids by title, which only the platform knows. */
export interface ClassTitles {
  /** Id of a class of a course, by the titles of its catalog; `undefined` if no title is equal. */
  idOf(content: unknown, title: string): number | undefined;
}

export interface CompileContext {
  readonly notes?: Notes | undefined;
  readonly titles?: ClassTitles | undefined;
}

export interface CompiledMapping {
  readonly toRecord: ToRecord;
  /** True if a rule of `skip` excludes the row. */
  readonly isSkipped: (cells: Cells) => boolean;
  /** The key that the rows of one record share; `undefined` if each row is a record. */
  readonly groupOf: (cells: Cells) => string | undefined;
}

/** @throws UsageError naming the column that the file lacks */
export function compileMapping(mapping: Mapping, columns: Columns, context: CompileContext = {}): CompiledMapping {
  const values = new ValueReaders(mapping, columns, context.notes);
  const classes = new ClassReaders(values, columns, context.notes);
  const sources = Object.entries(mapping.record).flatMap(([name, source]) =>
    source === undefined || !isField(name) ? [] : [{ field: name, source }],
  );
  const readers = sources.map(({ field, source }) => ({
    field,
    read:
      FIELDS[field] === 'classes'
        ? classes.reader(source as string | ClassList | ClassColumn[])
        : values.reader(field, source),
  }));
  const fromOwnDates = sources.flatMap(({ field, source }) => {
    const which = FIELDS[field] === 'date' ? ownDates(source) : undefined;
    return which === undefined ? [] : [{ field, better: which === 'earliest' ? earlier : later }];
  });
  const skips = (mapping.skip ?? []).map((each) => values.condition(each, 'skip'));
  return {
    isSkipped: (cells) => skips.some((holds) => holds(cells)),
    groupOf: groupReader(mapping, columns, values),
    toRecord: (cells) => {
      const record: DraftRecord = { content: { type: 'course' } };
      for (const { field, read } of readers) place(record, field, read(cells));
      resolveTitles(record, context);
      const isComplete = completeness(mapping, record);
      for (const { field, better } of fromOwnDates)
        if (memberOf(record, field) === undefined && hasWhatIsDated(field, record, isComplete))
          place(record, field, datesOf(record).reduce(better, undefined));
      return record;
    },
  };
}

/** True if the record itself shows that the course is completed. */
function completeness({ record: { 'progress.classes': source } }: Mapping, record: DraftRecord): boolean {
  const pct = memberOf(record, 'progress.completion_pct');
  if (pct !== undefined) return typeof pct === 'number' && pct >= 100;
  const classes = memberOf(record, 'progress.classes');
  if (Array.isArray(classes)) return Array.isArray(source) && classes.length === source.length;
  return memberOf(record, 'assessment.status') === 'passed';
}

/** Removes the date of a course that is not completed, and of an exam that was not taken. */
function hasWhatIsDated(field: Field, record: DraftRecord, isComplete: boolean): boolean {
  if (field === 'progress.completed_at') return isComplete;
  if (field !== 'assessment.taken_at') return record['progress'] !== undefined || record['assessment'] !== undefined;
  const status = memberOf(record, 'assessment.status');
  return status === 'passed' || status === 'failed';
}

function groupReader(
  { group_by, record }: Mapping,
  columns: Columns,
  values: ValueReaders,
): CompiledMapping['groupOf'] {
  if (group_by === undefined) return () => undefined;
  const email = record['user.email'];
  const indexes = group_by.map((name) => ({
    index: columns.indexOf(name, 'group_by'),
    // E-mail addresses compare without regard to letter case.
    isEmail: name === (typeof email === 'object' && 'column' in email ? email.column : email),
  }));
  return (cells) => {
    const texts = indexes.map(({ index, isEmail }) => {
      const text = values.textOf(cells[index]);
      return isEmail ? text?.toLowerCase() : text;
    });
    return texts.includes(undefined) ? undefined : JSON.stringify(texts);
  };
}

const DATES: readonly Field[] = FIELD_NAMES.filter((field) => FIELDS[field] === 'date');

/** Every date of a record, those of its classes too. */
export function datesOf(record: unknown): Value[] {
  const classes = memberOf(record, 'progress.classes');
  const viewed = Array.isArray(classes) ? classes.map((each: DraftClass | null) => each?.viewed_at as Value) : [];
  return [...DATES.map((field) => memberOf(record, field) as Value), ...viewed].filter((date) => date !== undefined);
}

function resolveTitles(record: DraftRecord, { titles, notes }: CompileContext): void {
  const classes = memberOf(record, 'progress.classes');
  if (
    !Array.isArray(classes) ||
    !classes.some((each: DraftClass | null) => each?.platform_class_id instanceof ClassTitle)
  )
    return;
  const resolved = classes.map((each: DraftClass) => {
    if (!(each.platform_class_id instanceof ClassTitle)) return each;
    const { title, column } = each.platform_class_id;
    const id = titles?.idOf(record['content'], title);
    if (id === undefined) notes?.add({ kind: 'not_a_class', field: 'progress.classes', column, value: title });
    return { ...each, platform_class_id: id ?? title };
  });
  place(record, 'progress.classes', resolved);
}

/** True if the mapping needs class titles of the catalog. */
export function needsTitles({ record }: Mapping): boolean {
  const classes = record['progress.classes'];
  if (Array.isArray(classes)) return (classes as ClassColumn[]).some((each) => each.platform_class_id === undefined);
  return typeof classes === 'object' && 'titles' in classes && classes.titles === true;
}
