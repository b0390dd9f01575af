/**
 * The migration record (§2.7) as schemas, which validate each block, turn it into values (ids as text, dates as UTC, `null` as
 * absent), and render the document. A message is the rule alone. Metadata comes before a transformation, where the JSON Schema of
 * what a client sends ends.
 */
import * as v from 'valibot';
import { emailRule, externalId, isEmailAddress, isExternalIdText } from './identifiers.ts';
import { DATE_PATTERN, DATE_RULE, parseInstant } from './instants.ts';
import { codePointLength } from './text.ts';
import { ASSESSMENT_STATUSES } from '../shared/codes.ts';
import { MAX_EMAIL_LENGTH, MAX_EXTERNAL_ID_LENGTH, MAX_EXTERNAL_REF_LENGTH } from '../shared/limits.ts';

const OBJECT = 'must be an object';
const PERCENTAGE = 'must be a number from 0 to 100';
const PLATFORM_ID = 'must be a whole number from 0 to 2^53 - 1';
const EXTERNAL_ID = `must be a string of 1 to ${MAX_EXTERNAL_ID_LENGTH} characters, or a whole number`;
export const RECORD_ID = `must be a string of 1 to ${MAX_EXTERNAL_ID_LENGTH} characters`;
const STATUS = 'must be "passed", "failed" or "not_taken"';
const EXTERNAL_REF = `must be a string of at most ${MAX_EXTERNAL_REF_LENGTH} characters, a number or true or false`;

const recordId = v.pipe(
  v.string(RECORD_ID),
  v.check((text) => isExternalIdText(text), RECORD_ID),
  v.metadata({
    description: 'Unique per company: the idempotency key of this record.',
    minLength: 1,
    maxLength: MAX_EXTERNAL_ID_LENGTH,
  }),
);

const email = v.pipe(
  v.string(({ input }) => emailRule(input)),
  v.check(
    (text) => isEmailAddress(text),
    ({ input }) => emailRule(input),
  ),
  v.metadata({ maxLength: MAX_EMAIL_LENGTH }),
);

/** §2.6: numbers and strings are equivalent. The output is the string. */
export const externalIdValue = v.pipe(
  v.union([v.string(), v.number()], EXTERNAL_ID),
  v.check((value) => externalId(value) !== undefined, EXTERNAL_ID),
  v.metadata({
    description: `A string of 1 to ${MAX_EXTERNAL_ID_LENGTH} characters, or a whole number: 9101 and "9101" are the same id.`,
    anyOf: [
      { type: 'string', minLength: 1, maxLength: MAX_EXTERNAL_ID_LENGTH },
      { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    ],
  }),
  v.transform(String),
);

/** JSON has a −0, which is 0 everywhere else. */
const unsignedZero = v.transform((value: number) => value + 0);

const platformId = v.pipe(v.number(PLATFORM_ID), v.safeInteger(PLATFORM_ID), v.minValue(0, PLATFORM_ID), unsignedZero);

/** From 0 to 100. A fraction of one is a percentage too: 0.8 %. */
export const percentage = v.pipe(
  v.number(PERCENTAGE),
  v.minValue(0, PERCENTAGE),
  v.maxValue(100, PERCENTAGE),
  unsignedZero,
);

/** A date in any form of rule 5; its output is a UTC instant with milliseconds. */
export const instant = v.pipe(
  v.string(DATE_RULE),
  v.metadata({
    description:
      'A complete calendar, ordinal or week date in ISO 8601, alone or with a time, in the extended or the basic form; without an offset it is UTC.',
    pattern: DATE_PATTERN,
    examples: ['2024-03-01T09:30:00Z', '2024-03-01', '20240301T0930+02', '2024-061', '2024-W09-5'],
  }),
  v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
    const parsed = parseInstant(dataset.value);
    if (parsed === undefined) addIssue({ message: DATE_RULE });
    return parsed ?? NEVER;
  }),
);

export const userBlock = v.pipe(
  v.object({ email: optional(email), external_user_id: optional(externalIdValue) }, OBJECT),
  v.metadata({
    description: 'At least one identifier; both must resolve to the same user.',
    ...oneOfTwo('email', 'external_user_id'),
  }),
);

/** Kept as it was sent. An infinite number is not: JSON has no text for it. */
export const externalRef = v.pipe(
  v.union([v.string(), v.number(), v.boolean()], EXTERNAL_REF),
  v.check((value) => value !== Infinity && value !== -Infinity, EXTERNAL_REF),
  v.check((value) => codePointLength(String(value)) <= MAX_EXTERNAL_REF_LENGTH, EXTERNAL_REF),
  v.metadata({
    description: 'Stored for traceability only, never resolved, and returned as it was sent.',
    anyOf: [{ type: 'string', maxLength: MAX_EXTERNAL_REF_LENGTH }, { type: 'number' }, { type: 'boolean' }],
  }),
);

export const contentBlock = v.pipe(
  v.object(
    {
      type: v.literal('course', 'must be "course"'),
      platform_course_id: optional(platformId),
      external_course_id: optional(externalIdValue),
      external_ref: optional(externalRef),
    },
    OBJECT,
  ),
  v.metadata({
    description: 'At least one course identifier; both must resolve to the same course.',
    ...oneOfTwo('platform_course_id', 'external_course_id'),
  }),
);

export const classEntry = v.object({ platform_class_id: platformId, viewed_at: optional(instant) }, OBJECT);

export const progressBlock = v.object(
  {
    completion_pct: optional(percentage),
    started_at: optional(instant),
    last_activity_at: optional(instant),
    /** `null` is no absence here (rule 5): the course is not completed, and the date stays `null`. */
    completed_at: v.nullish(instant),
    classes: optional(v.array(classEntry, 'must be an array')),
  },
  OBJECT,
);

/** The `assessment` of a record (§2.7), which a course without an exam ignores (rule 8). */
export const assessmentBlock = v.object(
  {
    status: optional(v.picklist(ASSESSMENT_STATUSES, STATUS)),
    score_pct: optional(percentage),
    taken_at: optional(instant),
  },
  OBJECT,
);

/** The whole record as documented; parse.ts validates it block by block. */
export const migrationRecord = v.object(
  {
    external_record_id: recordId,
    user: userBlock,
    content: contentBlock,
    progress: v.nullish(progressBlock),
    assessment: v.nullish(assessmentBlock),
  },
  OBJECT,
);

export type UserBlock = v.InferOutput<typeof userBlock>;
export type ContentBlock = v.InferOutput<typeof contentBlock>;
export type SentClass = v.InferOutput<typeof classEntry>;
export type ProgressBlock = v.InferOutput<typeof progressBlock>;
export type AssessmentBlock = v.InferOutput<typeof assessmentBlock>;

/** A member that may be absent, as which `null` counts. */
function optional<const Schema extends v.GenericSchema>(schema: Schema) {
  return v.pipe(
    v.nullish(schema),
    v.transform((value) => value ?? undefined),
  );
}

/** One of two members, or both, without an `anyOf` beside `properties`, which generators cannot read. */
function oneOfTwo(member: string, other: string) {
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  return { if: { properties: { [member]: { type: 'null' }, [other]: { type: 'null' } } }, then: { not: {} } };
}
