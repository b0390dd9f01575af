/** The bodies of requests: valid ones, and the problems of the others. Costs milliseconds. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { credentials, refreshRequest, signInRequest } from '../../functions/http/auth-bodies.ts';
import {
  evidenceRequest,
  importRequest,
  mappingRequest,
  resolveRequest,
  revertRequest,
} from '../../functions/http/bodies.ts';
import { membersOf } from '../../functions/http/request.ts';
import { RequestRejected } from '../../functions/http/types.ts';

const anImport = importRequest(v.unknown());
const addresses = resolveRequest(v.unknown());
const SIGN_IN = { code: 'c', code_verifier: 'v'.repeat(43), nonce: 'n'.repeat(16), redirect_uri: 'https://a.test/' };
const many = (count: number) => Array.from({ length: count }, () => ({}));

type Schema = Parameters<typeof membersOf>[0];

function problemsOf(schema: Schema, body: Record<string, unknown>): string[] {
  try {
    membersOf(schema, body);
    return [];
  } catch (error) {
    if (!(error instanceof RequestRejected)) throw error;
    return [error.problem, ...(error.options.others ?? [])].map((each) => `${each.error_code} ${each.message}`);
  }
}

it.each<[string, Schema, Record<string, unknown>]>([
  ['credentials', credentials, { email: '', password: '' }],
  ['a refresh token', refreshRequest, { refreshToken: 'a.b.c' }],
  ['a sign-in', signInRequest, SIGN_IN],
  ['addresses of any form', addresses, { emails: [5, null] }],
  ['mappings', mappingRequest(v.unknown()), { mappings: many(500) }],
  ['an import without a run', anImport, { records: many(500), dry_run: false }],
  ['an import whose run is null', anImport, { records: many(1), dry_run: true, run_id: null }],
  ['an import of a run', anImport, { records: many(1), dry_run: true, run_id: '😀'.repeat(128) }],
  ['a revert', revertRequest, { dry_run: false }],
])('a valid body → its members; with another one → its problem: %s', (_name, schema, body) => {
  expect(membersOf(schema, body)).toEqual(body);
  expect(problemsOf(schema, { ...body, zzz: 1 })).toEqual([
    expect.stringMatching(/^invalid_request "zzz" is no member of this operation\./),
  ]);
});

describe('problemsOf', () => {
  it.each([
    [{ dry_run: 'true' }, 'dry_run must be true or false, not "true".'],
    [{ dry_run: null }, 'dry_run must be true or false, not null.'],
    [{}, 'dry_run is required.'],
    [Object.create({ other: true }), 'dry_run is required.'],
  ])('a body with a wrong dry_run, %j → %s', (body, message) => {
    expect(problemsOf(revertRequest, body)).toEqual([`invalid_request ${message}`]);
  });

  it.each([
    [{}, 'invalid_request emails is required.'],
    [{ emails: 'x' }, 'invalid_request emails must be an array of 1 to 100 items, not "x".'],
    [{ emails: {} }, 'invalid_request emails must be an array of 1 to 100 items, not an object.'],
    [{ emails: [] }, 'invalid_request emails must have 1 to 100 items, not 0.'],
    [{ emails: many(101) }, 'batch_too_large emails must have 1 to 100 items, not 101.'],
  ])('a batch that is absent or of the wrong type or size → its problem: %#', (body, problem) => {
    expect(problemsOf(addresses, body)).toEqual([problem]);
  });

  it.each([
    ['', '""'],
    ['x'.repeat(129), `"${'x'.repeat(64)}…"`],
    ['\uD800', '"\uFFFD"'],
    [5, '5'],
    [{}, 'an object'],
  ])('%j as run_id → the problem of run_id, with what was sent', (run_id, shown) => {
    const message = `invalid_request run_id must be a string of 1 to 128 characters, not ${shown}.`;
    expect(problemsOf(anImport, { records: many(1), dry_run: true, run_id })).toEqual([message]);
  });
});

describe('a reason', () => {
  it.each(['The end\nof\tspring', 'نهاية الترحيل', '👩‍💻', 'x'.repeat(1_000)])('in words is valid: %j', (reason) => {
    expect(problemsOf(evidenceRequest, { reason })).toEqual([]);
  });

  it.each([
    ' \n\u00A0\u3000',
    '\u200B\u2060\u3164',
    'a\u0000b',
    'a\u001Bb',
    'a\u0085b',
    'paid \u202E000,1',
    '\u2066x',
    'x\u200F',
    'x\u061C',
  ])('that shows nothing, or otherwise than it is signed, is not: %j', (reason) => {
    expect(problemsOf(evidenceRequest, { reason })).toEqual([
      'invalid_request reason must have a visible character, not control characters or marks of direction.',
    ]);
  });

  it.each(['', '\uD800', 'x'.repeat(1_001)])('of another length is not: %j', (reason) => {
    const [found, ...others] = problemsOf(evidenceRequest, { reason });
    expect(others).toEqual([]);
    expect(found).toContain('reason must be a string of 1 to 1000 characters, not "');
  });
});

it('all problems are reported in the order of the schema, a batch that is too large first', () => {
  expect(problemsOf(anImport, { run_id: 5 })).toEqual([
    'invalid_request records is required.',
    'invalid_request dry_run is required.',
    'invalid_request run_id must be a string of 1 to 128 characters, not 5.',
  ]);
  expect(problemsOf(anImport, { dry_run: 1, records: many(501) })).toEqual([
    'batch_too_large records must have 1 to 500 items, not 501.',
    'invalid_request dry_run must be true or false, not 1.',
  ]);
});
