/** The platform's data in a simulated company: few users, courses and mappings, so that imports meet each other. */
import { NO_PROGRESS } from '../../functions/records/merge.ts';
import type { EveryStore } from '../kit/services.ts';
import type { Course, Progress, User } from '../../functions/shared/model.ts';
import { planted } from '../kit/planted.ts';

export const COMPANY = 'acme';
const EPOCH = '2026-01-01T00:00:00.000Z';

const user = (user_id: number, name: string, license: User['license'] = 'active'): User => ({
  company_id: COMPANY,
  user_id,
  email: `${name}@acme.test`,
  name,
  role: 'customer',
  avatar: '',
  license,
});

export const USERS = [user(1, 'ann'), user(2, 'bob'), user(3, 'gone', 'inactive')] as const;

export const COURSES: readonly Course[] = [
  {
    platform_course_id: 101,
    title: 'With exam',
    has_exam: true,
    classes: [1, 2, 3].map((id) => ({ platform_class_id: 1000 + id, title: `${id}` })),
  },
  {
    platform_course_id: 102,
    title: 'Without exam',
    has_exam: false,
    classes: [1, 2].map((id) => ({ platform_class_id: 2000 + id, title: `${id}` })),
  },
];

export const USER_MAPPINGS = [
  { external_user_id: '9001', email: 'ann@acme.test', user_id: 1, updated_at: EPOCH },
  { external_user_id: '9002', email: 'bob@acme.test', user_id: 2, updated_at: EPOCH },
];
export const COURSE_MAPPINGS = [
  { external_course_id: 'x-101', platform_course_id: 101, updated_at: EPOCH },
  { external_course_id: 'x-102', platform_course_id: 102, updated_at: EPOCH },
];

export const learnerKey = (user_id: number, course: number) => ({
  pk: `${COMPANY}#learner#${user_id}`,
  sk: `course#${String(course).padStart(16, '0')}`,
});

export async function createWorld(stores: EveryStore): Promise<void> {
  const company = { company_id: COMPANY, name: 'Acme', migrations_enabled: true, cursor_key: 'a2V5' };
  await planted(stores.platform).putCompanies([company]);
  await planted(stores.platform).putUsers(USERS);
  await planted(stores.platform).putCourses(COMPANY, COURSES);
  await stores.mappings.putCourseMappings(COMPANY, COURSE_MAPPINGS);
}

/** Long before the first request, so that chunks find the mappings by eventually consistent reads. */
export const registerUsers = (stores: EveryStore): Promise<void> =>
  stores.mappings.putUserMappings(COMPANY, USER_MAPPINGS);

export type WorldChange = (stores: EveryStore) => Promise<void>;

const userOf = (id: number): User => USERS.find(({ user_id }) => user_id === id) as User;

export const changeLicense =
  (user_id: number, license: User['license']): WorldChange =>
  ({ platform }) =>
    planted(platform).putUsers([{ ...userOf(user_id), license }]);

export const mapUser =
  (external_user_id: string, user_id: number): WorldChange =>
  ({ mappings }) => {
    const { email } = userOf(user_id);
    return mappings.putUserMappings(COMPANY, [{ external_user_id, email, user_id, updated_at: EPOCH }]);
  };

export const mapCourse =
  (external_course_id: string, platform_course_id: number): WorldChange =>
  ({ mappings }) =>
    mappings.putCourseMappings(COMPANY, [{ external_course_id, platform_course_id, updated_at: EPOCH }]);

export const changeCourse =
  (id: number, has_exam: boolean, count: number): WorldChange =>
  ({ platform }) => {
    const known = COURSES.find(({ platform_course_id }) => platform_course_id === id) as Course;
    const first = known.classes[0]?.platform_class_id ?? 0;
    const classes = Array.from({ length: count }, (_, at) => ({ platform_class_id: first + at, title: '' }));
    return planted(platform).putCourses(COMPANY, [{ ...known, has_exam, classes }]);
  };

const VIEWED = '2025-06-01T00:00:00.000Z';

/** Organic progress only grows: the change is joined to the stored progress. */
export const growNatively =
  (user_id: number, platform_course_id: number, pct: number, more: readonly number[]): WorldChange =>
  async (stores) => {
    const pair = { user_id, platform_course_id };
    const [history] = (await stores.progress.courseHistories(COMPANY, [pair])).values();
    const native = history?.native ?? NO_PROGRESS;
    const viewed = new Set([...native.classes.map(({ platform_class_id }) => platform_class_id), ...more]);
    const progress: Progress = {
      ...native,
      completion_pct: Math.max(native.completion_pct, pct),
      classes: [...viewed].map((platform_class_id) => ({ platform_class_id, viewed_at: VIEWED })),
      last_activity_at: VIEWED,
    };
    await planted(stores.platform).putNativeProgress([{ company_id: COMPANY, ...pair, progress }]);
  };
