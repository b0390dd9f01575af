/** The descriptor of a known export: by which headers it is known, and what its columns and words mean. */
import * as v from 'valibot';
import { type Said, say } from '../ground/codes.ts';
import { refusal } from '../ground/errors.ts';
import { condition, OUTCOMES, type Outcome, saidBy, stateColumn } from './schema.ts';
import { table } from './table.ts';

const text = v.pipe(v.string(), v.minLength(1));

/** What a column says of whose row it is, or of a member of the record. */
const MEMBERS = [
  'learner',
  'learner id',
  'course',
  'started',
  'enrolled',
  'last activity',
  'score',
  'record id',
] as const;

/** How a column of state is read, in short: `date`. */
const READS = stateColumn.entries.read.options;

const meaning = v.union([v.picklist(MEMBERS), v.picklist(READS), stateColumn]);
const someTexts = v.union([text, v.array(text)]);

/** A rule says what rows become. It fits where each column that it names has one of its classes, and its day and percentage are there. */
const rule = v.strictObject({
  values: table(text, someTexts),
  outcome: v.picklist(OUTCOMES),
  date: v.optional(text),
  percent: v.optional(text),
});

const descriptorSchema = v.strictObject({
  /** What the export is called, by language; `en` is shown where another is missing. */
  name: v.intersect([v.object({ en: text }), table(text, text)]),
  /** Where its headers and words were seen. */
  source: v.optional(text),
  /** Further headers by which it is known. */
  headers: v.optional(v.array(v.string())),
  /** Texts by which it is known: at least one cell of the column has one. */
  known_by: v.optional(table(text, someTexts)),
  /** Columns that some exports lack. */
  optional: v.optional(v.array(text)),
  /** By header; other columns say nothing. */
  columns: table(text, meaning),
  /** Texts of all other columns, whose headers no two files share: the activities of a course, each with its day behind it, or `a date`. */
  others: v.optional(v.array(text)),
  /** Headers of the columns behind these; other columns may then be there, too. */
  behind: v.optional(v.array(text)),
  /** Formats of columns of dates whose order their values may not settle. */
  dates: v.optional(table(text, text)),
  /** The first that fits decides; where none does, a person is asked. */
  kinds: v.array(rule),
  skip: v.optional(v.array(condition)),
  time_zone: v.optional(text),
});

export type Descriptor = v.InferOutput<typeof descriptorSchema>;
export type Meaning = v.InferOutput<typeof meaning>;
export type KindRule = v.InferOutput<typeof rule>;
export type { Outcome };

/** A descriptor under the name of its folder. */
export interface KnownSystem {
  readonly id: string;
  readonly descriptor: Descriptor;
  /** A company's own, which precedes those that everybody has. */
  readonly isOwn?: boolean;
}

/** @throws EngineError with the path of the file and every member of it that is wrong */
export function checkedDescriptor(path: string, value: unknown): Descriptor {
  const checked = v.safeParse(descriptorSchema, value);
  if (checked.success) return checked.output;
  const problems = checked.issues.map((issue) => ({ at: v.getDotPath(issue) ?? 'descriptor', is: problemOf(issue) }));
  throw refusal('mapping_invalid', { path, problems });
}

const problemOf = ({ message, expected, received }: v.BaseIssue<unknown>): Said =>
  saidBy(message) ?? say('value_unexpected', { message, expected: String(expected), received });
