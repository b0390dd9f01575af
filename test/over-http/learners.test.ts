/** The transcript of a learner over HTTP, held to the document. On the shared stack; costs seconds. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Admin, adminOf } from '../kit/api.ts';
import { record } from '../kit/records.ts';

let admin: Admin;
const learner = (query: string) => admin.get(`/progress/learners?${query}`);

const certificate = (external_record_id: string, date: string) =>
  record('learners', {
    external_record_id,
    user: { email: 'learner-10@learners.test' },
    progress: { completion_pct: 100, completed_at: date },
    assessment: { status: 'passed', taken_at: date },
  });

beforeAll(async () => {
  admin = await adminOf('learners');
  const inOtherCourse = certificate('exam', '2024-05-05');
  await admin.importAndWait([
    certificate('second', '2024-03-01'),
    certificate('first', '2023-03-01'),
    { ...inOtherCourse, content: { type: 'course', platform_course_id: 103 } },
  ]);
  await admin.post('/users/mappings', {
    mappings: [{ external_user_id: 9110, email: 'learner-10@learners.test' }],
  });
});

describe('GET /progress/learners', () => {
  it('a learner is found by address, id and external id, with the same transcript', async () => {
    const { status, body } = await learner('email=LEARNER-10@learners.test');
    expect(status).toBe(200);
    expect(body).toMatchObject({ email: 'learner-10@learners.test', license: 'active', next_cursor: null });
    expect(body.courses.map((each: { platform_course_id: number }) => each.platform_course_id)).toEqual([101, 103]);
    expect((await learner(`user_id=${body.user_id}`)).body).toEqual(body);
    expect((await learner('external_user_id=9110')).body).toEqual(body);
  });

  it('a course shows the latest certificate, every renewal, and the organic progress', async () => {
    const { body } = await learner('email=learner-10@learners.test&limit=1');
    const [course] = body.courses;
    expect(course.contributions.map((each: { external_record_id: string }) => each.external_record_id)).toEqual([
      'first',
      'second',
    ]);
    expect(course.native).toMatchObject({ completion_pct: 90, approved_course: 1 });
    expect(course.effective).toMatchObject({
      completion_pct: 100,
      certified_at: '2024-03-01T00:00:00.000Z',
      completed_at: '2024-03-01T00:00:00.000Z',
    });
    const audit = await admin.get('/progress/records?external_record_id=second');
    expect(audit.body.effective).toEqual(course.effective);
    const { external_record_id, ...contribution } = course.contributions[1];
    expect(audit.body.contributions).toEqual([contribution]);
    const { body: next } = await learner(`email=learner-10@learners.test&limit=1&cursor=${body.next_cursor}`);
    expect([next.courses[0].platform_course_id, next.next_cursor]).toEqual([103, null]);
  });

  it('an inactive learner is shown, and one without progress has no courses', async () => {
    const { body } = await learner('email=inactive@learners.test');
    expect(body).toMatchObject({ license: 'inactive', courses: [], next_cursor: null });
  });
});
