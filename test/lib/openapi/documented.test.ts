/** The checker of responses that the HTTP suites use: it must itself find each fault. */
import { describe, expect, it } from 'vitest';
import { undocumented } from '../../kit/documented.ts';

const PATH = '/v1/migrations/acme/catalog/mappings';
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'r',
  'strict-transport-security': 'max-age=1',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};
const BODY = { mappings: [], next_cursor: null };

function responseWith(changes: { status?: number; body?: unknown; headers?: Record<string, string> } = {}) {
  return { status: 200, body: BODY, ...changes, headers: new Headers({ ...HEADERS, ...changes.headers }) };
}

const envelope = (error_code: string) => ({ errors: [{ error_code, message: 'm' }], request_id: 'r' });

describe('undocumented', () => {
  it('undocumented: a response as documented → no findings', () => {
    expect(undocumented('GET', `${PATH}?limit=1`, responseWith())).toEqual([]);
  });

  it.each([
    ['with a status that is not documented', 'GET', PATH, responseWith({ status: 204 })],
    ['with a member beyond the schema', 'GET', PATH, responseWith({ body: { ...BODY, more: 1 } })],
    ['with a member missing', 'GET', PATH, responseWith({ body: { mappings: [] } })],
    ['with a header that is not documented', 'GET', PATH, responseWith({ headers: { 'x-powered-by': 'x' } })],
    ['with a header of another value', 'GET', PATH, responseWith({ headers: { 'x-content-type-options': 'sniff' } })],
    ['401 without its challenge', 'GET', PATH, responseWith({ status: 401, body: envelope('unauthorized') })],
    ['with a code that does not exist', 'GET', PATH, responseWith({ status: 403, body: envelope('no_such_code') })],
    [
      'that may be cached, of a profile',
      'GET',
      '/api/v1/auth/profile',
      responseWith({ status: 500, body: envelope('internal_error'), headers: { 'cache-control': 'public' } }),
    ],
    ['200 of an unknown method', 'DELETE', PATH, responseWith({ body: envelope('method_not_allowed') })],
    ['of another content type', 'GET', PATH, responseWith({ headers: { 'content-type': 'text/html' } })],
  ])('undocumented: a response %s → one finding', (_, method, path, seen) => {
    expect(undocumented(method, path, seen)).toHaveLength(1);
  });

  it('undocumented: route_not_found on an unknown route → no findings', () => {
    expect(undocumented('GET', '/nowhere', responseWith({ status: 404, body: envelope('route_not_found') }))).toEqual(
      [],
    );
  });
});
