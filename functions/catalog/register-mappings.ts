/** Registers links of external ids to users and courses. Entries that change nothing are not written. */
import * as v from 'valibot';
import type { DirectoryStore } from './directory-store.ts';
import type { MappingStore } from './mapping-store.ts';
import { courseMappingEntry, userMappingEntry } from './mappings.ts';
import { NO_ACTIVE_LICENSE, NO_SUCH_USER, addressKeys } from './resolve-users.ts';
import { emailKey, externalId, hasActiveLicense, isEmailAddress, isPlatformId } from '../records/identifiers.ts';
import { instant } from '../records/instants.ts';
import { isObject } from '../records/json.ts';
import { invalid } from '../records/problems.ts';
import { broken } from '../records/text.ts';
import type { Clock } from '../runtime/system.ts';
import type { MappingStatus, Problem } from '../shared/codes.ts';
import type { CourseMapping, CourseMappingReport, User, UserMapping, UserMappingReport } from '../shared/model.ts';

interface RegistrationServices {
  readonly stores: { readonly directory: DirectoryStore; readonly mappings: MappingStore };
  readonly clock: Clock;
}

/** Links external user ids to active users of the company (§4.2 operation 3). */
export async function registerUserMappings(
  company_id: string,
  entries: readonly unknown[],
  { stores: { directory, mappings }, clock }: RegistrationServices,
): Promise<UserMappingReport> {
  const [users, stored] = await Promise.all([
    directory.users(company_id, addressKeys(sentAs(entries, 'email')), true),
    mappings.userMappings(company_id, externalIds(entries, 'external_user_id')),
  ]);
  const updated_at = instant(clock.nowMs());
  const read = entries.map((entry) => {
    const { external_user_id: sentId, email: sentEmail }: Sent = isObject(entry) ? entry : {};
    const external_user_id = externalId(sentId) ?? null;
    const email = typeof sentEmail === 'string' ? sentEmail : null;
    const user = isEmailAddress(email) ? users.get(emailKey(email)) : undefined;
    const errors = [...shapeProblems(userMappingEntry, entry), ...userProblems(email, user)];
    const isUsable = errors.length === 0 && external_user_id !== null && email !== null && user !== undefined;
    const link = isUsable ? { external_user_id, email, user_id: user.user_id, updated_at } : undefined;
    return { echo: { external_user_id, email }, link, errors };
  });
  const { changed, report } = inOrder<(typeof read)[number]['echo'], UserMapping>(read, stored, {
    idOf: ({ external_user_id }) => external_user_id,
    // The same user, whatever the spelling of the address.
    targetOf: ({ user_id, email }) => `${user_id} ${emailKey(email)}`,
  });
  if (changed.length > 0) await mappings.putUserMappings(company_id, changed);
  return report;
}

/** Links external course ids to courses of the catalog (§4.2 operation 5). */
export async function registerCourseMappings(
  company_id: string,
  entries: readonly unknown[],
  { stores: { directory, mappings }, clock }: RegistrationServices,
): Promise<CourseMappingReport> {
  const courseIds = [...new Set(sentAs(entries, 'platform_course_id').filter(isPlatformId))];
  const [courses, stored] = await Promise.all([
    directory.courses(company_id, courseIds, true),
    mappings.courseMappings(company_id, externalIds(entries, 'external_course_id')),
  ]);
  const updated_at = instant(clock.nowMs());
  const read = entries.map((entry) => {
    const { external_course_id: sentId, platform_course_id: sentCourse }: Sent = isObject(entry) ? entry : {};
    const external_course_id = externalId(sentId) ?? null;
    const platform_course_id = typeof sentCourse === 'number' && Number.isSafeInteger(sentCourse) ? sentCourse : null;
    const isKnown = !isPlatformId(sentCourse) || courses.has(sentCourse);
    const errors = [...shapeProblems(courseMappingEntry, entry), ...(isKnown ? [] : [NO_SUCH_COURSE])];
    const isUsable = errors.length === 0 && external_course_id !== null && platform_course_id !== null;
    const link = isUsable ? { external_course_id, platform_course_id, updated_at } : undefined;
    return { echo: { external_course_id, platform_course_id }, link, errors };
  });
  const { changed, report } = inOrder<(typeof read)[number]['echo'], CourseMapping>(read, stored, {
    idOf: ({ external_course_id }) => external_course_id,
    targetOf: ({ platform_course_id }) => String(platform_course_id),
  });
  if (changed.length > 0) await mappings.putCourseMappings(company_id, changed);
  return report;
}

type Sent = Readonly<Record<string, unknown>>;

const sentAs = (entries: readonly unknown[], member: string): unknown[] =>
  entries.filter(isObject).map((entry) => entry[member]);

function externalIds(entries: readonly unknown[], member: string): string[] {
  const ids = sentAs(entries, member).map(externalId);
  return [...new Set(ids.filter((id) => id !== undefined))];
}

function shapeProblems(schema: typeof userMappingEntry | typeof courseMappingEntry, entry: unknown): Problem[] {
  if (!isObject(entry))
    return [{ error_code: 'invalid_record', message: `${broken('A mapping must be an object', entry)}.` }];
  const { issues = [] } = v.safeParse(schema, entry);
  return issues.map((issue) => invalid(v.getDotPath(issue) ?? '', broken(issue.message, issue.input)));
}

function userProblems(email: string | null, user: User | undefined): Problem[] {
  if (hasActiveLicense(user) || !isEmailAddress(email)) return [];
  return user === undefined
    ? [{ error_code: 'user_not_found', message: NO_SUCH_USER, field: 'email' }]
    : [{ error_code: 'user_inactive', message: NO_ACTIVE_LICENSE, field: 'email' }];
}

const NO_SUCH_COURSE: Problem = {
  error_code: 'course_not_in_catalog',
  message: "This course is not in the company's catalog.",
  field: 'platform_course_id',
};

interface Entry<Echo, Link> {
  /** What the result repeats of it. */
  readonly echo: Echo;
  /** Absent if it has errors: then it changes nothing. */
  readonly link: Link | undefined;
  readonly errors: readonly Problem[];
}

/** Registers entries in order: the last link of an external id wins (§2.6). `changed`: the links that are not stored already. */
function inOrder<Echo, Link>(
  entries: readonly Entry<Echo, Link>[],
  stored: ReadonlyMap<string, Link>,
  { idOf, targetOf }: { readonly idOf: (link: Link) => string; readonly targetOf: (link: Link) => string },
) {
  const changed = new Map<string, Link>();
  const register = (link: Link): MappingStatus => {
    const id = idOf(link);
    const current = changed.get(id) ?? stored.get(id);
    if (current !== undefined && targetOf(current) === targetOf(link)) return 'unchanged';
    changed.set(id, link);
    return current === undefined ? 'created' : 'updated';
  };
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const mappings = entries.map(({ echo, link, errors }, index) => {
    const status = link === undefined ? 'error' : register(link);
    counts[status === 'error' ? 'failed' : status] += 1;
    return { index, ...echo, status, errors };
  });
  return { changed: [...changed.values()], report: { mappings, counts } };
}
