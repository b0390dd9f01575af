/** Parameters that operations share, by component name. */
import { COMPANY_ID, IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_RULE } from '../../functions/records/identifiers.ts';
import { DATE_PATTERN } from '../../functions/records/instants.ts';
import {
  ARCHIVED_ERRORS,
  IMPORT_STATUSES,
  OUTCOMES,
  RECORD_INCLUDES,
  RECORD_STATUSES,
  RUN_INCLUDES,
  RUN_STATUSES,
  codesOf,
} from '../../functions/shared/codes.ts';
import {
  MAX_CURSOR_LENGTH,
  MAX_EMAIL_LENGTH,
  MAX_EXTERNAL_ID_LENGTH,
  MAX_RUN_ID_LENGTH,
  MAX_SHAPE_LENGTH,
  PAGE_LIMITS,
} from '../../functions/shared/limits.ts';
import { portable } from './portable.ts';

const query = (name: string, description: string, schema: object) => ({ name, in: 'query', description, schema });

const required = (where: 'path' | 'query', name: string, description: string, schema: object, example: string) => ({
  name,
  in: where,
  required: true,
  description,
  schema,
  example,
});
const path = (...parts: [name: string, description: string, schema: object, example: string]) =>
  required('path', ...parts);

const limit = ({ max, fallback }: (typeof PAGE_LIMITS)[keyof typeof PAGE_LIMITS]) =>
  query('limit', `Items on a page; ${fallback} by default.`, {
    type: 'integer',
    minimum: 1,
    maximum: max,
    default: fallback,
  });

const choice = (name: string, description: string, values: readonly string[]) =>
  query(name, description, { type: 'string', enum: values });

const date = (name: string, description: string) =>
  query(name, `${description} ISO 8601, as in records.`, { type: 'string', pattern: DATE_PATTERN });

const textOf = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });

export const PARAMETERS = {
  CompanyId: path('company_id', 'The company of the caller.', { type: 'string', pattern: COMPANY_ID.source }, 'acme'),
  ImportId: path(
    'import_id',
    'As returned when the import was started.',
    { type: 'string' },
    '3f9k2m7q1x8v5c0b4n6t2r9w1e',
  ),
  ExternalUserId: path('external_user_id', 'The external id, percent-encoded.', textOf(MAX_EXTERNAL_ID_LENGTH), '9101'),
  ExternalCourseId: path(
    'external_course_id',
    'The external id, percent-encoded.',
    textOf(MAX_EXTERNAL_ID_LENGTH),
    'SEC-1',
  ),
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      `${IDEMPOTENCY_KEY_RULE}. Sent once; a key that contains a comma in quotes. It belongs to the company and never expires: the same key ` +
      'with the same payload returns the original result; with another payload it is rejected. A request that fails with 4xx uses up no key.',
    schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` of the copy that the client has, several of them, or `*`. While it is current: 304 without a body.',
    schema: { type: 'string' },
    example: 'W/"jvZ5Vb0xHqLkC3bQ1m8yXn6Tt2wEoRr9uIiOpAaSdDf"',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` of the run as the client knows it, or `*`. Where it has another one by now: 412.',
    schema: { type: 'string' },
    example: '"3"',
  },
  Cursor: query(
    'cursor',
    'The `next_cursor` of the page before, of the same list with the same filters. Opaque. Without it, the first page is returned.',
    { type: 'string', format: 'cursor', maxLength: MAX_CURSOR_LENGTH },
  ),
  CourseLimit: limit(PAGE_LIMITS.courses),
  MappingLimit: limit(PAGE_LIMITS.mappings),
  RecordLimit: limit(PAGE_LIMITS.records),
  ImportLimit: limit(PAGE_LIMITS.imports),
  RunLimit: limit(PAGE_LIMITS.runs),
  EvidenceLimit: limit(PAGE_LIMITS.evidence),
  RecordStatus: choice('status', 'Only results of this status; `error` returns the rejected records.', RECORD_STATUSES),
  Outcome: choice('outcome', 'Only planned results of this outcome.', OUTCOMES),
  Include: choice(
    'include',
    '`record` adds to each result the record as it was sent, without members that the interface does not define.',
    RECORD_INCLUDES,
  ),
  ImportStatus: choice('status', 'Only imports of this status.', IMPORT_STATUSES),
  RunId: path('run_id', 'As its imports were sent with.', textOf(MAX_RUN_ID_LENGTH), 'lms-2026'),
  RunStatus: choice('status', 'Only runs of this status.', RUN_STATUSES),
  RunShape: query('shape', 'Only runs of this shape.', textOf(MAX_SHAPE_LENGTH)),
  RunInclude: choice('include', '`document` adds what the client notes of the run.', RUN_INCLUDES),
  RunIdFilter: query('run_id', 'Only imports of this run.', textOf(MAX_RUN_ID_LENGTH)),
  CreatedSince: date('created_since', 'Only imports accepted at this date or later.'),
  CreatedBefore: date('created_before', 'Only imports accepted before this date.'),
  ExternalRecordId: required(
    'query',
    'external_record_id',
    'The id that the record was sent with.',
    textOf(MAX_EXTERNAL_ID_LENGTH),
    'r-1',
  ),
  DryRun: query('dry_run', 'true: the report of the dry run, also where a revert was requested.', {
    type: 'boolean',
    default: false,
  }),
  LearnerEmail: {
    ...query('email', 'The address of the learner, in any case of ASCII letters.', {
      type: 'string',
      maxLength: MAX_EMAIL_LENGTH,
    }),
    example: 'ana@acme.test',
  },
  LearnerId: query('user_id', 'The id of the learner on the platform.', {
    type: 'integer',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  LearnerExternalId: query(
    'external_user_id',
    'An external id that is registered to the learner.',
    textOf(MAX_EXTERNAL_ID_LENGTH),
  ),
  LearnerLimit: limit(PAGE_LIMITS.learnerCourses),
  ArchivedRun: query('run_id', 'Only records of imports of this run.', textOf(MAX_RUN_ID_LENGTH)),
  ArchivedEmail: query(
    'email',
    'Only records of this person, by the address, in any spelling. Not with `external_user_id`.',
    textOf(3 * MAX_EMAIL_LENGTH),
  ),
  ArchivedExternalId: query(
    'external_user_id',
    'Only records of this person, by the id of the old system, in any spelling. Not with `email`.',
    textOf(MAX_EXTERNAL_ID_LENGTH),
  ),
  ArchivedCourse: query(
    'course',
    'Only records of this course, by either identifier, as it was sent.',
    textOf(MAX_EXTERNAL_ID_LENGTH),
  ),
  ArchivedError: choice('error_code', 'Only records with this error.', ARCHIVED_ERRORS),
  ArchiveLimit: limit(PAGE_LIMITS.archive),
} as const;

/** Parameters as components. A generated client must not take them for types of the same name. */
export function parameterComponents() {
  const components = Object.entries(PARAMETERS).map(
    ([name, parameter]) => [`${name}Parameter`, { ...parameter, schema: portable(parameter.schema) }] as const,
  );
  return Object.fromEntries(components);
}

export type ParameterName = keyof typeof PARAMETERS;

export const parametersIn = (path: string): ParameterName[] =>
  codesOf(PARAMETERS).filter((each) => PARAMETERS[each].in === 'path' && path.includes(`{${PARAMETERS[each].name}}`));

export function parameterRef(name: ParameterName): { $ref: string } {
  return { $ref: `#/components/parameters/${name}Parameter` };
}
