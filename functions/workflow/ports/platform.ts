/** What the platform owns and the sandbox data loader writes. */
import type { Company, Course, Pair, Progress, User } from '../../domain/model.ts';

/** What the sandbox data loader writes. Every write is an upsert and is harmless to repeat. */
export interface PlatformDataStore {
  isLoaded(file_hash: string): Promise<boolean>;
  markLoaded(file_hash: string): Promise<void>;
  /** Keeps the cursor key that is there; `cursor_key` is used for a new company only. */
  putCompanies(companies: readonly Company[]): Promise<void>;
  putUsers(users: readonly User[]): Promise<void>;
  putCourses(company_id: string, courses: readonly Course[]): Promise<void>;
  /** Sets the organic lane only; never touches a migrated contribution. */
  putNativeProgress(rows: readonly (Pair & { company_id: string; progress: Progress })[]): Promise<void>;
  companies(ids: readonly string[]): Promise<Map<string, Company>>;
}
