/** The rules of mapping requests (§2.5, §2.6), pure: schemas, validation, registration in the order sent. */
import * as v from 'valibot';
import { invalid } from '../records/problems.ts';
import { emailKey, externalId, isEmailAddress, isPlatformId, hasActiveLicense } from '../records/identifiers.ts';
import { isObject } from '../records/json.ts';
import { contentBlock, userBlock } from '../records/schema.ts';
import { broken } from '../records/text.ts';
import type { MappingStatus, Problem } from '../shared/codes.ts';
import type {
  Course,
  CourseMapping,
  CourseMappingReport,
  User,
  UserMapping,
  UserMappingReport,
} from '../shared/model.ts';

/** The identifiers are those of a record, but here both are required. */
export const emailAddress = userBlock.entries.email.wrapped;

export const userMappingEntry = v.object({
  external_user_id: userBlock.entries.external_user_id.wrapped,
  email: emailAddress,
});

export const courseMappingEntry = v.object({
  external_course_id: contentBlock.entries.external_course_id.wrapped,
  platform_course_id: contentBlock.entries.platform_course_id.wrapped,
});

export type UserLink = Omit<UserMapping, 'updated_at'>;
export type CourseLink = Omit<CourseMapping, 'updated_at'>;

export interface ValidatedEntry<Link, Echo> {
  readonly echo: Echo;
  readonly link?: Link;
  readonly errors: readonly Problem[];
}

type UserResult = UserMappingReport['mappings'][number];
type CourseResult = CourseMappingReport['mappings'][number];
type Registered = Pick<UserResult & CourseResult, 'index' | 'status' | 'errors'>;

export type UserEcho = Omit<UserResult, keyof Registered>;
export type CourseEcho = Omit<CourseResult, keyof Registered>;
export type MappingResult<Echo> = Registered & Echo;
export type MappingCounts = UserMappingReport['counts'];

/** Validates a user mapping entry (§2.5): an active user of the company must have its address. `users` by address in lookup form. */
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

/** Validates a course mapping entry (§2.6): its course must be in the company's catalog. */
export function validateCourseEntry(
  entry: unknown,
  courses: ReadonlyMap<number, Course>,
): ValidatedEntry<CourseLink, CourseEcho> {
  const { external_course_id: sentId, platform_course_id: sentCourse } = membersOf(entry);
  const external_course_id = externalId(sentId) ?? null;
  const platform_course_id = typeof sentCourse === 'number' && Number.isSafeInteger(sentCourse) ? sentCourse : null;
  const errors = [...shapeProblems(courseMappingEntry, entry), ...courseProblems(sentCourse, courses)];
  const echo = { external_course_id, platform_course_id };
  if (errors.length > 0 || external_course_id === null || platform_course_id === null) return { echo, errors };
  return { echo, link: { external_course_id, platform_course_id }, errors };
}

/** The external id of a link, and what it links to: the same user, whatever the spelling of the address. */
export interface LinkRules<Link> {
  readonly idOf: (link: Link) => string;
  readonly targetOf: (link: Link) => string;
}

export const USER_LINKS: LinkRules<UserLink> = {
  idOf: (link) => link.external_user_id,
  targetOf: (link) => `${link.user_id} ${emailKey(link.email)}`,
};
export const COURSE_LINKS: LinkRules<CourseLink> = {
  idOf: (link) => link.external_course_id,
  targetOf: (link) => `${link.platform_course_id}`,
};

function membersOf(entry: unknown): Readonly<Record<string, unknown>> {
  return isObject(entry) ? entry : {};
}

function shapeProblems(schema: typeof userMappingEntry | typeof courseMappingEntry, entry: unknown): Problem[] {
  if (!isObject(entry))
    return [{ error_code: 'invalid_record', message: `${broken('A mapping must be an object', entry)}.` }];
  return (v.safeParse(schema, entry).issues ?? []).map((issue) => {
    const field = v.getDotPath(issue) ?? '';
    return invalid(field, broken(issue.message, issue.input));
  });
}

export const NO_SUCH_USER = 'No user in this company has this e-mail address.';
export const NO_ACTIVE_LICENSE = 'This user has no active license.';

function userProblems(email: string | null, user: User | undefined): Problem[] {
  if (hasActiveLicense(user) || !isEmailAddress(email)) return [];
  return user === undefined
    ? [{ error_code: 'user_not_found', message: NO_SUCH_USER, field: 'email' }]
    : [{ error_code: 'user_inactive', message: NO_ACTIVE_LICENSE, field: 'email' }];
}

function courseProblems(id: unknown, courses: ReadonlyMap<number, Course>): Problem[] {
  if (!isPlatformId(id) || courses.has(id)) return [];
  const message = "This course is not in the company's catalog.";
  return [{ error_code: 'course_not_in_catalog', message, field: 'platform_course_id' }];
}

export interface Registration<Link, Echo> {
  readonly results: MappingResult<Echo>[];
  readonly counts: MappingCounts;
  /** The links to write: the last one of each external id, without those that are stored already. */
  readonly changed: readonly Link[];
}

/** Registers entries in order: the last link of an external id wins (§2.6). One with errors changes nothing. */
export function registerInOrder<Link, Echo>(
  entries: readonly ValidatedEntry<Link, Echo>[],
  stored: ReadonlyMap<string, Link>,
  { idOf, targetOf }: LinkRules<Link>,
): Registration<Link, Echo> {
  const changed = new Map<string, Link>();
  const register = (link: Link): MappingStatus => {
    const id = idOf(link);
    const current = changed.get(id) ?? stored.get(id);
    if (current !== undefined && targetOf(current) === targetOf(link)) return 'unchanged';
    changed.set(id, link);
    return current === undefined ? 'created' : 'updated';
  };
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const results = entries.map(({ echo, link, errors }, index) => {
    const status = link === undefined ? 'error' : register(link);
    counts[status === 'error' ? 'failed' : status] += 1;
    return { index, ...echo, status, errors };
  });
  return { results, counts, changed: [...changed.values()] };
}
