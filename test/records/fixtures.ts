import { createHash } from 'node:crypto';
import { NO_PROGRESS } from '../../functions/records/merge.ts';
import { parseRecord } from '../../functions/records/parse.ts';
import { type PlanContext, historyBefore, planRecord } from '../../functions/records/plan.ts';
import { type References, resolveRecord } from '../../functions/records/resolve.ts';
import type {
  Contribution,
  Course,
  CourseHistory,
  PlannedRecord,
  Progress,
  User,
} from '../../functions/shared/model.ts';

export const IMPORTED_AT = '2026-01-02T03:04:05.678Z';

export const CONTEXT: PlanContext = {
  import_id: 'this-import',
  imported_at: IMPORTED_AT,
  hash: (text) => createHash('sha256').update(text).digest('hex'),
};

const classes = [1001, 1002, 1003].map((platform_class_id) => ({ platform_class_id, title: 'a class' }));
export const WITH_EXAM: Course = { platform_course_id: 101, title: 'with an exam', has_exam: true, classes };
export const WITHOUT_EXAM: Course = { platform_course_id: 102, title: 'without', has_exam: false, classes };
export const WITHOUT_CLASSES: Course = { platform_course_id: 103, title: 'empty', has_exam: false, classes: [] };

function user(user_id: number, email: string, license: User['license']): User {
  return { company_id: 'acme', user_id, email, name: 'A learner', role: 'customer', avatar: '', license };
}

export const ANA = user(7, 'Ana@acme.test', 'active');
const BEN = user(8, 'ben@acme.test', 'active');
const GONE = user(9, 'gone@acme.test', 'inactive');

/** ext-ana → Ana, ext-ben → Ben, ext-gone → inactive, ext-deleted → no user; likewise of courses. */
export const REFERENCES: References = {
  user: (email) => [ANA, BEN, GONE].find((one) => one.email.toLowerCase() === email),
  course: (id) => [WITH_EXAM, WITHOUT_EXAM, WITHOUT_CLASSES].find((one) => one.platform_course_id === id),
  userMapping: (external_user_id) => {
    const user_id = { 'ext-ana': 7, '9101': 7, 'ext-ben': 8, 'ext-gone': 9, 'ext-deleted': 10, 'ext-renamed': 11 }[
      external_user_id
    ];
    if (user_id === undefined) return undefined;
    const email = { 7: 'ANA@acme.test', 8: BEN.email, 9: GONE.email, 11: BEN.email }[user_id] ?? 'deleted@acme.test';
    return { external_user_id, email, user_id, updated_at: IMPORTED_AT };
  },
  courseMapping: (external_course_id) => {
    const platform_course_id = { 'ext-101': 101, 'ext-102': 102, 'ext-withdrawn': 999 }[external_course_id];
    return platform_course_id === undefined
      ? undefined
      : { external_course_id, platform_course_id, updated_at: IMPORTED_AT };
  },
};

/** A record that is applied without a warning; the members given replace its own. */
export function record(members: object = {}): Record<string, unknown> {
  return {
    external_record_id: 'r-1',
    user: { email: 'ana@acme.test' },
    content: { type: 'course', platform_course_id: 101 },
    progress: { completion_pct: 50 },
    ...members,
  };
}

export const inCourse = (platform_course_id: number) => ({ content: { type: 'course', platform_course_id } });

export function plan(raw: unknown, stored?: CourseHistory, context: Partial<PlanContext> = {}): PlannedRecord {
  const parsed = parseRecord(raw, 0);
  const whole = { ...CONTEXT, ...context };
  return planRecord(parsed, resolveRecord(parsed, REFERENCES), historyBefore(whole.import_id, stored), whole);
}

/** `code field` of every error. */
export function errorsOf(raw: unknown): string[] {
  return plan(raw).result.errors.map(({ error_code, field }) =>
    field === undefined ? error_code : `${error_code} ${field}`,
  );
}

export function warningsOf({ result }: PlannedRecord): string[] {
  return result.warnings.map(({ warning_code, field }) => `${warning_code} ${field ?? ''}`.trim());
}

export const NATIVE: Progress = {
  ...NO_PROGRESS,
  completion_pct: 40,
  classes: [{ platform_class_id: 1001, viewed_at: '2025-01-01T00:00:00.000Z' }],
  started_at: '2025-01-01T00:00:00.000Z',
  last_activity_at: '2025-01-05T00:00:00.000Z',
};

export function stored(parts: {
  native?: Progress | undefined;
  contributions?: readonly Contribution[];
  items?: number;
}): CourseHistory {
  const { native = null, contributions = [], items = 1 } = parts;
  return { user_id: 7, platform_course_id: 101, native, contributions, items };
}

export function contributed(raw: unknown, context: Partial<PlanContext> = {}): Contribution {
  const { write, result } = plan(raw, undefined, {
    import_id: 'earlier',
    imported_at: '2025-12-01T00:00:00.000Z',
    ...context,
  });
  if (write === undefined) throw new Error(`not applied: ${JSON.stringify(result.errors)}`);
  return write.contribution;
}
