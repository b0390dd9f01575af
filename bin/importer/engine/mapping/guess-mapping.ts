import { type Field, type FieldKind, FIELDS, isField } from './fields.ts';
import { guessColumns, type Role } from './guess-columns.ts';
import { type Guessing, ignoredColumns, progressSources, saysUnknown } from './guess-progress.ts';
import { countedTexts } from './guess-status.ts';
import { withoutDeleted } from './guess-deleted.ts';
import { finalGrade, hasScale, maximumOf } from './guess-grades.ts';
import { classColumns, classesOf } from './guess-modules.ts';
import { columnOf, namedColumns } from './named-columns.ts';
import { type PresetUse, presetUse, type UsedSource } from './presets.ts';
import type { ClassList, Mapping, Source, ValueSource } from './schema.ts';
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
  /** What a person should know, as text. The guesses that a person has to confirm are in the mapping. */
  readonly doubts: readonly string[];
  /** The classes that the rows name, if a column names a part of a course. */
  readonly classes?: ClassList;
}

interface Drafting extends Guessing {
  /** The order that all date columns together show. */
  readonly monthFirst: boolean | undefined;
  /** The column of the points that an exam has. */
  readonly maximum: ColumnProfile | undefined;
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
  const guesses: string[] = [];
  const drafting = { doubts, guesses, monthFirst: monthIsFirst(profile.columns), maximum: maximumOf(profile.columns) };
  const preset = presetUse(system, profile.columns);
  const columns = guessColumns(profile.columns);
  const record: Draft =
    preset === undefined ? guessedRecord(columns, drafting) : presetRecord(preset, columns, drafting);
  if (preset === undefined) fillGrade(record, profile.columns, guesses);
  const hasClasses = preset === undefined && fillClasses(record, profile.columns, doubts);
  fillDates(record, preset?.keepsDates === true);
  fillUser(record, columns, doubts);
  fillCourse(record, columns, doubts);
  fillRecordId(record, doubts);
  const drafted: Mapping = {
    ...(preset && { system: preset.name }),
    ...notationOf(profile.columns),
    ...preset?.settings,
    ...(hasClasses ? { skip_without_progress: true } : {}),
    record: { external_record_id: '', ...record },
  };
  guesses.push(...ignoredColumns(drafted, profile.columns));
  const mapping = withGuesses(withoutDeleted(drafted, profile.columns, guesses), guesses);
  const classes = preset === undefined ? classesOf(columns) : undefined;
  return { mapping, doubts: [...doubts, ...lostColumns(profile, mapping)], ...(classes && { classes }) };
}

/** Members that `progressSources` fills, or that are no members. */
const COMPOSED: ReadonlySet<string> = new Set(['progress.completion_pct', 'assessment.status']);

const withGuesses = ({ record, ...mapping }: Mapping, guesses: readonly string[]): Mapping => ({
  ...mapping,
  ...(guesses.length === 0 ? {} : { guesses: [...guesses] }),
  record,
});

function guessedRecord(columns: ReadonlyMap<Role, ColumnProfile>, drafting: Drafting): Draft {
  const record: Draft = {};
  for (const [role, column] of columns)
    if (!COMPOSED.has(role) && isField(role) && (role !== 'assessment.score_pct' || hasScale(column, drafting)))
      record[role] = sourceFor(role, column, drafting);
  const enrolled = columns.get('enrolled');
  const started = record['progress.started_at'];
  // Where a learner has not started, the enrollment is the first date.
  if (enrolled !== undefined) {
    const date = dateSource(enrolled, drafting);
    record['progress.started_at'] = started === undefined ? date : [started, date].flat();
  }
  return { ...record, ...progressSources(columns, drafting) };
}

/** The rules of the preset, with the date formats of this file; members that the preset does not know are left out. */
function presetRecord(
  { record, classes, doubts, guesses }: PresetUse,
  columns: ReadonlyMap<Role, ColumnProfile>,
  drafting: Drafting,
): Draft {
  const draft: Draft = {};
  for (const [name, used] of Object.entries(record)) {
    const sources = used.map((each) => withDates(isField(name) ? FIELDS[name] : 'text', each, drafting));
    draft[name] = sources.length === 1 ? sources[0] : sources;
  }
  if (classes.length > 0) draft['progress.classes'] = [...classes];
  if (columns.has('user.email') && draft['user.email'] === undefined)
    draft['user.email'] = columns.get('user.email')?.reference ?? '';
  drafting.doubts.push(...doubts);
  drafting.guesses.push(...guesses);
  // An export of another version or language.
  const hasProgress = ['progress.completion_pct', 'progress.classes', 'assessment.status'].some(
    (name) => name in draft,
  );
  return hasProgress ? draft : { ...guessedRecord(columns, drafting), ...draft };
}

function withDates(kind: FieldKind, { source, column }: UsedSource, drafting: Drafting): string | ValueSource {
  if (kind !== 'date' || column === undefined) return source;
  const found = dateSource(column, drafting);
  return typeof source === 'string' || typeof found === 'string' ? found : { ...source, ...found };
}

function sourceFor(field: Field, column: ColumnProfile, drafting: Drafting): string | ValueSource {
  const kind = FIELDS[field];
  if (kind === 'date') return dateSource(column, drafting);
  if (field !== 'assessment.score_pct') return column.reference;
  // A word beside scores is no score.
  const words = column.values.filter((text) => !/\d/.test(text));
  const values = words.length === 0 ? {} : { values: Object.fromEntries(words.map((text) => [text, null])) };
  const extras = { ...values, ...(areFractions(column) ? { scale: 100 } : {}) };
  return Object.keys(extras).length === 0 ? column.reference : { column: column.reference, ...extras };
}

/** A format with the other order of day and month. */
const isOther = (format: string, monthFirst: boolean | undefined): boolean =>
  monthFirst !== undefined && (monthFirst ? isDayFirst(format) : isMonthFirst(format));

function dateSource(column: ColumnProfile, { doubts, guesses, monthFirst }: Drafting): string | ValueSource {
  const { reference, dateFormats, values } = column;
  const fitting = dateFormats.filter((each) => !isOther(each, monthFirst));
  const [format] = fitting;
  if (format === undefined) doubts.push(formatDoubt(column));
  if (fitting.some(isDayFirst) && fitting.some(isMonthFirst)) guesses.push(orderGuess(column, format));
  const zeroMeansNever = values.includes('0') && format?.startsWith('epoch') === true;
  if (format === undefined || (format === 'iso' && !zeroMeansNever)) return reference;
  return { column: reference, dates: format, ...(zeroMeansNever ? { empty: ['0'] } : {}) };
}

const orderGuess = ({ reference, values: [sample], filled }: ColumnProfile, format: string | undefined): string =>
  `"${reference}": "${sample}" may be day first or month first; ${format} is assumed in ${filled} ${filled === 1 ? 'row' : 'rows'}.`;

const formatDoubt = ({ reference, values: [sample] }: ColumnProfile): string =>
  `"${reference}": no known date format fits all of its values, like "${sample}". Set "dates". Until then these records are rejected.`;

function notationOf(columns: readonly ColumnProfile[]): Pick<Mapping, 'decimal' | 'empty'> {
  const hasComma = columns.some(({ hasDecimalComma, isNumber }) => isNumber && hasDecimalComma);
  const nothings = [...new Set(columns.flatMap((column) => column.nothings))];
  return { ...(hasComma ? { decimal: ',' as const } : {}), ...(nothings.length > 0 ? { empty: nothings } : {}) };
}

/** A grade book says how well a learner did: that it is how far, too, is for a person to say. */
function fillGrade(record: Draft, columns: readonly ColumnProfile[], guesses: string[]): void {
  if (record['progress.completion_pct'] !== undefined || record['assessment.status'] !== undefined) return;
  const final = finalGrade(columns);
  if (final === undefined) return;
  const { column, source } = final;
  record['progress.completion_pct'] = source;
  guesses.push(
    `"${column.reference}": the final grade ${countedTexts(column)} is read as how far a learner is, which a grade book does not say.`,
  );
}

/** If no column has the progress of a learner, columns for single classes may give it. */
function fillClasses(record: Draft, columns: readonly ColumnProfile[], doubts: string[]): boolean {
  if (record['progress.completion_pct'] !== undefined || record['assessment.status'] !== undefined) return false;
  const used = JSON.stringify(record);
  const classes = classColumns(columns, ({ reference }) => used.includes(JSON.stringify(reference)));
  if (classes.length === 0) return false;
  record['progress.classes'] = classes;
  doubts.push(
    `progress.classes: ${classes.length} columns like "${classes[0]?.column}" are taken for classes of one course, whose titles in the catalog have to be their headers; else add "platform_class_id" to each. If each is a course, draft again with --match-courses.`,
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

function fillUser(record: Draft, columns: ReadonlyMap<Role, ColumnProfile>, doubts: string[]): void {
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

function fillCourse(record: Draft, columns: ReadonlyMap<Role, ColumnProfile>, doubts: string[]): void {
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
  const user = columnOf(record['user.email'] ?? record['user.external_user_id']);
  const course = columnOf(record['content.platform_course_id'] ?? record['content.external_course_id']);
  const completed = columnOf([record['progress.completed_at']].flat()[0]);
  const pair = { template: `{${user}}/{${course}}` };
  // A learner may complete a course again, so that the date is part of the identity.
  const renewal = { template: `{${user}}/{${course}}/{${completed}}` };
  if (user !== undefined && course !== undefined)
    record['external_record_id'] = completed === undefined ? pair : [renewal, pair];
  else if (user !== undefined) record['external_record_id'] = { template: `{:file}/{${user}}` };
  else doubts.push('external_record_id: no column identifies the user. Fill it in.');
}

const MOST_LOST = 20;

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
  const unknown = columns.filter((column) => !used.has(column.reference) && saysUnknown(column));
  return [
    ...(missing && mapping.record['assessment.status'] === undefined
      ? [
          'progress.completion_pct: no column gives the progress of a learner. Without it every record would be rejected. Name the system with --system, or write the column and the meaning of its words.',
          ...unknown.map(
            (column) =>
              `"${column.reference}": say in "values" of progress.completion_pct, with 100 or "not_completed", what ${countedTexts(column)} means.`,
          ),
        ]
      : []),
    ...lost
      .slice(0, MOST_LOST)
      .map(
        ({ reference, values: [value = ''] }) =>
          `"${reference}" is not used, although it holds values like "${value}".`,
      ),
    ...(lost.length > MOST_LOST ? [`${lost.length - MOST_LOST} more columns with dates or numbers are not used.`] : []),
  ];
}
