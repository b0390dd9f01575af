/** Parameters that operations share, by component name. */
import { IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_RULE } from '../../functions/imports/idempotency-key.ts';
import { COMPANY_ID } from '../../functions/records/identifiers.ts';
import { DATE_PATTERN } from '../../functions/records/instants.ts';
import { IMPORT_STATUSES, RECORD_INCLUDES, RECORD_STATUSES } from '../../functions/shared/codes.ts';
import {
  MAX_CURSOR_LENGTH,
  MAX_EMAIL_LENGTH,
  MAX_EXTERNAL_ID_LENGTH,
  MAX_RUN_ID_LENGTH,
  PAGE_LIMITS,
} from '../../functions/shared/limits.ts';
import { portable } from './portable.ts';

const limit = ({ max, fallback }: (typeof PAGE_LIMITS)[keyof typeof PAGE_LIMITS]) => ({
  name: 'limit',
  in: 'query',
  description: `Items on a page; ${fallback} by default.`,
  schema: { type: 'integer', minimum: 1, maximum: max, default: fallback },
});

const choice = (name: string, description: string, values: readonly string[]) => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string', enum: values },
});

const date = (name: string, description: string) => ({
  name,
  in: 'query',
  description: `${description} ISO 8601, as in records.`,
  schema: { type: 'string', pattern: DATE_PATTERN },
});

export const PARAMETERS = {
  CompanyId: {
    name: 'company_id',
    in: 'path',
    required: true,
    description: 'The company of the caller.',
    schema: { type: 'string', pattern: COMPANY_ID.source },
    example: 'acme',
  },
  ImportId: {
    name: 'import_id',
    in: 'path',
    required: true,
    description: 'As returned when the import was started.',
    schema: { type: 'string' },
    example: '3f9k2m7q1x8v5c0b4n6t2r9w1e',
  },
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
  Cursor: {
    name: 'cursor',
    in: 'query',
    description:
      'The `next_cursor` of the page before, of the same list with the same filters. Opaque. Without it, the first page is returned.',
    schema: { type: 'string', format: 'cursor', maxLength: MAX_CURSOR_LENGTH },
  },
  CourseLimit: limit(PAGE_LIMITS.courses),
  MappingLimit: limit(PAGE_LIMITS.mappings),
  RecordLimit: limit(PAGE_LIMITS.records),
  ImportLimit: limit(PAGE_LIMITS.imports),
  RunLimit: limit(PAGE_LIMITS.runs),
  EvidenceLimit: limit(PAGE_LIMITS.evidence),
  RecordStatus: choice('status', 'Only results of this status; `error` returns the rejected records.', RECORD_STATUSES),
  Include: choice(
    'include',
    '`record` adds to each result the record as it was sent, without members that the interface does not define.',
    RECORD_INCLUDES,
  ),
  ImportStatus: choice('status', 'Only imports of this status.', IMPORT_STATUSES),
  RunId: {
    name: 'run_id',
    in: 'path',
    required: true,
    description: 'As its imports were sent with.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_RUN_ID_LENGTH },
    example: 'lms-2026',
  },
  RunIdFilter: {
    name: 'run_id',
    in: 'query',
    description: 'Only imports of this run.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_RUN_ID_LENGTH },
  },
  CreatedSince: date('created_since', 'Only imports accepted at this date or later.'),
  CreatedBefore: date('created_before', 'Only imports accepted before this date.'),
  ExternalRecordId: {
    name: 'external_record_id',
    in: 'query',
    required: true,
    description: 'The id that the record was sent with.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_EXTERNAL_ID_LENGTH },
    example: 'r-1',
  },
  DryRun: {
    name: 'dry_run',
    in: 'query',
    description: 'true: the report of the dry run, also where a revert was requested.',
    schema: { type: 'boolean', default: false },
  },
  LearnerEmail: {
    name: 'email',
    in: 'query',
    description: 'The address of the learner, in any case of ASCII letters.',
    schema: { type: 'string', maxLength: MAX_EMAIL_LENGTH },
    example: 'ana@acme.test',
  },
  LearnerId: {
    name: 'user_id',
    in: 'query',
    description: 'The id of the learner on the platform.',
    schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  },
  LearnerExternalId: {
    name: 'external_user_id',
    in: 'query',
    description: 'An external id that is registered to the learner.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_EXTERNAL_ID_LENGTH },
  },
  LearnerLimit: limit(PAGE_LIMITS.learnerCourses),
} as const;

/** Parameters as components. A generated client must not take them for types of the same name. */
export function parameterComponents() {
  const components = Object.entries(PARAMETERS).map(
    ([name, parameter]) => [`${name}Parameter`, { ...parameter, schema: portable(parameter.schema) }] as const,
  );
  return Object.fromEntries(components);
}

export type ParameterName = keyof typeof PARAMETERS;

export function parameterRef(name: ParameterName): { $ref: string } {
  return { $ref: `#/components/parameters/${name}Parameter` };
}
