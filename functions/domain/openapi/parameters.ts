/** Parameters and response headers that operations share, by component name. */
const limit = (max: number, standard: number) => ({
  name: 'limit',
  in: 'query',
  description: 'Items on a page.',
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
    schema: { type: 'string' },
    example: '3f9k2m7q1x8v5c0b4n6t2r9w1e',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      '1 to 255 visible ASCII characters, bare or as a quoted string. The same key with the same payload returns the original result; it binds for good.',
    schema: { type: 'string', minLength: 1, maxLength: 257 },
    example: 'first-run-2026-01-02',
  },
  Cursor: {
    name: 'cursor',
    in: 'query',
    description: 'The `next_cursor` of the page before, of the same list with the same filters.',
    schema: { type: 'string' },
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
    schema: { type: 'string', minLength: 1, maxLength: 128 },
    example: 'r-1',
  },
} as const;

export type ParameterName = keyof typeof PARAMETERS;

const text = (description: string) => ({ description, schema: { type: 'string' } });

export const HEADERS = {
  'x-request-id': text('Names this request; quote it when you ask for help.'),
  'Retry-After': { description: 'Seconds to wait before asking again.', schema: { type: 'integer', minimum: 1 } },
  Location: text('Path of the import.'),
  'Idempotent-Replayed': {
    description: '`true` where the answer is the original one of an earlier request with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Cache-Control': text('`no-store` on everything that concerns credentials.'),
  'WWW-Authenticate': text('`Bearer`; on operations that want an access token.'),
} as const;

export type HeaderName = keyof typeof HEADERS;

export function parameterRef(name: ParameterName): { $ref: string } {
  return { $ref: `#/components/parameters/${name}` };
}

export function headerRefs(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
