/** Refusals of API Gateway itself, and the sizes that it lets through. On the shared local stack; costs seconds. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Admin, adminOf, call } from '../kit/api.ts';
import { record } from '../kit/records.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await adminOf('gateway');
});

const MIB = 1024 * 1024;
const json = { 'content-type': 'application/json' };

describe('a body', () => {
  it.each([
    ['5 MB', 5_000_000],
    ['11 MB', 11_000_000],
  ])('a body of %s is refused in the envelope, by the gateway as by the function', async (_, bytes) => {
    const body = Buffer.alloc(bytes, 'a');
    const response = await call('POST', `${admin.base}/progress/imports`, { token: admin.token, body, headers: json });
    expect([response.status, response.body.errors[0].error_code]).toEqual([413, 'payload_too_large']);
    expect(response.headers.get('x-request-id')).toBe(response.body.request_id);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('a body of 4 MiB is read, even if it is nothing but quotes, which count twice inside JSON', async () => {
    const open = '{"dry_run":true,"records":["';
    const quotes = (4 * MIB - open.length - 3) / 2;
    const body = `${open}${'\\"'.repeat(Math.floor(quotes))}"]}`;
    const response = await call('POST', `${admin.base}/progress/imports`, { token: admin.token, body });
    expect([response.status, response.body.counts]).toMatchObject([200, { total: 1, failed: 1 }]);
  });
});

it('a page of results ends before 4 MiB, even if it is nothing but quotes, and the next ones have the rest', async () => {
  const content = { type: 'course', platform_course_id: 101, external_ref: '"'.repeat(31_000) };
  const records = Array.from({ length: 60 }, () => record('gateway', { content }));
  const { import_id } = (await admin.importAndWait(records)).body;
  const pages = await admin.pages(`/progress/imports/${import_id}/records?include=record`);
  expect(pages.length).toBeGreaterThan(1);
  for (const page of pages) expect(Buffer.byteLength(JSON.stringify(page.records))).toBeLessThanOrEqual(4 * MIB + 1);
  expect(pages.flatMap((page) => page.records).map((each) => each.record)).toEqual(records);
});

it.each([
  ['DELETE', '/api/v1/auth/login', 'POST'],
  ['HEAD', '/api/v1/auth/profile', 'GET'],
  ['PUT', '/v1/migrations/no company/users/mappings', 'GET, POST'],
  ['PATCH', '/v1/migrations/gateway/progress/imports/x/records', 'GET'],
  ['HEAD', '/', 'GET'],
  ['POST', '/page/page.js', 'GET'],
  ['OPTIONS', '/', 'GET'],
  ['PROPFIND', '/v1/migrations/gateway/catalog/courses', 'GET'],
])('%s %s is 405 with Allow: %s, with or without a token', async (method, path, allow) => {
  for (const options of [{}, { token: 'x' }, { token: admin.token }]) {
    const response = await call(method, path, options);
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
  }
});

it.each([
  ['POST', '/page'],
  ['GET', '/v1'],
  ['PUT', '/a/b'],
  ['GET', '/api/v1/auth/nothing'],
  ['GET', '/v1/migrations/gateway'],
  ['GET', '/v1/migrations/gateway/catalog/courses/'],
])('%s %s, which does not exist, is 404 in the envelope, with or without a token', async (method, path) => {
  for (const options of [{}, { token: 'x' }, { token: admin.token }]) {
    const response = await call(method, path, options);
    expect([response.status, response.body.errors[0].error_code]).toEqual([404, 'route_not_found']);
    expect(response.headers.get('cache-control')).toBe('no-store');
  }
});
