/** The records that clients import under faults. */

/** Shuffles by a seed. */
export const EVERY_FAULT = 'slow=300ms,429=0.1,503=0.05,lost-reply=0.1,seed=7';

const COURSES = 10;
export const LEARNERS = 500;
export const PASSWORD = 'changeme';

/** A company of 500 learners and 10 courses. */
export const DATA = {
  companies: [{ company_id: 'acme', name: 'Acme', migrations_enabled: true }],
  users: ['admin', ...Array.from({ length: LEARNERS }, (_, at) => `learner-${at}`)].map((name, at) => ({
    id: at + 1,
    company_id: 'acme',
    email: `${name}@acme.test`,
    name,
    role: name === 'admin' ? 'admin' : 'customer',
    avatar: '',
    license: 'active',
    ...(name === 'admin' && { password: PASSWORD }),
  })),
  courses: Array.from({ length: COURSES }, (_, at) => ({
    company_id: 'acme',
    platform_course_id: 101 + at,
    title: `Course ${at}`,
    has_exam: false,
    classes: [],
  })),
  progress: [],
};

/** 5,000 records: one batch a course, one record a learner. */
export const BATCHES = Array.from({ length: COURSES }, (_, course) =>
  Array.from({ length: LEARNERS }, (_unused, learner) => ({
    external_record_id: `${course}-${learner}`,
    user: { email: `learner-${learner}@acme.test` },
    content: { type: 'course', platform_course_id: 101 + course },
    progress: { completion_pct: 40, started_at: '2021-01-01', last_activity_at: '2021-02-01T10:00:00Z' },
  })),
);
