/** Hostile requests: each gets a 4xx in the envelope and writes nothing. On the shared local stack; costs seconds. */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Admin, adminOf, call, login } from '../kit/api.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await adminOf('hostile');
});

const IMPORTS = '/v1/migrations/hostile/progress/imports';
const json = { 'content-type': 'application/json' };
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('a body', () => {
  it.each<[string, string | Uint8Array, Record<string, string>, number, string]>([
    ['that is cut off', '{"dry_run":true,', json, 400, 'invalid_request'],
    ['nested 20,000 levels deep', deep(20_000), json, 400, 'invalid_request'],
    ['that is no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), json, 400, 'invalid_request'],
    ['over 4 MiB', `{"dry_run":true,"records":["${'x'.repeat(4 * 1024 * 1024)}"]}`, json, 413, 'payload_too_large'],
    ...['toString', 'constructor', '__proto__'].map(
      (name): [string, string, Record<string, string>, number, string] => [
        `of the Content-Encoding ${name}, which every object has a member of`,
        '{"dry_run":true,"records":[{}]}',
        { ...json, 'content-encoding': name },
        400,
        'invalid_request',
      ],
    ),
    ['with __proto__', '{"__proto__":{"dry_run":true,"records":[{}]}}', json, 400, 'invalid_request'],
  ])('a body %s is refused', async (_, body, headers, status, error_code) => {
    const response = await call('POST', IMPORTS, { token: admin.token, body, headers });
    expect([response.status, response.body.errors[0].error_code]).toEqual([status, error_code]);
    expect(response.body.request_id).toBe(response.headers.get('x-request-id'));
    expect((await admin.get('/progress/imports')).body.imports).toEqual([]);
  });
});

describe('a record of several megabytes', () => {
  it('one record of several megabytes is an invalid_record, in a dry run and in an import', async () => {
    const huge = {
      external_record_id: 'huge',
      user: { email: 'learner-1@hostile.test' },
      blob: randomBytes(2_900_000).toString('base64'),
    };
    for (const dry_run of [true, false]) {
      const started = await admin.post('/progress/imports', { dry_run, records: [huge, 1] });
      const { body } = await admin.finished(started.body.import_id);
      expect(body.records[0]).toMatchObject({
        external_record_id: 'huge',
        status: 'error',
        errors: [{ error_code: 'invalid_record' }],
      });
      const listed = await admin.get(`/progress/imports/${body.import_id}/records?include=record`);
      expect(listed.status).toBe(200);
    }
  });
});

describe('login', () => {
  it('a login is throttled after ten failures, also with the right password, with Retry-After', async () => {
    const attempt = (password: string) => login('customer@access.test', password);
    for (let failure = 0; failure < 10; failure += 1) expect((await attempt('wrong')).status).toBe(401);
    const refused = await attempt('correct horse battery staple');
    expect([refused.status, refused.body.errors[0].error_code]).toEqual([429, 'too_many_requests']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await login('admin@access.test')).status).toBe(201);
  });
});
