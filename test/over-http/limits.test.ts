/** The limits of docs/limits.md, at the limit and one beyond it. On the shared local stack; costs seconds. */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Admin, adminOf, call } from '../kit/api.ts';
import { freshId, record } from '../kit/records.ts';

const COMPANY = 'limits';
let admin: Admin;
beforeAll(async () => {
  admin = await adminOf(COMPANY);
});

type Reported = { errors: { error_code: string; field?: string }[] };

/** The problems of each record in a dry run, as `code field`. */
async function problemsOf(...records: object[]): Promise<string[][]> {
  const { body } = await admin.dryRun(records);
  return body.records.map(({ errors }: Reported) =>
    errors.map(({ error_code, field = '' }) => `${error_code} ${field}`.trim()),
  );
}

const EMOJI = '😀';
const of = (overrides: object) => record(COMPANY, { ...overrides });

describe('limits of a record', () => {
  it('a record of 64 KiB is accepted, of one byte more it is rejected', async () => {
    const sized = (bytes: number) => {
      const bare = of({ external_record_id: freshId(), blob: '' });
      return { ...bare, blob: 'x'.repeat(bytes - JSON.stringify(bare).length) };
    };
    expect(await problemsOf(sized(64 * 1024), sized(64 * 1024 + 1))).toEqual([[], ['invalid_record']]);
  });

  it('external ids are limited to 128 characters, of which an emoji is one', async () => {
    const ids = (length: number) => {
      const id = EMOJI.repeat(length);
      return of({
        external_record_id: id,
        user: { external_user_id: id },
        content: { type: 'course', external_course_id: id },
      });
    };
    expect(await problemsOf(ids(128), ids(129))).toEqual([
      ['external_user_id_not_mapped user.external_user_id', 'external_course_id_not_mapped content.external_course_id'],
      [
        'invalid_record external_record_id',
        'invalid_record user.external_user_id',
        'invalid_record content.external_course_id',
      ],
    ]);
  });

  it('external_ref is limited to 1,024 characters', async () => {
    const ref = (length: number) =>
      of({ content: { type: 'course', platform_course_id: 101, external_ref: EMOJI.repeat(length) } });
    expect(await problemsOf(ref(1024), ref(1025))).toEqual([[], ['invalid_record content.external_ref']]);
  });

  it('an e-mail address is limited to 254 characters', async () => {
    const email = (length: number) => of({ user: { email: `${'x'.repeat(length - 5)}@a.bc` } });
    expect(await problemsOf(email(254), email(255))).toEqual([
      ['user_not_found user.email'],
      ['invalid_record user.email'],
    ]);
  });

  it('course and class ids are limited to whole numbers from 0 to 2^53 - 1', async () => {
    const course = (platform_course_id: number) => of({ content: { type: 'course', platform_course_id } });
    const viewed = (platform_class_id: number) =>
      of({ progress: { completion_pct: 1, classes: [{ platform_class_id }] } });
    const largest = Number.MAX_SAFE_INTEGER;
    const wrong = 'invalid_record content.platform_course_id';
    expect(await problemsOf(course(0), course(largest), course(largest + 1), course(-1), course(0.5))).toEqual([
      ['course_not_in_catalog content.platform_course_id'],
      ['course_not_in_catalog content.platform_course_id'],
      [wrong],
      [wrong],
      [wrong],
    ]);
    const none = 'invalid_record progress.classes.0.platform_class_id';
    expect(await problemsOf(viewed(largest), viewed(largest + 1), viewed(-1))).toEqual([[], [none], [none]]);
  });

  it('a class view without a date has that of the import', async () => {
    const sent = of({ progress: { classes: [{ platform_class_id: 101_000 }] } });
    const { body } = await admin.importAndWait([sent]);
    const { body: audit } = await admin.get(
      `/progress/records?external_record_id=${String(sent['external_record_id'])}`,
    );
    expect(audit.contributions[0].classes).toEqual([{ platform_class_id: 101_000, viewed_at: body.created_at }]);
  });
});

describe('limits of a body', () => {
  const MIB4 = 4 * 1024 * 1024;
  it.each([
    ['/api/v1/auth/login', 16 * 1024],
    ['/api/v1/auth/refresh-token', 16 * 1024],
    ['/v1/migrations/limits/users/resolve', 64 * 1024],
    ['/v1/migrations/limits/users/mappings', MIB4],
    ['/v1/migrations/limits/catalog/mappings', MIB4],
    ['/v1/migrations/limits/progress/imports', MIB4],
    ['/v1/migrations/limits/progress/imports/none/revert', MIB4],
    ['/v1/migrations/limits/progress/runs/none/revert', MIB4],
    ['/v1/migrations/limits/progress/runs/none/evidence', MIB4],
  ])('%s takes %d bytes, and neither one more nor so many when unpacked', async (path, most) => {
    const codeOf = async (body: string | Uint8Array, headers = {}) => {
      const sent = { token: admin.token, body, headers: { 'content-type': 'application/json', ...headers } };
      return (await call('POST', path, sent)).body.errors[0].error_code;
    };
    const over = `{${' '.repeat(most - 1)}}`;
    const codes = [await codeOf(over.replace(' ', '')), await codeOf(over)];
    codes.push(await codeOf(gzipSync(over), { 'content-encoding': 'gzip' }));
    expect(codes).toEqual(['invalid_request', 'payload_too_large', 'payload_too_large']);
  });
});

describe('limits of a page', () => {
  it.each([
    ['/catalog/courses', 500],
    ['/users/mappings', 500],
    ['/catalog/mappings', 500],
    ['/progress/imports', 100],
  ])('a page is limited: %s to %d', async (path, max) => {
    const statuses = [1, max, 0, max + 1].map(async (limit) => (await admin.get(`${path}?limit=${limit}`)).status);
    expect(await Promise.all(statuses)).toEqual([200, 200, 400, 400]);
  });

  it('a page is limited: results to 500, and ends early where it would exceed 4 MiB', async () => {
    const bare = of({ external_record_id: freshId('large'), progress: { completion_pct: 50, classes: [] } });
    const classOf = (at: number) => ({ platform_class_id: 1_000_000 + at });
    const length = Math.floor((64_400 - JSON.stringify(bare).length) / `${JSON.stringify(classOf(0))},`.length);
    const progress = { completion_pct: 50, classes: Array.from({ length }, (_, at) => classOf(at)) };
    const records = Array.from({ length: 65 }, () => ({ ...bare, external_record_id: freshId('large'), progress }));
    const { body: report } = await admin.dryRun(records);
    const path = `/progress/imports/${report.import_id}/records?include=record`;
    expect((await admin.get(`${path}&limit=501`)).status).toBe(400);
    const first = await admin.get(`${path}&limit=500`);
    expect(Buffer.byteLength(JSON.stringify(first.body.records))).toBeLessThanOrEqual(4 * 1024 * 1024 + 1);
    expect(first.body.records.length).toBeLessThan(65);
    const rest = await admin.get(`${path}&cursor=${first.body.next_cursor}`);
    const listed = [...first.body.records, ...rest.body.records];
    expect(listed.map(({ record: sent }: { record: object }) => sent)).toEqual(records);
    expect(rest.body.next_cursor).toBeNull();
  });
});
