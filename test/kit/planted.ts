/** Puts what the platform owns into a table, as facts do, each call with a version of its own. */
import type { NativePair, PlatformDataStore } from '../../functions/platform/platform-data-store.ts';
import type { Company, Course, Progress, User } from '../../functions/shared/model.ts';

let version = 0;

export function planted(platform: PlatformDataStore) {
  return {
    async putCompanies(companies: readonly Company[]): Promise<void> {
      version += 1;
      await Promise.all(companies.map((company) => platform.saveCompany(company, version)));
    },
    async putUsers(users: readonly User[]): Promise<void> {
      version += 1;
      await Promise.all(users.map((user) => putUser(platform, user)));
    },
    async putCourses(company_id: string, courses: readonly Course[]): Promise<void> {
      version += 1;
      await Promise.all(
        courses.map((course) => platform.saveCourse(company_id, course.platform_course_id, course, version)),
      );
    },
    async putNativeProgress(rows: readonly (NativePair & { readonly progress: Progress })[]): Promise<void> {
      version += 1;
      await Promise.all(rows.map(({ progress, ...pair }) => platform.saveNative(pair, progress, version)));
    },
  };
}

async function putUser(platform: PlatformDataStore, user: User): Promise<void> {
  const before = await platform.knownUser(user);
  const outcome = await platform.saveUser(user, before, {
    version: Math.max(version, (before?.version ?? 0) + 1),
    user,
  });
  if (outcome !== 'saved') throw new Error(`The user ${user.user_id} was not saved: ${outcome}.`);
}
