/** The mapping file: how the columns of an export become the members of a migration record. Explained in docs/cli.md. */
import * as v from 'valibot';
import { UsageError } from '../errors.ts';
import { dateFormatProblem } from './date-format.ts';
import { isTimeZone } from './time-zone.ts';

/** Every member of a migration record (§2.7) that a column can fill, by its dotted name, and the kind of its value. */
export const FIELDS = {
  external_record_id: 'text',
  'user.email': 'email',
  'user.external_user_id': 'text',
  'content.type': 'text',
  'content.platform_course_id': 'id',
  'content.external_course_id': 'text',
  'content.external_ref': 'text',
  'progress.completion_pct': 'number',
  'progress.started_at': 'date',
  'progress.last_activity_at': 'date',
  'progress.completed_at': 'date',
  'progress.classes': 'classes',
  'assessment.status': 'status',
  'assessment.score_pct': 'number',
  'assessment.taken_at': 'date',
} as const;

export type Field = keyof typeof FIELDS;
export type FieldKind = (typeof FIELDS)[Field];

const FIELD_NAMES = Object.keys(FIELDS) as readonly Field[];

export const isField = (name: string): name is Field => Object.hasOwn(FIELDS, name);

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
    template: v.optional(v.pipe(text, v.regex(/\{[^{}]+\}/, 'must contain a column in braces, like {Email}'))),
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

/** One column for each class: a filled cell means viewed; with `dates`, the cell is the date. */
const classColumn = v.strictObject({
  column: text,
  platform_class_id: v.pipe(v.number(), v.safeInteger()),
  viewed: v.optional(v.array(v.string())),
  dates: v.optional(dateFormat),
  date_column: v.optional(text),
});

/** All classes in one column: ids between separators, or a JSON array as in the interface. */
const classList = v.strictObject({
  column: text,
  separator: v.optional(text),
  json: v.optional(v.boolean()),
  values: v.optional(v.record(v.string(), v.number())),
});

const field = v.union([text, valueSource], 'must be a column name, or an object with column, constant or template');

const mappingSchema = v.strictObject({
  $schema: v.optional(v.string()),
  encoding: v.optional(text),
  delimiter: v.optional(v.pipe(v.string(), v.length(1))),
  decimal: v.optional(v.picklist([',', '.'])),
  dates: v.optional(dateFormat),
  time_zone: v.optional(v.pipe(text, v.check(isTimeZone, 'must be an IANA time zone, like Europe/Madrid'))),
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

/** @throws UsageError with the path of the file and every member of it that is wrong */
export function checkedMapping(path: string, value: unknown): Mapping {
  const checked = v.safeParse(mappingSchema, value);
  if (checked.success) return checked.output;
  const problems = checked.issues.map((issue) => `  ${v.getDotPath(issue) ?? 'mapping'}: ${problemOf(issue)}`);
  throw new UsageError([`The mapping ${path} is not valid:`, ...new Set(problems)].join('\n'));
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
