/** The mapping file: how the columns of an export become the members of a migration record. Explained in docs/cli.md. */
import * as v from 'valibot';
import { type Code, type Codes, type Said, say } from '../ground/codes.ts';
import { dateFormatProblem } from '../dates/date-format.ts';
import { FIELD_NAMES } from '../ground/fields.ts';
import { table } from './table.ts';
import { isLanguage } from '../dates/month-names.ts';
import { isOffset, isTimeZone } from '../dates/time-zone.ts';

/** Messages of valibot are texts: these are codes as JSON. */
const message = <Some extends Code>(code: Some, params: Codes[Some]): string => JSON.stringify(say(code, params));

/** The code that a message is; `undefined` for a message of valibot itself. */
export const saidBy = (issue: string): Said | undefined =>
  issue.startsWith('{') ? (JSON.parse(issue) as Said) : undefined;

const text = v.pipe(v.string(), v.minLength(1, message('empty_text', {})));
const texts = v.array(v.string());
const addedName = v.pipe(text, v.startsWith(':', message('name_without_colon', {})));
const target = v.union([v.string(), v.number()]);
/** `null`: as if the cell were empty. */
const translated = v.nullable(target);
const dateFormat = v.pipe(
  text,
  v.rawCheck(({ dataset, addIssue }) => {
    const problem = dataset.typed ? dateFormatProblem(dataset.value) : undefined;
    if (problem !== undefined) addIssue({ message: JSON.stringify(problem) });
  }),
);
const dateFormats = v.union([dateFormat, v.pipe(v.array(dateFormat), v.minLength(1, message('no_format', {})))]);

const GIVERS = ['column', 'constant', 'template', 'earliest', 'latest'] as const;

const simple = {
  column: v.optional(text),
  constant: v.optional(v.union([text, v.number()])),
  template: v.optional(v.pipe(text, v.regex(/\{[^{}]+\}/, message('template_without_column', {})))),
  values: v.optional(table(v.string(), translated)),
  otherwise: v.optional(target),
  if_empty: v.optional(target),
  scale: v.optional(v.pipe(v.number(), v.finite())),
  out_of: v.optional(v.union([text, v.pipe(v.number(), v.minValue(0.000001, message('not_positive', {})))])),
  empty: v.optional(texts),
  dates: v.optional(dateFormats),
};
const simpleSource = v.union([text, v.strictObject(simple)]);
/** `true`: use the other dates of the record. */
const someDates = v.union([v.literal(true), v.pipe(v.array(simpleSource), v.minLength(1, message('no_column', {})))]);

const valueSource = v.pipe(
  v.strictObject({
    ...simple,
    earliest: v.optional(someDates),
    latest: v.optional(someDates),
    pick: v.optional(v.picklist(['first', 'last', 'earliest', 'latest', 'highest', 'lowest'])),
  }),
  v.check(
    (source) => GIVERS.filter((name) => source[name] !== undefined).length === 1,
    message('not_one_of_members', { members: GIVERS }),
  ),
);

/** A condition on a row: a text of a column, or an empty cell. */
export const condition = v.pipe(
  v.strictObject({ column: text, is: v.optional(texts), is_not: v.optional(texts), empty: v.optional(v.boolean()) }),
  v.check(
    ({ is, is_not, empty }) => [is, is_not, empty].filter((given) => given !== undefined).length === 1,
    message('not_one_of_members', { members: ['is', 'is_not', 'empty'] }),
  ),
);

/** One column for each class: a filled cell means viewed; with `dates`, the cell is the date. */
export const classColumn = v.strictObject({
  column: text,
  /** Absent: the class of the course whose title is the header. */
  platform_class_id: v.optional(v.pipe(v.number(), v.safeInteger())),
  viewed: v.optional(texts),
  not_viewed: v.optional(texts),
  dates: v.optional(dateFormats),
  date_column: v.optional(text),
});

/** All classes in one column: a class, ids between separators, or a JSON array as in the interface. */
export const classList = v.pipe(
  v.strictObject({
    column: text,
    separator: v.optional(text),
    json: v.optional(v.boolean()),
    /** `null`: not a class. */
    values: v.optional(table(v.string(), v.nullable(v.number()))),
    titles: v.optional(v.literal(true)),
    viewed_if: v.optional(condition),
    dates: v.optional(dateFormats),
    date_column: v.optional(text),
  }),
  v.check(
    ({ json, separator, values, titles, date_column }) =>
      json !== true || [separator, values, titles, date_column].every((given) => given === undefined),
    message('without_effect_with_json', { members: ['separator', 'values', 'titles', 'date_column'] }),
  ),
);

const field = v.union(
  [text, valueSource, v.pipe(v.array(v.union([text, valueSource])), v.minLength(1, message('no_column', {})))],
  message('no_source', { members: GIVERS }),
);

/**
 * How the cells of a state column are compared, and the class that each gets. `text`: a cell is its own class, blanks around it and
 * letter case aside, or `empty`. `dated`: a text with a date in it, like `Completed (2024-01-02)`, is `Completed (date)`. `counted`: one with a
 * percentage in it, like `Started (40 %)`, is `Started (between %)`. `percent`,
 * and `share` like `12 of 20` or `12/20`: `none`, `0`, `between`, `100`, `above` or `no number`. `mark`: a score is `pass mark reached`,
 * `below the pass mark`, `none` or `no number`. `date`: `empty`, `a date`, `never` or `impossible`, or a word like `Not completed`.
 * `number`: `a number` like that of a score, or a word in its place like `Absent`.
 */
export const stateColumn = v.strictObject({
  read: v.picklist(['text', 'dated', 'counted', 'percent', 'share', 'mark', 'date', 'number']),
  /** 100: fractions of one. */
  scale: v.optional(v.pipe(v.number(), v.finite())),
  /** For `share` the column of the whole that this one is a part of, for `mark` that of the pass mark, or the pass mark. */
  out_of: v.optional(v.union([text, v.pipe(v.number(), v.finite())])),
  /** Formats, `iso` if absent. */
  dates: v.optional(dateFormats),
});

export const OUTCOMES = ['completed', 'certified', 'in_progress', 'failed', 'leave_out'] as const;

/**
 * What the rows of a kind become.
 *
 * - `completed`, `failed`: `date` is a column of dates. `certified`: certified on that date where the course has an exam, completed
 *   on it where it has none.
 * - `in_progress`: `percent` is a column; without one 0 % is stored. `date` may be a column: the learner was last active then.
 * - `leave_out`: `reason` says why, like "not started".
 */
const outcome = {
  outcome: v.picklist(OUTCOMES, message('must_be_one_of', { values: OUTCOMES })),
  date: v.nullish(text),
  percent: v.nullish(text),
  reason: v.nullish(v.string()),
};

/** A kind of row is a distinct combination of what its state columns say: a class for each, by the name of the column. */
const confirmedKind = v.strictObject({
  values: table(v.string(), v.string()),
  ...outcome,
  /** How many rows the kind had when a person confirmed it. */
  rows: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
});

const kinds = v.strictObject({
  columns: table(text, stateColumn),
  /** Formats of the dates of outcomes that are in no state column. */
  dates: v.optional(table(text, dateFormats)),
  confirmed: v.array(confirmedKind),
});

/** What a person chose about the whole file, so that it is not asked again. */
const choices = v.strictObject({
  /** The known export that the file is; `false`: none, whatever it looks like. */
  system: v.optional(v.union([text, v.literal(false)])),
  learner: v.optional(text),
  course: v.optional(text),
  /** `leave_out`: the column is not read at all. */
  dates: v.optional(table(text, v.union([v.literal('leave_out'), dateFormat]))),
  /** State columns that a person brought in (`true`) or put out (`false`). */
  state: v.optional(table(text, v.boolean())),
  /** `false`: each row is one learner in one course, whatever shape was found. */
  shape: v.optional(v.boolean()),
  /** The rows of a learner in one course are each the whole course, although a column names parts of it. */
  whole_course: v.optional(v.boolean()),
  /** By column, whether numbers up to 1 are fractions, of which 0.5 is 50 %. */
  fractions: v.optional(table(text, v.boolean())),
  /** Addresses beside several names: whether each is one person's, or its rows are left out. */
  shared: v.optional(
    table(text, v.picklist(['import', 'leave_out'], message('must_be_either', { values: ['import', 'leave_out'] }))),
  ),
});

/** The whole mapping file. */
export const mappingSchema = v.strictObject({
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
  language: v.optional(v.pipe(text, v.check(isLanguage, message('language_unknown', {})))),
  time_zone: v.optional(v.pipe(text, v.check(isTimeZone, message('time_zone_unknown', {})))),
  zones: v.optional(table(v.string(), v.pipe(text, v.check(isOffset, message('offset_unknown', {}))))),
  empty: v.optional(texts),
  skip: v.optional(v.array(condition)),
  /** Rows that take back another row, by its id, like the statement "voided" of xAPI: neither of the two counts. */
  voided: v.optional(
    v.strictObject({ column: text, is: v.pipe(texts, v.minLength(1, message('no_text', {}))), target: text, id: text }),
  ),
  group_by: v.optional(v.pipe(v.array(text), v.minLength(1, message('no_column', {})))),
  /** What a person has to decide before anything is imported: several columns may name the learner or the course. */
  undecided: v.optional(v.array(v.picklist(['learner', 'course', 'dates', 'columns']))),
  choices: v.optional(choices),
  kinds: v.optional(kinds),
  /** Blocks of columns: each makes a row of its own, with the texts of `set` and the cells of `from` under names like `:course`. */
  repeat: v.optional(
    v.pipe(
      v.array(v.strictObject({ set: v.optional(table(addedName, v.string())), from: table(addedName, text) })),
      v.minLength(1, message('no_block', {})),
    ),
  ),
  /** Columns whose empty cells have the text of the row above. */
  fill_down: v.optional(v.pipe(texts, v.minLength(1, message('no_column', {})))),
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
export type MemberSource = string | ValueSource | (string | ValueSource)[];
export type ClassColumn = v.InferOutput<typeof classColumn>;
export type ClassList = v.InferOutput<typeof classList>;
export type Condition = v.InferOutput<typeof condition>;
export type StateColumn = v.InferOutput<typeof stateColumn>;
export type ConfirmedKind = Readonly<v.InferOutput<typeof confirmedKind>>;
export type Outcome = Pick<ConfirmedKind, keyof typeof outcome>;
export type KindValues = ConfirmedKind['values'];
export type MappingChoices = Readonly<v.InferOutput<typeof choices>>;
export type Kinds = v.InferOutput<typeof kinds>;
export type Mapping = Omit<v.InferOutput<typeof mappingSchema>, 'record'> & {
  readonly record: Readonly<Record<string, MemberSource | ClassList | ClassColumn[] | undefined>>;
};
