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
  const user = (id: number, email: string, more: object = {}) => ({
    id,
    company_id: 'acme',
    email,
    name: CANARY.name,
    role: 'customer',
    avatar: 'https://example.com/a.png',
    license: 'active',
    ...more,
  });
  const classes = [1, 2, 3].map((platform_class_id) => ({ platform_class_id, title: 'Class' }));
  return {
    companies: [{ company_id: 'acme', name: CANARY.name, migrations_enabled: true }],
    users: [
      user(1, CANARY.adminEmail, { role: 'admin', password: CANARY.password }),
      ...Array.from({ length: 100 }, (_, at) =>
        user(10 + at, at === 0 ? CANARY.learnerEmail : `canary-${at}@canary-mail.test`),
      ),
    ],
    courses: [101, 102, 103, 104, 105].map((platform_course_id) => ({
      company_id: 'acme',
      platform_course_id,
      title: 'Course',
      has_exam: true,
      classes,
    })),
    progress: [],
  };
}

/** A realistic batch: most records succeed, some with warnings, and a few are rejected for three reasons. */
export function plantedRecords(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, at) => ({
    external_record_id: `${CANARY.externalRecordId}-${at}`,
    user: { email: at % 50 === 1 ? CANARY.unknownEmail : emailOf(at) },
    content: {
      type: 'course',
      platform_course_id: at % 50 === 2 ? 404 : 101 + (at % 5),
      external_ref: CANARY.externalRef,
    },
    progress: at % 10 === 0 ? { classes: [{ platform_class_id: 1 }] } : { completion_pct: at % 50 === 3 ? 101 : 40 },
    ...(at % 20 === 0 ? { [CANARY.unknownMember]: CANARY.externalRef } : {}),
  }));
}

const emailOf = (at: number): string => (at % 100 === 0 ? CANARY.learnerEmail : `canary-${at % 100}@canary-mail.test`);
