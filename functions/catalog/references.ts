import type { CourseMemory } from './course-memory.ts';
import type { DirectoryStore } from './directory-store.ts';
import type { MappingStore } from './mapping-store.ts';
import { emailKey, hasActiveLicense } from '../records/identifiers.ts';
import type { RecordReferences, References } from '../records/resolve.ts';
import type { Instant } from '../shared/model.ts';

interface ReferenceServices {
  readonly stores: { readonly directory: DirectoryStore; readonly mappings: MappingStore };
  /** The memory of a processor; without it everything is read. */
  readonly memory?: CourseMemory;
}

/** At most one read for each distinct id; a strong one confirms what rejects. `scope`: company, time of acceptance. */
export async function loadReferences(
  { company_id, imported_at }: { readonly company_id: string; readonly imported_at: Instant },
  wanted: readonly RecordReferences[],
  { stores, memory }: ReferenceServices,
): Promise<References> {
  const ids = distinctIds(wanted);
  const asking = { company_id, acceptedAtMs: Date.parse(imported_at) };
  const readCourses = (courses: readonly number[]) => confirmedCourses(company_id, courses, stores.directory);
  const courses = (some: readonly number[]) => memory?.courses(asking, some, readCourses) ?? readCourses(some);
  const readMappings = (some: readonly string[]) => stores.mappings.courseMappings(company_id, some);
  const [userMappings, courseMappings, usersByEmail, coursesById] = await Promise.all([
    stores.mappings.userMappingsOfRecords(company_id, ids.externalUsers),
    memory?.mappings(asking, ids.externalCourses, readMappings) ?? readMappings(ids.externalCourses),
    confirmedUsers(company_id, ids.emails, stores.directory),
    courses(ids.courses),
  ]);
  const emailsOfMappings = [...userMappings.values()].map(({ email }) => emailKey(email));
  const coursesOfMappings = [...courseMappings.values()].map(({ platform_course_id }) => platform_course_id);
  const [mappedUsers, mappedCourses] = await Promise.all([
    confirmedUsers(company_id, without(emailsOfMappings, ids.emails), stores.directory),
    courses(without(coursesOfMappings, ids.courses)),
  ]);
  const users = new Map([...usersByEmail, ...mappedUsers]);
  const known = new Map([...coursesById, ...mappedCourses]);
  return {
    user: (email) => users.get(emailKey(email)),
    userMapping: (id) => userMappings.get(id),
    course: (id) => known.get(id),
    courseMapping: (id) => courseMappings.get(id),
  };
}

async function confirmedUsers(company_id: string, emails: readonly string[], directory: DirectoryStore) {
  const users = await directory.users(company_id, emails, false);
  const doubtful = emails.filter((email) => !hasActiveLicense(users.get(email)));
  if (doubtful.length === 0) return users;
  for (const email of doubtful) users.delete(email);
  return new Map([...users, ...(await directory.users(company_id, doubtful, true))]);
}

async function confirmedCourses(company_id: string, ids: readonly number[], directory: DirectoryStore) {
  const courses = await directory.courses(company_id, ids, false);
  const doubtful = ids.filter((id) => !courses.has(id));
  if (doubtful.length === 0) return courses;
  return new Map([...courses, ...(await directory.courses(company_id, doubtful, true))]);
}

function distinctIds(wanted: readonly RecordReferences[]) {
  const present = <Id extends string | number>(pick: (ids: RecordReferences) => Id | undefined): Id[] => [
    ...new Set(wanted.flatMap((each) => pick(each) ?? [])),
  ];
  return {
    emails: present(({ email }) => (email === undefined ? undefined : emailKey(email))),
    externalUsers: present((ids) => ids.external_user_id),
    courses: present((ids) => ids.platform_course_id),
    externalCourses: present((ids) => ids.external_course_id),
  };
}

function without<T>(ids: readonly T[], known: readonly T[]): T[] {
  const seen = new Set(known);
  return [...new Set(ids)].filter((id) => !seen.has(id));
}
