/** Many records of one user and course: a dry run reports what the import does (rule 12). On the local stack; costs seconds. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Admin, adminOf } from '../kit/api.ts';
import { cases } from '../kit/at-length.ts';
import { freshId, record } from '../kit/records.ts';

const COMPANY = 'histories';

let admin: Admin;
beforeAll(async () => {
  admin = await adminOf(COMPANY);
});

const viewing = () =>
  record(COMPANY, {
    content: { type: 'course', platform_course_id: 104 },
    progress: {
      started_at: '2022-01-01',
      last_activity_at: '2022-04-01',
      classes: Array.from({ length: 100 }, (_, at) => ({
        platform_class_id: 104_000 + at,
        viewed_at: '2022-03-04T05:06:07Z',
      })),
    },
  });
const large = () => record(COMPANY, { user: { email: `learner-2@${COMPANY}.test` }, note: 'x'.repeat(53_000) });
const referring = () => {
  const user = { email: `learner-3@${COMPANY}.test` };
  return record(COMPANY, { user, content: { type: 'course', platform_course_id: 101, external_ref: freshId('ref') } });
};

describe('many records of one user and course', () => {
  it.each([
    ['with 100 class views', cases(200, 60), viewing],
    ['of 53 KB', cases(60, 20), large],
    ['small ones, each with its own external_ref', 500, referring],
  ])(
    'a dry run and the import succeed with each record of one user and course: %s, %i of them',
    { timeout: 120_000 },
    async (_, count, recordOf) => {
      const records = Array.from({ length: count }, recordOf);
      const dry = await admin.dryRun(records);
      expect(dry.body.counts).toMatchObject({ total: count, succeeded: count, failed: 0 });
      const { body } = await admin.importAndWait(records);
      expect(body).toMatchObject({ status: 'success', counts: { total: count, succeeded: count, failed: 0 } });
      expect(body.records).toEqual(dry.body.records.map(({ before: _, ...result }: { before?: unknown }) => result));
      const again = await admin.importAndWait(records);
      const outcomes = again.body.records.map(({ outcome }: { outcome: string }) => outcome);
      expect(new Set(outcomes)).toEqual(new Set(['unchanged']));
      const audit = await admin.get(`/progress/records?external_record_id=${records.at(-1)?.['external_record_id']}`);
      expect(audit.body.contributions).toHaveLength(1);
    },
  );
});
