/** All problems of a request are reported at once. On the shared local stack; costs a second. */
import { request as httpRequest } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type Admin, adminOf, call } from '../kit/api.ts';
import { freshId } from '../kit/records.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await adminOf('requests');
});

const IMPORTS = '/progress/imports';
const JSON_TYPE = { 'content-type': 'application/json' };
/** A body as text, not as an object would be written. */
const sent = (body: string) => admin.post(IMPORTS, body, JSON_TYPE);
const problems = ({ body }: Awaited<ReturnType<typeof sent>>): [string, string][] =>
  body.errors.map(({ field, message }: { field: string; message: string }) => [field, message]);

describe('everything that is wrong with a request', () => {
  it('a request with several problems is 413 if its batch is too large', async () => {
    const answer = await admin.post(`${IMPORTS}?z=1`, { records: Array(501).fill({}) }, { 'idempotency-key': 'a b' });
    expect(answer.status).toBe(413);
    expect(problems(answer).map(([field]) => field)).toEqual(['records', 'z', 'dry_run', 'Idempotency-Key']);
    const tooMany = await admin.post('/users/resolve?z=1', { emails: Array(101).fill('a@b.test') });
    expect([tooMany.status, problems(tooMany).map(([field]) => field)]).toEqual([413, ['emails', 'z']]);
  });

  it('logins and queries report all their problems at once', async () => {
    const answer = await call('POST', '/api/v1/auth/login', { body: {} });
    expect(problems(answer).map(([, message]) => message)).toEqual(['email is required.', 'password is required.']);
    const { body } = await admin.dryRun([{}]);
    const listed = await admin.get(`${IMPORTS}/${body.import_id}/records?status=x&include=y&limit=0`);
    expect(problems(listed).map(([field]) => field)).toEqual(['status', 'include', 'limit']);
    const imports = await admin.get(`${IMPORTS}?status=x&limit=0&z=1`);
    expect(problems(imports).map(([field]) => field)).toEqual(['z', 'status', 'limit']);
    const courses = await admin.get('/catalog/courses?limit=0&cursor=x');
    expect(problems(courses).map(([field]) => field)).toEqual(['limit', 'cursor']);
  });

  it('a malformed request is 400 also for a run whose id cannot exist', async () => {
    const run = `/progress/runs/${'x'.repeat(129)}`;
    expect((await admin.post(`${run}/revert`, {})).status).toBe(400);
    expect((await admin.post(`${run}/evidence`, {})).status).toBe(400);
    for (const query of ['evidence?limit=0', 'revert?dry_run=x', 'records?status=x'])
      expect((await admin.get(`${run}/${query}`)).status).toBe(400);
    expect((await admin.get(`${run}/evidence`)).status).toBe(404);
  });
});

it('a request that is refused with 4xx binds no key', async () => {
  const headers = { 'idempotency-key': freshId('key') };
  expect((await admin.dryRun([], headers)).status).toBe(400);
  expect((await admin.dryRun([{}], headers)).status).toBe(200);
});

describe('an Idempotency-Key header that is sent twice', () => {
  /** A `fetch` would join the values itself. */
  async function imported(keys: string[]) {
    const { hostname, port } = new URL(inject('baseUrl'));
    const headers = { ...JSON_TYPE, authorization: `Bearer ${admin.token}`, 'idempotency-key': keys };
    const path = `${admin.base}${IMPORTS}`;
    return new Promise<{ status: number | undefined; body: { errors: { field: string; message: string }[] } }>(
      (resolve, reject) => {
        const request = httpRequest({ hostname, port, path, method: 'POST', headers }, (response) => {
          textOf(response).then(
            (text) => resolve({ status: response.statusCode, body: JSON.parse(text) as never }),
            reject,
          );
        });
        request.on('error', reject);
        request.end(JSON.stringify({ dry_run: true, records: [{}] }));
      },
    );
  }

  it.each([
    ['the same', 'one', 'one'],
    ['mixed', 'one', '"other"'],
  ])('two Idempotency-Key headers are no third key, but 400: %s', async (_, ...keys) => {
    const { status, body } = await imported(keys.map((key) => key.replace(/o/, freshId('o'))));
    expect([status, body.errors[0]?.field]).toEqual([400, 'Idempotency-Key']);
    expect(body.errors[0]?.message).toContain('sent once, not 2 times');
  });

  it('an Idempotency-Key header with a comma in quotes is one key', async () => {
    const key = `"${freshId('a')},b"`;
    const [first, again] = [await imported([key]), await imported([key])];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
  });
});
