/** The mapping file: how the columns of an export become the members of a migration record. Explained in docs/cli.md. */
import * as v from 'valibot';
import { messageOf, UsageError } from '../errors.ts';
import { dateFormatProblem } from './date-format.ts';
import { FIELD_NAMES, isField } from './fields.ts';
import { effectlessMembers } from './source-rules.ts';
import { isLanguage } from './month-names.ts';
import { isOffset, isTimeZone } from './time-zone.ts';
import { type Kinds, OUTCOMES } from '../kinds/kind.ts';
import { kindProblems } from '../kinds/check.ts';

const text = v.pipe(v.string(), v.minLength(1, 'must not be empty'));
const texts = v.array(v.string());
/** The name of a column that the mapping adds. */
const addedName = v.pipe(text, v.startsWith(':', 'must begin with a colon'));
const target = v.union([v.string(), v.number()]);
/** `null`: as if the cell were empty. */
const translated = v.nullable(target);
const dateFormat = v.pipe(
  text,
  v.rawCheck(({ dataset, addIssue }) => {
    const problem = dataset.typed ? dateFormatProblem(dataset.value) : undefined;
    if (problem !== undefined) addIssue({ message: problem });
  }),
);
const dateFormats = v.union([dateFormat, v.pipe(v.array(dateFormat), v.minLength(1, 'must name a format'))]);

const GIVERS = ['column', 'constant', 'template', 'earliest', 'latest'] as const;

/** One value of the row. */
const simple = {
  column: v.optional(text),
  constant: v.optional(v.union([text, v.number()])),
  template: v.optional(v.pipe(text, v.regex(/\{[^{}]+\}/, 'must contain a column in braces, like {Email}'))),
  values: v.optional(v.record(v.string(), translated)),
  otherwise: v.optional(target),
  if_empty: v.optional(target),
  scale: v.optional(v.pipe(v.number(), v.finite())),
  out_of: v.optional(v.union([text, v.pipe(v.number(), v.minValue(0.000001, 'must be more than 0'))])),
  empty: v.optional(texts),
  dates: v.optional(dateFormats),
};
const simpleSource = v.union([text, v.strictObject(simple)]);
/** `true`: use the other dates of the record. */
const someDates = v.union([v.literal(true), v.pipe(v.array(simpleSource), v.minLength(1, 'must name a column'))]);

const valueSource = v.pipe(
  v.strictObject({
    ...simple,
    earliest: v.optional(someDates),
    latest: v.optional(someDates),
    pick: v.optional(v.picklist(['first', 'last', 'earliest', 'latest', 'highest', 'lowest'])),
  }),
  v.check(
    (source) => GIVERS.filter((name) => source[name] !== undefined).length === 1,
    'must have exactly one of column, constant, template, earliest and latest',
  ),
);

/** A condition on a row: a text of a column, or an empty cell. */
const condition = v.pipe(
  v.strictObject({ column: text, is: v.optional(texts), is_not: v.optional(texts), empty: v.optional(v.boolean()) }),
  v.check(
    ({ is, is_not, empty }) => [is, is_not, empty].filter((given) => given !== undefined).length === 1,
    'must have exactly one of is, is_not and empty',
  ),
);

/** One column for each class: a filled cell means viewed; with `dates`, the cell is the date. */
const classColumn = v.strictObject({
  column: text,
  /** Absent: the class of the course whose title is the header. */
  platform_class_id: v.optional(v.pipe(v.number(), v.safeInteger())),
  viewed: v.optional(texts),
  not_viewed: v.optional(texts),
  dates: v.optional(dateFormats),
  date_column: v.optional(text),
});

/** All classes in one column: a class, ids between separators, or a JSON array as in the interface. */
const classList = v.pipe(
  v.strictObject({
    column: text,
    separator: v.optional(text),
    json: v.optional(v.boolean()),
    /** `null`: not a class. */
    values: v.optional(v.record(v.string(), v.nullable(v.number()))),
    titles: v.optional(v.literal(true)),
    viewed_if: v.optional(condition),
    dates: v.optional(dateFormats),
    date_column: v.optional(text),
  }),
  v.check(
    ({ json, separator, values, titles, date_column }) =>
      json !== true || [separator, values, titles, date_column].every((given) => given === undefined),
    'with json, separator, values, titles and date_column have no effect',
  ),
);

const field = v.union(
  [text, valueSource, v.pipe(v.array(v.union([text, valueSource])), v.minLength(1, 'must name a column'))],
  'must be a column name, a list of them, or an object with column, constant, template, earliest or latest',
);

const column = v.nullish(text);
const kinds = v.strictObject({
  columns: v.record(
    text,
    v.strictObject({
      read: v.picklist(['text', 'dated', 'percent', 'share', 'date']),
      scale: v.optional(v.pipe(v.number(), v.finite())),
      out_of: v.optional(text),
      dates: v.optional(dateFormats),
    }),
  ),
  dates: v.optional(v.record(text, dateFormats)),
  confirmed: v.array(
    v.strictObject({
      values: v.record(v.string(), v.string()),
      outcome: v.picklist(OUTCOMES, `must be one of ${OUTCOMES.join(', ')}`),
      date: column,
      percent: column,
      reason: v.nullish(v.string()),
      rows: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
    }),
  ),
});

const mappingSchema = v.strictObject({
  $schema: v.optional(v.string()),
  system: v.optional(text),
  encoding: v.optional(text),
  delimiter: v.optional(v.pipe(v.string(), v.length(1))),
  /** The one sheet of a workbook that is read. */
  sheet: v.optional(text),
  /** Line of the header. Without it the header is the first row that has all the columns that the mapping names. */
  header_line: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  /** Path of the array in a JSON file; and of an array in each of its items, whose items are the rows. */
  items: v.optional(text),
  rows: v.optional(text),
  decimal: v.optional(v.picklist([',', '.'])),
  dates: v.optional(dateFormats),
  /** Language of month names that mean different months in different languages. */
  language: v.optional(v.pipe(text, v.check(isLanguage, 'must be a language, like de or pt-BR'))),
  time_zone: v.optional(v.pipe(text, v.check(isTimeZone, 'must be an IANA time zone, like Europe/Madrid'))),
  /** Offsets of zone abbreviations. */
  zones: v.optional(v.record(v.string(), v.pipe(text, v.check(isOffset, 'must be an offset, like +01:00')))),
  empty: v.optional(texts),
  skip: v.optional(v.array(condition)),
  /** Rows that take back another row, by its id, like the statement "voided" of xAPI: neither of the two counts. */
  voided: v.optional(
    v.strictObject({ column: text, is: v.pipe(texts, v.minLength(1, 'must name a text')), target: text, id: text }),
  ),
  group_by: v.optional(v.pipe(v.array(text), v.minLength(1, 'must name a column'))),
  /** What a person has to decide before anything is imported: several columns may name the learner or the course. */
  undecided: v.optional(v.array(v.picklist(['learner', 'course', 'dates', 'columns']))),
  kinds: v.optional(kinds),
  /** Blocks of columns: each makes a row of its own, with the texts of `set` and the cells of `from` under names like `:course`. */
  repeat: v.optional(
    v.pipe(
      v.array(v.strictObject({ set: v.optional(v.record(addedName, v.string())), from: v.record(addedName, text) })),
      v.minLength(1, 'must have a block'),
    ),
  ),
  /** Columns whose empty cells have the text of the row above. */
  fill_down: v.optional(v.pipe(texts, v.minLength(1, 'must name a column'))),
  /** Rows with nothing but a first cell are headings: the column that the rows below get their text in. */
  headings: v.optional(addedName),
  record: v.strictObject({
    ...Object.fromEntries(FIELD_NAMES.map((name) => [name, v.optional(field)])),
    external_record_id: field,
    'progress.classes': v.optional(v.unknown()),
  }),
});

export type SimpleSource = v.InferOutput<typeof simpleSource>;
export type ValueSource = v.InferOutput<typeof valueSource>;
export type Source = string | ValueSource | (string | ValueSource)[];
export type ClassColumn = v.InferOutput<typeof classColumn>;
export type ClassList = v.InferOutput<typeof classList>;
export type Condition = v.InferOutput<typeof condition>;
export type Mapping = Omit<v.InferOutput<typeof mappingSchema>, 'record' | 'kinds'> & {
  readonly kinds?: Kinds | undefined;
  readonly record: Readonly<Record<string, Source | ClassList | ClassColumn[] | undefined>>;
};

/** The value of a mapping file, which may begin with a byte-order mark. @throws UsageError with the path if it is not JSON */
export function mappingJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\u{feff}/u, ''));
  } catch (error) {
    throw new UsageError(`The mapping ${path} is not JSON: ${messageOf(error)}`);
  }
}

/** @throws UsageError with the path of the file and every member of it that is wrong */
export function checkedMapping(path: string, value: unknown): Mapping {
  const checked = v.safeParse(mappingSchema, value);
  const mapping = checked.output as Mapping;
  const problems = checked.success
    ? [...classesProblems(mapping.record['progress.classes']), ...effectlessIn(mapping), ...kindProblems(mapping)]
    : checked.issues.map((issue) => `${v.getDotPath(issue) ?? 'mapping'}: ${problemOf(issue)}`);
  if (problems.length === 0) return mapping;
  throw new UsageError(
    [`The mapping ${path} is not valid:`, ...new Set(problems.map((each) => `  ${each}`))].join('\n'),
  );
}

/** Checked apart: of a union, only the intended form may report problems. */
function classesProblems(classes: unknown): string[] {
  if (classes === undefined || (typeof classes === 'string' && classes !== '')) return [];
  const schema = Array.isArray(classes) ? v.array(classColumn) : classList;
  const checked = v.safeParse(schema, classes);
  if (checked.success) return [];
  return checked.issues.map(
    (issue) =>
      ['record.progress.classes', v.getDotPath(issue)].filter((part) => part !== null).join('.') +
      `: ${problemOf(issue)}`,
  );
}

/** A member without effect is a mistake of the author. */
function effectlessIn({ record, group_by }: Mapping): string[] {
  return Object.entries(record).flatMap(([name, given]) => {
    if (given === undefined || name === 'progress.classes' || !isField(name)) return [];
    return [given]
      .flat()
      .flatMap((source) =>
        effectlessMembers(name, source, group_by !== undefined).map((problem) => `record.${name}: ${problem}`),
      );
  });
}

type Issue = v.BaseIssue<unknown>;

function problemOf({ type, kind, message, path, expected }: Issue): string {
  const name = String(path?.at(-1)?.key);
  const isUnknown = kind === 'schema' && type === 'strict_object' && expected === 'never';
  if (!isUnknown) return message;
  const isRecordMember = path?.some(({ key }) => key === 'record') === true;
  return isRecordMember && !isField(name)
    ? `there is no such member of a record; the members are ${FIELD_NAMES.join(', ')}`
    : 'there is no such member';
}
