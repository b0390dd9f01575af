/** The mapping file: how the columns of an export become the members of a migration record. Explained in docs/cli.md. */
import * as v from 'valibot';
import { dateFormatProblem } from './date-format.ts';
import { FIELD_NAMES } from './fields.ts';
import { isTimeZone } from './time-zone.ts';

const text = v.pipe(v.string(), v.minLength(1, 'must not be empty'));
const dateFormat = v.pipe(
  text,
  v.rawCheck(({ dataset, addIssue }) => {
    const problem = dataset.typed ? dateFormatProblem(dataset.value) : undefined;
    if (problem !== undefined) addIssue({ message: problem });
  }),
);

const valueSource = v.pipe(
  v.strictObject({
    column: v.optional(text),
    constant: v.optional(v.union([text, v.number()])),
    template: v.optional(v.pipe(text, v.regex(/\{[^{}]+\}/, 'must hold a column in braces, as {Email}'))),
    values: v.optional(v.record(v.string(), v.union([v.string(), v.number()]))),
    otherwise: v.optional(v.union([v.string(), v.number()])),
    scale: v.optional(v.pipe(v.number(), v.finite())),
    empty: v.optional(v.array(v.string())),
    dates: v.optional(dateFormat),
  }),
  v.check(
    ({ column, constant, template }) =>
      [column, constant, template].filter((given) => given !== undefined).length === 1,
    'must have exactly one of column, constant and template',
  ),
);

/** One column a class: a filled cell means viewed; where `dates` is given, the cell is the date. */
const classColumn = v.strictObject({
  column: text,
  platform_class_id: v.pipe(v.number(), v.safeInteger()),
  viewed: v.optional(v.array(v.string())),
  dates: v.optional(dateFormat),
  date_column: v.optional(text),
});

/** All classes in one column: ids between separators, or a JSON array as the interface writes it. */
const classList = v.strictObject({
  column: text,
  separator: v.optional(text),
  json: v.optional(v.boolean()),
  values: v.optional(v.record(v.string(), v.number())),
});

const field = v.union([text, valueSource], 'must be a column name, or an object with column, constant or template');

export const mappingSchema = v.strictObject({
  $schema: v.optional(v.string()),
  encoding: v.optional(text),
  delimiter: v.optional(v.pipe(v.string(), v.length(1))),
  decimal: v.optional(v.picklist([',', '.'])),
  dates: v.optional(dateFormat),
  time_zone: v.optional(v.pipe(text, v.check(isTimeZone, 'must be an IANA time zone, as Europe/Madrid'))),
  empty: v.optional(v.array(v.string())),
  record: v.strictObject({
    ...Object.fromEntries(FIELD_NAMES.map((name) => [name, v.optional(field)])),
    external_record_id: field,
    'progress.classes': v.optional(v.union([text, classList, v.array(classColumn)])),
  }),
});

export type ValueSource = v.InferOutput<typeof valueSource>;
export type ClassColumn = v.InferOutput<typeof classColumn>;
export type ClassList = v.InferOutput<typeof classList>;
export type Mapping = Omit<v.InferOutput<typeof mappingSchema>, 'record'> & {
  readonly record: Readonly<Record<string, string | ValueSource | ClassList | ClassColumn[] | undefined>>;
};
