/** What the platform owns and the sandbox data loader writes. */
import { packCourse, packUser, unpackCompany } from '../catalog/directory-store.ts';
import { batchGet, putItems } from '../dynamodb/batches.ts';
import type { Database } from '../dynamodb/client.ts';
import { packJson } from '../dynamodb/encoding.ts';
import { found, getItem, putItem, updateItem } from '../dynamodb/items.ts';
import { companyKey, dataFileKey, learnerCourseKey, loginKey } from '../dynamodb/table.ts';
import { NATIVE } from '../imports/progress-store.ts';
import { inParallel } from '../runtime/parallel.ts';
import type { Company, Course, LearnerCourse, Progress, User } from '../shared/model.ts';

/** What the sandbox data loader writes. Every write is an upsert and is harmless to repeat. */
export interface PlatformDataStore {
  isLoaded(file_hash: string): Promise<boolean>;
  markLoaded(file_hash: string): Promise<void>;
  /** Keeps the cursor key that is there; `cursor_key` is used for a new company only. */
  putCompanies(companies: readonly Company[]): Promise<void>;
  putUsers(users: readonly User[]): Promise<void>;
  putCourses(company_id: string, courses: readonly Course[]): Promise<void>;
  /** Sets the organic lane only; never touches a migrated contribution. */
  putNativeProgress(rows: readonly (LearnerCourse & { company_id: string; progress: Progress })[]): Promise<void>;
  companies(ids: readonly string[]): Promise<Map<string, Company>>;
}

const PARALLEL_UPDATES = 25;

/** What the platform owns, as a data file gives it: upserts that never touch what was migrated. */
export function platformDataStore(database: Database): PlatformDataStore {
  return {
    async isLoaded(file_hash) {
      return (await getItem(database, dataFileKey(file_hash))) !== undefined;
    },

    async markLoaded(file_hash) {
      await putItem(database, dataFileKey(file_hash));
    },

    async putCompanies(companies) {
      await inParallel(companies, PARALLEL_UPDATES, ({ cursor_key, ...company }) =>
        updateItem(database, companyKey(company.company_id), { set: company, setIfAbsent: { cursor_key } }),
      );
    },

    /** The login entry comes last: whoever it leads to is there. */
    async putUsers(users) {
      await putItems(database, users.map(packUser));
      await putItems(
        database,
        users.map(({ company_id, email }) => ({ ...loginKey(email), company_id })),
      );
    },

    async putCourses(company_id, courses) {
      await putItems(
        database,
        courses.map((course) => packCourse(company_id, course)),
      );
    },

    async putNativeProgress(rows) {
      await inParallel(rows, PARALLEL_UPDATES, ({ company_id, user_id, platform_course_id, progress }) =>
        updateItem(database, learnerCourseKey(company_id, user_id, platform_course_id), {
          set: { [NATIVE]: packJson(progress) },
        }),
      );
    },

    async companies(ids) {
      return found(ids, await batchGet(database, ids.map(companyKey), true), unpackCompany);
    },
  };
}
