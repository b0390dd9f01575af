/** The platform's data that the HTTP tests run on: one company a suite, all alike, so that suites cannot meet. */
export const PASSWORD = 'correct horse battery staple';
export const SUITES = [
  'evidence',
  'lists',
  'life',
  'drafts',
  'plans',
  'reverts',
  'gateway',
  'verified',
  'requests',
  'limits',
  'learners',
  'archive',
] as const;
export type Suite = (typeof SUITES)[number];

const NATIVE_DATES = {
  started_at: '2020-01-01T00:00:00.000Z',
  last_activity_at: '2020-06-01T00:00:00.000Z',
  completed_at: null,
};

export const userIn = (company_id: string, id: number, name: string, more: object = {}) => ({
  id,
  company_id,
  email: `${name}@${company_id}.test`,
  name,
  role: 'customer',
  avatar: 'https://example.com/a.png',
  license: 'active',
  ...more,
});

/**
 * Learners `learner-1@…` to `learner-20@…` are active, `inactive@…` is not. Courses: 101 exam and 3 classes,
 * 102 no exam and 4 classes, 103 exam and no classes, 104 exam and 200 classes. Learner 10 has organic progress in 101.
 */
function company(company_id: string, first_id: number) {
  const user = (name: string, offset: number, more?: object) => userIn(company_id, first_id + offset, name, more);
  const classes = (first: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ platform_class_id: first + i, title: `Class ${i + 1}` }));
  const course = (platform_course_id: number, has_exam: boolean, count: number) => ({
    company_id,
    platform_course_id,
    title: `Course ${platform_course_id}`,
    has_exam,
    classes: classes(platform_course_id * 1000, count),
  });
  return {
    users: [
      user('admin', 0, { role: 'admin', password: PASSWORD }),
      user('customer', 1, { password: PASSWORD }),
      user('second', 3, { role: 'admin', password: PASSWORD }),
      user('inactive', 2, { license: 'inactive', password: PASSWORD }),
      ...Array.from({ length: 20 }, (_, i) => user(`learner-${i + 1}`, 10 + i)),
    ],
    courses: [course(101, true, 3), course(102, false, 4), course(103, true, 0), course(104, true, 200)],
    progress: [
      {
        company_id,
        email: `learner-10@${company_id}.test`,
        platform_course_id: 101,
        completion_pct: 90,
        classes: [{ platform_class_id: 101_000, viewed_at: '2020-02-02T00:00:00Z' }],
        approved_course: 1,
        certified_at: '2020-03-03T00:00:00Z',
        ...NATIVE_DATES,
      },
    ],
  };
}

export function testData() {
  const parts = SUITES.map((id, position) => company(id, 1000 * (position + 1)));
  return {
    companies: SUITES.map((company_id) => ({ company_id, name: company_id, migrations_enabled: true })),
    users: parts.flatMap(({ users }) => users),
    courses: parts.flatMap(({ courses }) => courses),
    progress: parts.flatMap(({ progress }) => progress),
  };
}
