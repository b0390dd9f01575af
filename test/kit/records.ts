/** Builders of migration records for the HTTP suites. */
let made = 0;

export function freshId(prefix = 'r'): string {
  made += 1;
  return `${prefix}-${process.pid}-${made}`;
}

type Overrides = Record<string, unknown>;

/** A well-formed record of learner 1 in course 101; members given replace whole blocks, `undefined` leaves one out. */
export function record(company_id: string, overrides: Overrides = {}): Record<string, unknown> {
  return {
    external_record_id: freshId(),
    user: { email: `learner-1@${company_id}.test` },
    content: { type: 'course', platform_course_id: 101 },
    progress: { completion_pct: 40, started_at: '2021-01-01', last_activity_at: '2021-02-01T10:00:00Z' },
    ...overrides,
  };
}
