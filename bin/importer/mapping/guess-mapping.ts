import { type Field, type FieldKind, FIELDS, isField, isObject } from './fields.ts';
import { guessColumns } from './guess-columns.ts';
import { classColumns } from './guess-modules.ts';
import { namedColumns } from './named-columns.ts';
import { type PresetUse, presetUse, type UsedSource } from './presets.ts';
import type { Mapping, Source, ValueSource } from './schema.ts';
import { guessStatus } from './guess-status.ts';
import {
  areFractions,
  type ColumnProfile,
  isDayFirst,
  isMonthFirst,
  monthIsFirst,
  type TableProfile,
} from './table-profile.ts';

export interface GuessedMapping {
  readonly mapping: Mapping;
  /** The guesses that a person has to check, as text. */
  readonly doubts: readonly string[];
}

interface Guessing {
  readonly doubts: string[];
  /** The order that all date columns together show. */
  readonly monthFirst: boolean | undefined;
}

type Draft = Record<string, Source | Mapping['record'][string]>;

/**
 * A draft of a mapping, guessed from the headers and the values of all rows.
 *
 * @param system a preset whose rules come before the guess
 * @throws UsageError for a system without a preset
 */
export function guessMapping(profile: TableProfile, system?: string): GuessedMapping {
  const doubts: string[] = [];
  const guessing = { doubts, monthFirst: monthIsFirst(profile.columns) };
  const preset = presetUse(system, profile.columns);
  const columns = guessColumns(profile.columns);
  const record: Draft = {
    ...(preset === undefined ? guessedRecord(columns, guessing) : presetRecord(preset, columns, guessing)),
  };
  const hasClasses = preset === undefined && fillClasses(record, profile.columns, doubts);
  fillDates(record, preset?.keepsDates === true);
  fillUser(record, columns, doubts);
  fillCourse(record, columns, doubts);
  fillRecordId(record, doubts);
  const mapping: Mapping = {
    ...(preset === undefined ? {} : { system: preset.name }),
    ...notationOf(profile.columns),
    ...preset?.settings,
    ...(hasClasses ? { skip_without_progress: true } : {}),
    record: { external_record_id: '', ...record },
  };
  return { mapping, doubts: [...doubts, ...lostColumns(profile, mapping)] };
}

function guessedRecord(columns: ReadonlyMap<Field, ColumnProfile>, guessing: Guessing): Draft {
  const record: Draft = {};
  for (const [field, column] of columns) {
    const source = sourceFor(field, column, guessing);
    if (field !== 'assessment.status') record[field] = source;
    else Object.assign(record, guessStatus(column, columns.has('progress.completion_pct'), guessing.doubts));
  }
  return record;
}

/** The rules of the preset, with the date formats of this file; members that the preset does not know are left out. */
function presetRecord(
  { record, classes }: PresetUse,
  columns: ReadonlyMap<Field, ColumnProfile>,
  guessing: Guessing,
): Draft {
  const draft: Draft = {};
  for (const [name, used] of Object.entries(record)) {
    const sources = used.map((each) => withDates(isField(name) ? FIELDS[name] : 'text', each, guessing));
    draft[name] = sources.length === 1 ? sources[0] : sources;
  }
  if (classes.length > 0) draft['progress.classes'] = [...classes];
  if (columns.has('user.email') && draft['user.email'] === undefined)
    draft['user.email'] = columns.get('user.email')?.reference ?? '';
  return draft;
}

function withDates(kind: FieldKind, { source, column }: UsedSource, guessing: Guessing): string | ValueSource {
  if (kind !== 'date' || column === undefined) return source;
  const found = dateSource(column, guessing);
  return typeof source === 'string' || typeof found === 'string' ? found : { ...source, ...found };
}

function sourceFor(field: Field, column: ColumnProfile, guessing: Guessing): string | ValueSource {
  const kind = FIELDS[field];
  if (kind === 'date') return dateSource(column, guessing);
  return kind === 'number' && areFractions(column) ? { column: column.reference, scale: 100 } : column.reference;
}

function dateSource(column: ColumnProfile, { doubts, monthFirst }: Guessing): string | ValueSource {
  const { reference, dateFormats, values } = column;
  const isOther = monthFirst === true ? isDayFirst : isMonthFirst;
  const fitting = dateFormats.filter((each) => monthFirst === undefined || !isOther(each));
  const [format] = fitting;
  const doubt = dateDoubt(column, fitting);
  if (doubt !== undefined) doubts.push(doubt);
  const zeroMeansNever = values.includes('0') && format?.startsWith('epoch') === true;
  if (format === undefined || (format === 'iso' && !zeroMeansNever)) return reference;
  return { column: reference, dates: format, ...(zeroMeansNever ? { empty: ['0'] } : {}) };
}

function dateDoubt({ reference, values: [sample] }: ColumnProfile, fitting: readonly string[]): string | undefined {
  if (sample === undefined) return undefined;
  const [format] = fitting;
  if (format === undefined)
    return `"${reference}": no known date format fits all of its values, like "${sample}". Set "dates".`;
  return fitting.some(isDayFirst) && fitting.some(isMonthFirst)
    ? `"${reference}": "${sample}" may be day first or month first; ${format} is assumed.`
    : undefined;
}

function notationOf(columns: readonly ColumnProfile[]): Pick<Mapping, 'decimal' | 'empty'> {
  const hasComma = columns.some(({ hasDecimalComma, isNumber }) => isNumber && hasDecimalComma);
  const nothings = [...new Set(columns.flatMap((column) => column.nothings))];
  return { ...(hasComma ? { decimal: ',' as const } : {}), ...(nothings.length > 0 ? { empty: nothings } : {}) };
}

/** If no column has the progress of a learner, columns for single classes may give it. */
function fillClasses(record: Draft, columns: readonly ColumnProfile[], doubts: string[]): boolean {
  if (record['progress.completion_pct'] !== undefined || record['assessment.status'] !== undefined) return false;
  const used = JSON.stringify(record);
  const classes = classColumns(columns, ({ reference }) => used.includes(JSON.stringify(reference)));
  if (classes.length === 0) return false;
  record['progress.classes'] = classes;
  doubts.push(
    `progress.classes: ${classes.length} columns are taken for classes, whose titles in the catalog have to be their headers; else add "platform_class_id" to each.`,
  );
  return true;
}

/** A date that no column gives is taken from the other dates of the record, rather than from the day of the import. */
function fillDates(record: Draft, keepsDates: boolean): void {
  const hasDate =
    Object.keys(record).some((name) => isField(name) && FIELDS[name] === 'date') ||
    Array.isArray(record['progress.classes']);
  if (!hasDate || keepsDates) return;
  const list = (source: Draft[string]): (string | ValueSource)[] => (source === undefined ? [] : [source].flat());
  const own = (name: string, rule: ValueSource): void => {
    const given = list(record[name]);
    record[name] = given.length === 0 ? rule : [...given, rule];
  };
  own('progress.started_at', { earliest: true });
  own('progress.last_activity_at', { latest: true });
  own('progress.completed_at', { latest: true });
  if (record['assessment.status'] !== undefined) own('assessment.taken_at', { latest: true });
}

function fillUser(record: Draft, columns: ReadonlyMap<Field, ColumnProfile>, doubts: string[]): void {
  if (record['user.email'] !== undefined) {
    // The e-mail address is enough; an id of the old system would have to be registered first.
    delete record['user.external_user_id'];
    return;
  }
  const id = columns.get('user.external_user_id');
  if (record['user.external_user_id'] === undefined && id !== undefined) record['user.external_user_id'] = id.reference;
  doubts.push(
    record['user.external_user_id'] === undefined
      ? 'user.email: no column with e-mail addresses was recognised. Fill it in.'
      : 'user.external_user_id: register the ids with map-users first.',
  );
}

function fillCourse(record: Draft, columns: ReadonlyMap<Field, ColumnProfile>, doubts: string[]): void {
  if (record['content.platform_course_id'] !== undefined) return;
  const course = columns.get('content.external_course_id');
  if (record['content.external_course_id'] === undefined && course !== undefined)
    record['content.external_course_id'] = course.reference;
  doubts.push(
    record['content.external_course_id'] === undefined
      ? 'content.platform_course_id: no column names the course. For an export of one course write { "constant": 101 }, or --set content.platform_course_id=101.'
      : 'content.external_course_id: register the ids with map-courses first.',
  );
}

/** An export without record ids has one row for each user and course, so the two identify the record. */
function fillRecordId(record: Draft, doubts: string[]): void {
  if (record['external_record_id'] !== undefined) return;
  const user = referenceOf(record['user.email'] ?? record['user.external_user_id']);
  const course = referenceOf(record['content.platform_course_id'] ?? record['content.external_course_id']);
  if (user !== undefined && course !== undefined) record['external_record_id'] = { template: `{${user}}/{${course}}` };
  else if (user !== undefined) record['external_record_id'] = { template: `{:file}/{${user}}` };
  else doubts.push('external_record_id: no column identifies the user. Fill it in.');
}

function referenceOf(source: unknown): string | undefined {
  if (typeof source === 'string') return source;
  const column = isObject(source) ? source['column'] : undefined;
  return typeof column === 'string' ? column : undefined;
}

/** Columns that look like history and that the mapping does not use: the draft names their loss. */
function lostColumns({ columns }: TableProfile, mapping: Mapping): string[] {
  const used = new Set(namedColumns(mapping));
  const lost = columns.filter(
    ({ name, reference, values, isNumber, dateFormats }) =>
      !used.has(reference) &&
      values.length > 0 &&
      (dateFormats.some((format) => format !== 'excel' && format !== 'epoch') ||
        (isNumber && /%|percent|progress|score|grade|complet/i.test(name))),
  );
  const missing = (['progress.completion_pct', 'progress.classes'] as const).every(
    (field) => mapping.record[field] === undefined,
  );
  return [
    ...(missing && mapping.record['assessment.status'] === undefined
      ? [
          'progress.completion_pct: no column gives the progress of a learner. Without it every record would be rejected.',
        ]
      : []),
    ...lost.map(
      ({ reference, values: [value = ''] }) => `"${reference}" is not used, although it holds values like "${value}".`,
    ),
  ];
}
