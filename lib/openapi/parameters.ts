/** Parameters that operations share, by component name. */
import { KEY_PATTERN } from '../../functions/imports/identity.ts';
import { MAX_EXTERNAL_ID_LENGTH } from '../../functions/records/identifiers.ts';

const limit = (max: number, standard: number) => ({
  name: 'limit',
  in: 'query',
  description: `Items on a page; ${standard} where absent.`,
  schema: { type: 'integer', minimum: 1, maximum: max, default: standard },
});

const choice = (name: string, description: string, values: readonly string[]) => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string', enum: values },
});

export const PARAMETERS = {
  CompanyId: {
    name: 'company_id',
    in: 'path',
    required: true,
    description: 'The company of the caller.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
    example: 'acme',
  },
  ImportId: {
    name: 'import_id',
    in: 'path',
    required: true,
    description: 'As answered when the import was started.',
    schema: { type: 'string' },
    example: '3f9k2m7q1x8v5c0b4n6t2r9w1e',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      '1 to 255 visible ASCII characters, bare or as a quoted string. It belongs to the company and binds for good: the same key ' +
      'with the same payload returns the original result, with another payload it is refused. A request answered 4xx binds no key.',
    schema: { type: 'string', pattern: KEY_PATTERN },
  },
  Cursor: {
    name: 'cursor',
    in: 'query',
    description:
      'The `next_cursor` of the page before, of the same list with the same filters. Opaque; absent, the first page.',
    schema: { type: 'string', format: 'cursor', maxLength: 4096 },
  },
  CourseLimit: limit(500, 100),
  MappingLimit: limit(500, 500),
  RecordLimit: limit(500, 500),
  ImportLimit: limit(100, 20),
  RecordStatus: choice('status', 'Only results of this status; `error` returns the rejected records.', [
    'success',
    'error',
    'pending',
  ]),
  Include: choice('include', '`record` adds to each result what was sent.', ['record']),
  ImportStatus: choice('status', 'Only imports of this status.', [
    'validated',
    'processing',
    'success',
    'partial_success',
    'error',
  ]),
  ExternalRecordId: {
    name: 'external_record_id',
    in: 'query',
    required: true,
    description: 'The id that the record was sent with.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_EXTERNAL_ID_LENGTH },
    example: 'r-1',
  },
} as const;

export type ParameterName = keyof typeof PARAMETERS;

export function parameterRef(name: ParameterName): { $ref: string } {
  return { $ref: `#/components/parameters/${name}` };
}
