import { portableResponse } from './portable.ts';

/** Response headers by component name: a header, and after a dot the case in which it is sent. */
const text = (description: string, example: string) => ({
  description,
  required: true,
  schema: { type: 'string' },
  example,
});
const fixed = (description: string, value: string) => ({
  description,
  required: true,
  schema: { type: 'string', const: value },
});

const SECONDS = { type: 'integer', minimum: 1 } as const;

const TAG = {
  schema: { type: 'string', pattern: '^W/"[\\w-]+"$' },
  example: 'W/"jvZ5Vb0xHqLkC3bQ1m8yXn6Tt2wEoRr9uIiOpAaSdDf"',
} as const;

/** Every header of the document. What follows a dot tells apart headers of one name. */
export const HEADERS = {
  'x-request-id': text('Identifies this request; quote it when you ask for help.', 'JKJaXmPLvHcESHA='),
  'Strict-Transport-Security': text('This host is only ever called over HTTPS.', 'max-age=63072000; includeSubDomains'),
  'X-Content-Type-Options': fixed('The content has exactly the type that is stated.', 'nosniff'),
  'Cache-Control.no-store': fixed('No cache may keep this response.', 'no-store'),
  'Cache-Control.public': text('For how many seconds anyone may keep it.', 'public, max-age=300'),
  'Retry-After': { description: 'Seconds to wait before asking again.', required: true, schema: SECONDS, example: 1 },
  'Retry-After.processing': {
    description: 'Seconds to wait before asking again; sent while the import is processing.',
    schema: SECONDS,
    example: 1,
  },
  'ETag.always': {
    description: 'Names this state of the resource. Send it back in `If-None-Match`.',
    required: true,
    ...TAG,
  },
  'ETag.terminal': {
    description: 'Names this state of the resource; sent once the import is terminal. Send it back in `If-None-Match`.',
    ...TAG,
  },
  'ETag.version': {
    description: 'The version of the run. Send it back in `If-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"\\d+"$' },
    example: '"3"',
  },
  RateLimit: {
    description:
      'What is left of each quota of the hour that this request counted towards (`r`), and the seconds until it is full again (`t`), as draft-ietf-httpapi-ratelimit-headers defines it.',
    schema: { type: 'string' },
    example: '"imports";r=7412;t=1800, "upload_bytes";r=3912345678;t=1800',
  },
  'RateLimit-Policy': {
    description:
      'These quotas: how much the company may use (`q`) of what (`qu`; without it requests) in how many seconds (`w`).',
    schema: { type: 'string' },
    example: '"imports";q=7500;w=3600, "upload_bytes";q=4000000000;qu="content-bytes";w=3600',
  },
  Location: text('Path of the import.', '/v1/migrations/acme/progress/imports/3f9k2m7q1x8v5c0b4n6t2r9w1e'),
  'Idempotent-Replayed': {
    description: 'Sent if this is the original response to an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
  'x-amzn-Remapped-WWW-Authenticate': fixed(
    'How to authenticate (RFC 6750, `WWW-Authenticate`). API Gateway renames this header of a function.',
    'Bearer',
  ),
  'x-amzn-Remapped-WWW-Authenticate.scope': {
    description: 'The scope that a client needs (RFC 6750, `WWW-Authenticate`): sent with `insufficient_scope`.',
    schema: { type: 'string' },
    example: 'Bearer error="insufficient_scope", scope="import"',
  },
} as const;

export function headerComponents() {
  const components = Object.entries(HEADERS).map(
    ([name, header]) => [name, { ...header, schema: portableResponse(header.schema) }] as const,
  );
  return Object.fromEntries(components);
}

export type HeaderName = keyof typeof HEADERS;

/** The headers of every response; a header of the response itself replaces the one here. */
export const COMMON_HEADERS: readonly HeaderName[] = [
  'x-request-id',
  'Strict-Transport-Security',
  'X-Content-Type-Options',
  'Cache-Control.no-store',
];

/** Sent where a request counted towards a quota, or was refused because it is used up. */
export const QUOTA_HEADERS = ['RateLimit', 'RateLimit-Policy'] as const satisfies HeaderName[];

export function headerRefs(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name.split('.')[0], { $ref: `#/components/headers/${name}` }]));
}
