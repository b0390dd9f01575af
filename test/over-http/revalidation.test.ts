/** Revalidation of copies by `ETag`, `If-None-Match` and 304. On the shared local stack; costs seconds. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Admin, adminOf, call } from '../kit/api.ts';
import { record } from '../kit/records.ts';

let admin: Admin;
let ended: string;

beforeAll(async () => {
  admin = await adminOf('life');
  const { body } = await admin.importAndWait([record('life'), record('life')]);
  ended = `/progress/imports/${body.import_id}`;
});

const asked = (path: string, ifNoneMatch: string) =>
  call('GET', admin.base + path, { token: admin.token, headers: { 'if-none-match': ifNoneMatch } });
const KEPT = ['cache-control', 'etag', 'strict-transport-security', 'x-content-type-options'];
const kept = ({ headers }: { readonly headers: Headers }) => KEPT.map((name) => headers.get(name));

describe.each([
  ['the catalog', () => '/catalog/courses'],
  ['an import that has ended', () => ended],
  ['a page of its records', () => `${ended}/records?status=success&include=record&limit=1`],
])('%s', (_, path) => {
  it('a client that has the current copy gets 304 with the same headers', async () => {
    const whole = await admin.get(path());
    const again = await asked(path(), whole.headers.get('etag') ?? '');
    expect([whole.status, again.status, again.body]).toEqual([200, 304, undefined]);
    expect(kept(again)).toEqual(kept(whole));
    expect(again.headers.get('content-length')).toBeNull();
    expect((await asked(path(), '*')).status).toBe(304);
  });
});

it('a damaged cursor, or another wrong value, is 400 whatever copy the client has', async () => {
  for (const query of ['cursor=AAAA', 'limit=0', 'status=odd']) {
    expect((await asked(`${ended}/records?${query}`, '*')).status).toBe(400);
  }
});

it('lists that change at any time have no tag', async () => {
  expect((await admin.get('/progress/imports?limit=1')).headers.get('etag')).toBeNull();
});

it('a client that has this version of the document gets 304', async () => {
  const whole = await call('GET', '/v1/openapi.json');
  const headers = { 'if-none-match': whole.headers.get('etag') ?? '' };
  const again = await call('GET', '/v1/openapi.json', { headers });
  expect([again.status, again.body, again.headers.get('cache-control')]).toEqual([
    304,
    undefined,
    'public, max-age=300',
  ]);
});
