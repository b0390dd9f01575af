/** The recommended workflow of the interface (§1), step by step. On the shared local stack; costs a second. */
import { expect, it } from 'vitest';
import { adminOf } from '../kit/api.ts';
import { record } from '../kit/records.ts';

const COMPANY = 'journey';

it('a company moves its history, from the catalog to the rejected records', async () => {
  const admin = await adminOf(COMPANY);

  // 1. the catalog
  const catalog = await admin.get('/catalog/courses');
  expect(catalog.body.courses.map((course: { platform_course_id: number }) => course.platform_course_id)).toEqual([
    101, 102, 103, 104,
  ]);

  // 2. the users
  const emails = ['LEARNER-1@journey.test', 'inactive@journey.test', 'nobody@journey.test'];
  const resolved = await admin.post('/users/resolve', { emails });
  expect(resolved.body.users.map(({ status }: { status: string }) => status)).toEqual([
    'active',
    'inactive',
    'not_found',
  ]);

  // 3. ids of the previous system
  const users = await admin.post('/users/mappings', {
    mappings: [{ external_user_id: 9101, email: 'learner-1@journey.test' }],
  });
  const courses = await admin.post('/catalog/mappings', {
    mappings: [{ external_course_id: 'GO-1', platform_course_id: 102 }],
  });
  expect([users.body.counts.created, courses.body.counts.created]).toEqual([1, 1]);

  // 4. the dry run
  const good = record(COMPANY, {
    user: { external_user_id: '9101' },
    content: { type: 'course', external_course_id: 'GO-1' },
  });
  const bad = record(COMPANY, { content: { type: 'course', platform_course_id: 404 } });
  const dry = await admin.dryRun([good, bad]);
  expect(dry.body).toMatchObject({ status: 'validated', dry_run: true, counts: { succeeded: 1, failed: 1 } });
  expect((await admin.get(`/progress/records?external_record_id=${good['external_record_id']}`)).status).toBe(404);

  // 5. the real import
  const started = await admin.startImport([good, bad]);
  expect(started.status).toBe(202);
  expect(started.headers.get('location')).toBe(`${admin.base}/progress/imports/${started.body.import_id}`);

  // 6. the poll
  const finished = await admin.finished(started.body.import_id);
  expect(finished.body).toMatchObject({ status: 'partial_success', counts: { total: 2, succeeded: 1, failed: 1 } });

  // 7. the rejected records, ready to fix
  const rejected = await admin.get(`/progress/imports/${started.body.import_id}/records?status=error&include=record`);
  expect(rejected.body.records).toHaveLength(1);
  expect(rejected.body.records[0]).toMatchObject({
    index: 1,
    errors: [{ error_code: 'course_not_in_catalog' }],
    record: bad,
  });

  // and the persisted records
  const audit = await admin.get(`/progress/records?external_record_id=${good['external_record_id']}`);
  expect(audit.body.contributions).toMatchObject([
    { source: 'external_migration', import_id: started.body.import_id, completion_pct: 40 },
  ]);
  expect(audit.body.effective).toMatchObject({ completion_pct: 40, started_at: '2021-01-01T00:00:00.000Z' });
});
