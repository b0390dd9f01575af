import { validateCourseEntry, validateUserEntry, registerInOrder, sameCourse, sameUser } from './mappings.ts';
import { addressKeys } from './resolve-users.ts';
import { externalId, isPlatformId } from '../records/identifiers.ts';
import { isObject } from '../records/json.ts';
import type { Clock } from '../runtime/system.ts';
import type { CourseMappingReport, UserMappingReport } from '../shared/model.ts';
import type { DirectoryStore } from './directory-store.ts';
import type { MappingStore } from './mapping-store.ts';

interface RegistrationServices {
  readonly stores: { readonly directory: DirectoryStore; readonly mappings: MappingStore };
  readonly clock: Clock;
}

/** Links external user ids to active users of the company (§4.2 operation 3). Entries that change nothing are not written. */
export async function registerUserMappings(
  company_id: string,
  entries: readonly unknown[],
  { stores: { directory, mappings }, clock }: RegistrationServices,
): Promise<UserMappingReport> {
  const [users, standing] = await Promise.all([
    directory.users(company_id, addressKeys(membersOf(entries, 'email')), true),
    mappings.userMappings(company_id, externalIds(entries, 'external_user_id')),
  ]);
  const judged = entries.map((entry) => validateUserEntry(entry, users));
  const rules = { externalIdOf: (link: { external_user_id: string }) => link.external_user_id, same: sameUser };
  const { results, counts, changed } = registerInOrder(judged, standing, rules);
  const updated_at = new Date(clock.nowMs()).toISOString();
  if (changed.length > 0)
    await mappings.putUserMappings(
      company_id,
      changed.map((link) => ({ ...link, updated_at })),
    );
  return { mappings: results, counts };
}

/** Links external course ids to courses of the catalog (§4.2 operation 5). Entries that change nothing are not written. */
export async function registerCourseMappings(
  company_id: string,
  entries: readonly unknown[],
  { stores: { directory, mappings }, clock }: RegistrationServices,
): Promise<CourseMappingReport> {
  const courseIds = [...new Set(membersOf(entries, 'platform_course_id').filter(isPlatformId))];
  const [courses, standing] = await Promise.all([
    directory.courses(company_id, courseIds, true),
    mappings.courseMappings(company_id, externalIds(entries, 'external_course_id')),
  ]);
  const judged = entries.map((entry) => validateCourseEntry(entry, courses));
  const rules = { externalIdOf: (link: { external_course_id: string }) => link.external_course_id, same: sameCourse };
  const { results, counts, changed } = registerInOrder(judged, standing, rules);
  const updated_at = new Date(clock.nowMs()).toISOString();
  if (changed.length > 0)
    await mappings.putCourseMappings(
      company_id,
      changed.map((link) => ({ ...link, updated_at })),
    );
  return { mappings: results, counts };
}

function membersOf(entries: readonly unknown[], member: string): unknown[] {
  return entries.filter(isObject).map((entry) => entry[member]);
}

function externalIds(entries: readonly unknown[], member: string): string[] {
  return [
    ...new Set(
      membersOf(entries, member)
        .map(externalId)
        .filter((id) => id !== undefined),
    ),
  ];
}
