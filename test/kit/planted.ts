/** Puts the platform's data into a table, as facts do, each call with a version of its own. */
import type { NativePair, PlatformDataStore } from '../../functions/platform/platform-data-store.ts';
import { inParallel } from '../../functions/runtime/batching.ts';
import type { Company, Course, Progress, User } from '../../functions/shared/model.ts';

const PARALLEL = 16;
let version = 0;

export function planted(platform: PlatformDataStore) {
  const each = async <Row>(rows: readonly Row[], put: (row: Row, version: number) => Promise<unknown>) => {
    version += 1;
    const current = version;
    await inParallel(rows, PARALLEL, (row) => put(row, current));
  };
  return {
    putCompanies: (companies: readonly Company[]) =>
      each(companies, (company, current) => platform.saveCompany(company.company_id, company, current)),
    async putUsers(users: readonly User[]): Promise<void> {
      const stored = await platform.knownUsers(users);
      const before = new Map(users.map((user, at) => [user, stored[at]]));
      await each(users, async (user, current) => {
        const known = before.get(user);
        const outcome = await platform.saveUser(user, known, { version: current, user });
        if (outcome !== 'saved') throw new Error(`The user ${user.user_id} was not saved: ${outcome}.`);
      });
    },
    /** An address that another user has is removed from that user first. */
    async replaceUser(former: User, user: User): Promise<void> {
      const [known] = await platform.knownUsers([former]);
      await each([former], (_, current) => platform.saveUser(former, known, { version: current }));
      await this.putUsers([user]);
    },
    putCourses: (company_id: string, courses: readonly Course[]) =>
      each(courses, (course, current) => platform.saveCourse(company_id, course.platform_course_id, course, current)),
    putNativeProgress: (rows: readonly (NativePair & { readonly progress: Progress })[]) =>
      each(rows, ({ progress, ...pair }, current) => platform.saveNative(pair, progress, current)),
  };
}
