/** Bodies and pages at their limit and one beyond; `test/records` has the limits of records. Costs seconds. */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Admin, adminOf, type Answer, call } from '../kit/api.ts';
import { cases } from '../kit/at-length.ts';
import { record } from '../kit/records.ts';

const COMPANY = 'limits';
let admin: Admin;
beforeAll(async () => {
  admin = await adminOf(COMPANY);
});

it('a class view without a date has that of the import', async () => {
  const sent = record(COMPANY, { progress: { classes: [{ platform_class_id: 101_000 }] } });
  const { body } = await admin.importAndWait([sent]);
  const { body: audit } = await admin.get(`/progress/records?external_record_id=${String(sent['external_record_id'])}`);
  expect(audit.contributions[0].classes).toEqual([{ platform_class_id: 101_000, viewed_at: body.created_at }]);
});

describe('limits of a body', () => {
  const MIB4 = 4 * 1024 * 1024;
  const PATHS: readonly [path: string, most: number][] = [
    ['/api/v1/auth/login', 16 * 1024],
    ['/api/v1/auth/refresh-token', 16 * 1024],
    ['/v1/migrations/limits/users/resolve', 64 * 1024],
    ['/v1/migrations/limits/progress/imports', MIB4],
    ['/v1/migrations/limits/users/mappings', MIB4],
    ['/v1/migrations/limits/catalog/mappings', MIB4],
    ['/v1/migrations/limits/progress/imports/none/revert', MIB4],
    ['/v1/migrations/limits/progress/runs/none/revert', MIB4],
    ['/v1/migrations/limits/progress/runs/none/evidence', MIB4],
  ];
  it.each(PATHS.slice(0, cases(PATHS.length, 2)))(
    '%s takes %d bytes, and neither one more nor so many when unpacked',
    async (path, most) => {
      const codeOf = async (body: string | Uint8Array, headers = {}) => {
        const sent = { token: admin.token, body, headers: { 'content-type': 'application/json', ...headers } };
        return (await call('POST', path, sent)).body.errors[0].error_code;
      };
      const over = `{${' '.repeat(most - 1)}}`;
      const codes = [await codeOf(over.replace(' ', '')), await codeOf(over)];
      codes.push(await codeOf(gzipSync(over), { 'content-encoding': 'gzip' }));
      expect(codes).toEqual(['invalid_request', 'payload_too_large', 'payload_too_large']);
    },
  );
});

it('a response that counts says over HTTP what is left of the quotas, and another says nothing', async () => {
  const rateLimit = ({ headers }: Answer) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];
  const counted = rateLimit(await admin.dryRun([record('limits')]));
  expect(counted[0]).toBe('"imports";q=7500;w=3600, "upload_bytes";q=4000000000;qu="content-bytes";w=3600');
  expect(counted[1]).toMatch(/^"imports";r=\d+;t=\d+, "upload_bytes";r=\d+;t=\d+$/);
  expect(rateLimit(await admin.get('/catalog/courses'))[1]).toMatch(/^"download_bytes";r=\d+;t=\d+$/);
  for (const path of ['/progress/runs', '/progress/imports?limit=1'])
    expect(rateLimit(await admin.get(path))).toEqual([null, null]);
});
