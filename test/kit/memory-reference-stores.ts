/** The ports that the catalog, resolve, mapping and loading operations need, in memory; every write is counted. */
import type { DirectoryStore } from '../../functions/catalog/directory-store.ts';
import type { MappingStore } from '../../functions/catalog/mapping-store.ts';
import type { PlatformDataStore } from '../../functions/platform/platform-data-store.ts';
import { emailKey } from '../../functions/records/identifiers.ts';
import type { Stores } from '../../functions/services/services.ts';
import type { Company, Course, CourseMapping, Progress, User, UserMapping } from '../../functions/shared/model.ts';

type NativeRow = Parameters<PlatformDataStore['putNativeProgress']>[0][number];

export function memoryReferenceStores() {
  const companies = new Map<string, Company>();
  const users = new Map<string, User>();
  const courses = new Map<string, Map<number, Course>>();
  const userLinks = new Map<string, UserMapping>();
  const courseLinks = new Map<string, CourseMapping>();
  const native = new Map<string, NativeRow>();
  const loaded = new Set<string>();
  const writes: string[] = [];

  const directory: DirectoryStore = {
    async users(company_id, emails, strong) {
      if (!strong) throw new Error('a negative answer needs a strong read');
      return pick(emails, (email) => of(users.get(email), company_id));
    },
    courses: async (company_id, ids) => pick(ids, (id) => courses.get(company_id)?.get(id)),
    listCourses: async (company_id, limit, after) =>
      page([...(courses.get(company_id)?.values() ?? [])], (course) => course.platform_course_id, limit, after),
  };
  const mappings: MappingStore = {
    userMappings: async (_company, ids) => pick(ids, (id) => userLinks.get(id)),
    courseMappings: async (_company, ids) => pick(ids, (id) => courseLinks.get(id)),
    async putUserMappings(_company, links) {
      writes.push(...links.map((link) => link.external_user_id));
      for (const link of links) userLinks.set(link.external_user_id, link);
    },
    async putCourseMappings(_company, links) {
      writes.push(...links.map((link) => link.external_course_id));
      for (const link of links) courseLinks.set(link.external_course_id, link);
    },
    listUserMappings: async (_company, limit, after) =>
      page([...userLinks.values()], (link) => link.external_user_id, limit, after),
    listCourseMappings: async (_company, limit, after) =>
      page([...courseLinks.values()], (link) => link.external_course_id, limit, after),
  };
  const platform: PlatformDataStore = {
    isLoaded: async (hash) => loaded.has(hash),
    markLoaded: async (hash) => void loaded.add(hash),
    companies: async (ids) => pick(ids, (id) => companies.get(id)),
    async putCompanies(rows) {
      writes.push(...rows.map((row) => row.company_id));
      for (const row of rows)
        companies.set(row.company_id, {
          ...row,
          cursor_key: companies.get(row.company_id)?.cursor_key ?? row.cursor_key,
        });
    },
    async putUsers(rows) {
      writes.push(...rows.map((row) => row.email));
      for (const row of rows) users.set(emailKey(row.email), row);
    },
    async putCourses(company_id, rows) {
      writes.push(...rows.map((row) => row.title));
      courses.set(
        company_id,
        new Map([...(courses.get(company_id) ?? []), ...rows.map((row) => [row.platform_course_id, row] as const)]),
      );
    },
    async putNativeProgress(rows) {
      writes.push(...rows.map((row) => `${row.user_id}/${row.platform_course_id}`));
      for (const row of rows) native.set(`${row.company_id}/${row.user_id}/${row.platform_course_id}`, row);
    },
  };
  const access = { findLogin: async (email: string) => users.get(emailKey(email)) };
  const nativeOf = (key: string): Progress | undefined => native.get(key)?.progress;
  return {
    /** The stores that these operations may touch; any other is absent and fails its test. */
    stores: { directory, mappings, platform, access } as unknown as Stores,
    companies,
    users,
    courses,
    userLinks,
    courseLinks,
    nativeOf,
    loaded,
    writes,
  };
}

function pick<K, V>(keys: readonly K[], find: (key: K) => V | undefined): Map<K, V> {
  return new Map(
    keys.flatMap((key) => {
      const value = find(key);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
}

function of(user: User | undefined, company_id: string): User | undefined {
  return user?.company_id === company_id ? user : undefined;
}

function page<T, K extends string | number>(items: T[], keyOf: (item: T) => K, limit: number, after?: K): T[] {
  const sorted = items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return sorted.filter((item) => after === undefined || keyOf(item) > after).slice(0, limit);
}
