/**
 * The Idempotency-Key: one import however many calls, and never another payload under the same key; and ids that are
 * bound. On the shared local stack; costs a second.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Admin, adminOf } from '../kit/api.ts';
import { freshId, record } from '../kit/records.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await adminOf('keys');
});

const keyed = (key = freshId('key')) => ({ 'idempotency-key': key });

describe('Idempotency-Key', () => {
  it.each([false, true])(
    '50 racing calls with one key make one import and get 50 equal responses (dry_run %s)',
    async (dry_run) => {
      const headers = keyed();
      const body = { dry_run, records: [record('keys'), record('keys', { user: {} })] };
      const responses = await Promise.all(
        Array.from({ length: 50 }, () => admin.post('/progress/imports', body, headers)),
      );
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([dry_run ? 200 : 202]));
      expect(new Set(responses.map((response) => JSON.stringify(response.body))).size).toBe(1);
      expect(responses.filter(({ headers: h }) => h.get('idempotent-replayed') === null)).toHaveLength(1);
    },
  );

  it('a repeat replays the original response, also after the import has ended, and for a quoted key', async () => {
    const key = freshId('key');
    const records = [record('keys')];
    const first = await admin.startImport(records, keyed(key));
    await admin.finished(first.body.import_id);
    const again = await admin.startImport(records, keyed(`"${key}"`));
    expect(again.status).toBe(202);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.headers.get('retry-after')).not.toBeNull();
  });

  it('a request that is refused with 4xx binds no key', async () => {
    const headers = keyed();
    expect((await admin.dryRun([], headers)).status).toBe(400);
    expect((await admin.dryRun([{}], headers)).status).toBe(200);
  });
});

describe('an external_record_id that is bound to another user and course', () => {
  it('an external_record_id of another user and course fails its record, and the import and its results can be read', async () => {
    const first = record('keys');
    await admin.importAndWait([first]);
    const again = { ...first, content: { type: 'course', platform_course_id: 102 } };
    const { status, body } = await admin.importAndWait([again]);
    expect([status, body.status]).toEqual([200, 'error']);
    const listed = await admin.get(`/progress/imports/${body.import_id}/records`);
    expect(listed.body.records).toMatchObject([{ errors: [{ error_code: 'duplicate_external_record_id' }] }]);
  });
});
