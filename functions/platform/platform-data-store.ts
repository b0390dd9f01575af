/** Writes what the platform owns, as a data file gives it. */
import { packCourse, packUser, unpackCompany } from '../catalog/directory-store.ts';
import { batchGet, putItems } from '../dynamodb/batches.ts';
import type { Database } from '../dynamodb/client.ts';
import { packJson } from '../dynamodb/encoding.ts';
import { found, getItem, putItem, updateItem } from '../dynamodb/items.ts';
import { companyKey, dataFileKey, learnerCourseKey, loginKey } from '../dynamodb/table.ts';
import { NATIVE } from '../imports/progress-store.ts';
import { inParallel } from '../runtime/batching.ts';
import type { Company, Course, LearnerCourse, Progress, User } from '../shared/model.ts';

/** The native progress of one learner in one course. */
export type NativeRow = LearnerCourse & { readonly company_id: string; readonly progress: Progress };

const PARALLEL_UPDATES = 25;

export type PlatformDataStore = ReturnType<typeof platformDataStore>;

/** Every write is an upsert, harmless to repeat, and never touches what was migrated. */
export function platformDataStore(database: Database) {
  return {
    async isLoaded(file_hash: string): Promise<boolean> {
      return (await getItem(database, dataFileKey(file_hash))) !== undefined;
    },

    async markLoaded(file_hash: string): Promise<void> {
      await putItem(database, dataFileKey(file_hash));
    },

    /** Keeps a stored cursor key; `cursor_key` is used for a new company only. */
    async putCompanies(companies: readonly Company[]): Promise<void> {
      await inParallel(companies, PARALLEL_UPDATES, ({ cursor_key, ...company }) =>
        updateItem(database, companyKey(company.company_id), { set: company, setIfAbsent: { cursor_key } }),
      );
    },

    /** The login entries come last, so that each leads to a stored user. */
    async putUsers(users: readonly User[]): Promise<void> {
      await putItems(database, users.map(packUser));
      await putItems(
        database,
        users.map(({ company_id, email }) => ({ ...loginKey(email), company_id })),
      );
    },

    async putCourses(company_id: string, courses: readonly Course[]): Promise<void> {
      await putItems(
        database,
        courses.map((course) => packCourse(company_id, course)),
      );
    },

    /** Sets the native progress only. */
    async putNativeProgress(rows: readonly NativeRow[]): Promise<void> {
      await inParallel(rows, PARALLEL_UPDATES, ({ company_id, progress, ...learnerCourse }) =>
        updateItem(database, learnerCourseKey(company_id, learnerCourse), {
          set: { [NATIVE]: packJson(progress) },
        }),
      );
    },

    async companies(ids: readonly string[]): Promise<Map<string, Company>> {
      return found(ids, await batchGet(database, ids.map(companyKey), true), unpackCompany);
    },
  };
}
