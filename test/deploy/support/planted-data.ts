import { userIn } from '../../kit/test-data.ts';

/** A company whose secrets can be distinguished from everything else. */
export const CANARY = {
  password: 'canary-password-of-the-admin',
  wrongPassword: 'canary-password-that-is-wrong',
  adminEmail: 'canary-admin@canary-mail.test',
  learnerEmail: 'canary-learner@canary-mail.test',
  unknownEmail: 'canary-unknown@canary-mail.test',
  externalUserId: 'canary-external-user',
  externalCourseId: 'canary-external-course',
  externalRef: 'canary-external-ref',
  externalRecordId: 'canary-external-record',
  unknownMember: 'canary-unknown-member',
  idempotencyKey: 'canary-idempotency-key',
  name: 'Canary Name',
} as const;

export function plantedData() {
  const user = (id: number, email: string, more?: object) => userIn('acme', id, CANARY.name, { email, ...more });
  return {
    companies: [{ company_id: 'acme', name: CANARY.name, migrations_enabled: true }],
    users: [user(1, CANARY.adminEmail, { role: 'admin', password: CANARY.password }), user(2, CANARY.learnerEmail)],
    courses: [{ company_id: 'acme', platform_course_id: 101, title: 'Course', has_exam: true, classes: [] }],
    progress: [],
  };
}

/** One that succeeds with a warning, and others that are rejected for three reasons. */
export const PLANTED_RECORDS = [
  { [CANARY.unknownMember]: CANARY.externalRef },
  { user: { email: CANARY.unknownEmail } },
  { content: { type: 'course', platform_course_id: 404, external_ref: CANARY.externalRef } },
  { progress: { completion_pct: 101 } },
].map((change, at) => ({
  external_record_id: `${CANARY.externalRecordId}-${at}`,
  user: { email: CANARY.learnerEmail },
  content: { type: 'course', platform_course_id: 101, external_ref: CANARY.externalRef },
  progress: { completion_pct: 40 },
  ...change,
}));
