/** Entries of mapping requests (§2.5, §2.6) as valibot schemas: they judge each entry, and the OpenAPI document is generated from them. */
import * as v from 'valibot';
import { invalid } from '../records/problems.ts';
import { emailKey, externalId, isEmailAddress, isPlatformId } from '../records/identifiers.ts';
import { isObject } from '../records/json.ts';
import { contentBlock, userBlock } from '../records/schema.ts';
import type { MappingStatus, Problem } from '../shared/codes.ts';
import type {
  Course,
  CourseMapping,
  CourseMappingReport,
  User,
  UserMapping,
  UserMappingReport,
} from '../shared/model.ts';

/** The identifiers are those of a record, but here both must be sent. */
export const emailAddress = userBlock.entries.email.wrapped;

export const userMappingEntry = v.object({
  external_user_id: userBlock.entries.external_user_id.wrapped,
  email: emailAddress,
});

export const courseMappingEntry = v.object({
  external_course_id: contentBlock.entries.external_course_id.wrapped,
  platform_course_id: contentBlock.entries.platform_course_id.wrapped,
});

/** What an entry links its external id to: everything of the mapping but when it was registered. */
export type UserLink = Omit<UserMapping, 'updated_at'>;
export type CourseLink = Omit<CourseMapping, 'updated_at'>;

/** One entry of a mapping request, judged by itself: it has a link or it has errors. */
export interface ValidatedEntry<Link, Echo> {
  /** The members of the entry as the answer repeats them. */
  readonly echo: Echo;
  readonly link?: Link;
  readonly errors: readonly Problem[];
}

type UserResult = UserMappingReport['mappings'][number];
type CourseResult = CourseMappingReport['mappings'][number];
/** What every result holds beside the members that it repeats. */
type Registered = Pick<UserResult & CourseResult, 'index' | 'status' | 'errors'>;

export type UserEcho = Omit<UserResult, keyof Registered>;
export type CourseEcho = Omit<CourseResult, keyof Registered>;
export type MappingResult<Echo> = Registered & Echo;
export type MappingCounts = UserMappingReport['counts'];

/** Judges a user mapping entry (§2.5): its address must be of an active user of the company. `users` by address in lookup form. */
export function validateUserEntry(
  entry: unknown,
  users: ReadonlyMap<string, User>,
): ValidatedEntry<UserLink, UserEcho> {
  const { external_user_id: sentId, email: sentEmail } = membersOf(entry);
  const external_user_id = externalId(sentId) ?? null;
  const email = typeof sentEmail === 'string' ? sentEmail : null;
  const user = isEmailAddress(email) ? users.get(emailKey(email)) : undefined;
  const errors = [...shapeProblems(userMappingEntry, entry), ...userProblems(email, user)];
  const echo = { external_user_id, email };
  if (errors.length > 0 || external_user_id === null || email === null || user === undefined) return { echo, errors };
  return { echo, link: { external_user_id, email, user_id: user.user_id }, errors };
}

/** Judges a course mapping entry (§2.6): its course must be in the company's catalog. */
export function validateCourseEntry(
  entry: unknown,
  courses: ReadonlyMap<number, Course>,
): ValidatedEntry<CourseLink, CourseEcho> {
  const { external_course_id: sentId, platform_course_id: sentCourse } = membersOf(entry);
  const external_course_id = externalId(sentId) ?? null;
  const platform_course_id = typeof sentCourse === 'number' && Number.isFinite(sentCourse) ? sentCourse : null;
  const errors = [...shapeProblems(courseMappingEntry, entry), ...courseProblems(sentCourse, courses)];
  const echo = { external_course_id, platform_course_id };
  if (errors.length > 0 || external_course_id === null || platform_course_id === null) return { echo, errors };
  return { echo, link: { external_course_id, platform_course_id }, errors };
}

/** The same user, however the address is spelled. */
export function sameUser(one: UserLink, other: UserLink): boolean {
  return one.user_id === other.user_id && emailKey(one.email) === emailKey(other.email);
}

export function sameCourse(one: CourseLink, other: CourseLink): boolean {
  return one.platform_course_id === other.platform_course_id;
}

function membersOf(entry: unknown): Readonly<Record<string, unknown>> {
  return isObject(entry) ? entry : {};
}

function shapeProblems(schema: typeof userMappingEntry | typeof courseMappingEntry, entry: unknown): Problem[] {
  if (!isObject(entry)) return [{ error_code: 'invalid_record', message: 'a mapping must be an object' }];
  return (v.safeParse(schema, entry).issues ?? []).map((issue) => {
    const field = v.getDotPath(issue) ?? '';
    return invalid(field, issue.input === undefined ? 'is required' : issue.message);
  });
}

function userProblems(email: string | null, user: User | undefined): Problem[] {
  if (user?.license === 'active' || !isEmailAddress(email)) return [];
  return user === undefined
    ? [{ error_code: 'user_not_found', message: 'email is of no user of the company', field: 'email' }]
    : [{ error_code: 'user_inactive', message: 'email is of a user without an active license', field: 'email' }];
}

function courseProblems(id: unknown, courses: ReadonlyMap<number, Course>): Problem[] {
  if (!isPlatformId(id) || courses.has(id)) return [];
  const field = 'platform_course_id';
  return [{ error_code: 'course_not_in_catalog', message: `${field} is not in the catalog of the company`, field }];
}

export interface Registration<Link, Echo> {
  /** One for each entry, in the order sent. */
  readonly results: readonly MappingResult<Echo>[];
  readonly counts: MappingCounts;
  /** The links to write: of each external id the last one, and none that stands already. */
  readonly changed: readonly Link[];
}

/**
 * Registers entries in the order sent (§2.6: re-sending an external id overwrites its link), so that each is judged against
 * what the entries before it left, and the last one wins. An entry with errors changes nothing.
 */
export function registerInOrder<Link, Echo>(
  entries: readonly ValidatedEntry<Link, Echo>[],
  standing: ReadonlyMap<string, Link>,
  rules: { readonly externalIdOf: (link: Link) => string; readonly same: (one: Link, other: Link) => boolean },
): Registration<Link, Echo> {
  const changed = new Map<string, Link>();
  const register = (link: Link): MappingStatus => {
    const id = rules.externalIdOf(link);
    const current = changed.get(id) ?? standing.get(id);
    if (current !== undefined && rules.same(current, link)) return 'unchanged';
    changed.set(id, link);
    return current === undefined ? 'created' : 'updated';
  };
  const results = entries.map(({ echo, link, errors }, index) => {
    const status = link === undefined ? 'error' : register(link);
    return { index, ...echo, status, errors };
  });
  return { results, counts: countStatuses(results), changed: [...changed.values()] };
}

function countStatuses(results: readonly { readonly status: MappingStatus }[]): MappingCounts {
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  for (const { status } of results) counts[status === 'error' ? 'failed' : status] += 1;
  return counts;
}
