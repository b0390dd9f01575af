/** Registers links of external ids to users and courses. Entries that change nothing are not written. */
import { COURSE_LINKS, USER_LINKS, registerInOrder, validateCourseEntry, validateUserEntry } from './mappings.ts';
import type { MappingCounts, MappingResult, Registration } from './mappings.ts';
import type { DirectoryStore } from './directory-store.ts';
import type { MappingStore } from './mapping-store.ts';
import { addressKeys } from './resolve-users.ts';
import { externalId, isPlatformId } from '../records/identifiers.ts';
import { instant } from '../records/instants.ts';
import { isObject } from '../records/json.ts';
import type { Clock } from '../runtime/system.ts';
import type { CourseMappingReport, UserMappingReport } from '../shared/model.ts';

export interface RegistrationServices {
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
    directory.users(company_id, addressKeys(membersOf(entries, 'email')), true),
    mappings.userMappings(company_id, externalIds(entries, 'external_user_id')),
  ]);
  const validated = entries.map((entry) => validateUserEntry(entry, users));
  const registration = registerInOrder(validated, stored, USER_LINKS);
  return written(registration, clock, (links) => mappings.putUserMappings(company_id, links));
}

/** Links external course ids to courses of the catalog (§4.2 operation 5). */
export async function registerCourseMappings(
  company_id: string,
  entries: readonly unknown[],
  { stores: { directory, mappings }, clock }: RegistrationServices,
): Promise<CourseMappingReport> {
  const courseIds = [...new Set(membersOf(entries, 'platform_course_id').filter(isPlatformId))];
  const [courses, stored] = await Promise.all([
    directory.courses(company_id, courseIds, true),
    mappings.courseMappings(company_id, externalIds(entries, 'external_course_id')),
  ]);
  const validated = entries.map((entry) => validateCourseEntry(entry, courses));
  const registration = registerInOrder(validated, stored, COURSE_LINKS);
  return written(registration, clock, (links) => mappings.putCourseMappings(company_id, links));
}

async function written<Link, Echo>(
  { results, counts, changed }: Registration<Link, Echo>,
  clock: Clock,
  put: (links: readonly (Link & { readonly updated_at: string })[]) => Promise<void>,
): Promise<{ mappings: MappingResult<Echo>[]; counts: MappingCounts }> {
  const updated_at = instant(clock.nowMs());
  if (changed.length > 0) await put(changed.map((link) => ({ ...link, updated_at })));
  return { mappings: results, counts };
}

function membersOf(entries: readonly unknown[], member: string): unknown[] {
  return entries.filter(isObject).map((entry) => entry[member]);
}

function externalIds(entries: readonly unknown[], member: string): string[] {
  const ids = membersOf(entries, member).map(externalId);
  return [...new Set(ids.filter((id) => id !== undefined))];
}
