/** Malformed requests and their keys. On the shared local stack; costs a second. */
import { request as httpRequest } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type Admin, adminOf } from '../kit/api.ts';
import { freshId } from '../kit/records.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await adminOf('requests');
});

const IMPORTS = '/progress/imports';
const JSON_TYPE = { 'content-type': 'application/json' };

it('a malformed request is 400 also for a run whose id cannot exist', async () => {
  const run = `/progress/runs/${'x'.repeat(129)}`;
  expect((await admin.post(`${run}/revert`, {})).status).toBe(400);
  expect((await admin.post(`${run}/evidence`, {})).status).toBe(400);
  for (const query of ['evidence?limit=0', 'revert?dry_run=x', 'records?status=x'])
    expect((await admin.get(`${run}/${query}`)).status).toBe(400);
  expect((await admin.get(`${run}/evidence`)).status).toBe(404);
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
