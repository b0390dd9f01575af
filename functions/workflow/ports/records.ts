/** What the records of an import refer to, and what applying them writes. */
import type { Course, CourseMapping, LearnerCourse, Pair, RecordWrite, User, UserMapping } from '../../domain/model.ts';
import type { Deadline } from './machine.ts';

/** Company, users and courses: what the platform owns. `strong` asks for a strongly consistent read. */
export interface DirectoryStore {
  users(company_id: string, emails: readonly string[], strong: boolean): Promise<Map<string, User>>;
  courses(company_id: string, ids: readonly number[], strong: boolean): Promise<Map<number, Course>>;
  listCourses(company_id: string, limit: number, after?: number): Promise<Course[]>;
}

export interface MappingStore {
  /** Strongly consistent. */
  userMappings(company_id: string, external_ids: readonly string[]): Promise<Map<string, UserMapping>>;
  courseMappings(company_id: string, external_ids: readonly string[]): Promise<Map<string, CourseMapping>>;
  putUserMappings(company_id: string, mappings: readonly UserMapping[]): Promise<void>;
  putCourseMappings(company_id: string, mappings: readonly CourseMapping[]): Promise<void>;
  /** Ordered by external id, strictly after it. */
  listUserMappings(company_id: string, limit: number, after?: string): Promise<UserMapping[]>;
  listCourseMappings(company_id: string, limit: number, after?: string): Promise<CourseMapping[]>;
}

export interface ProgressStore {
  /** Strongly consistent; a pair nothing is stored about is absent from the map (keys: `pairKey`). */
  learnerCourses(company_id: string, pairs: readonly Pair[]): Promise<Map<string, LearnerCourse>>;
  /** Pair that each external_record_id is bound to; strongly consistent; unbound ids are absent. */
  identities(company_id: string, external_record_ids: readonly string[]): Promise<Map<string, Pair>>;
  /** Binds each id to its pair if it is unbound. Answers the ids held by another pair, with that pair. */
  claim(
    company_id: string,
    claims: readonly (Pair & { external_record_id: string })[],
    deadline: Deadline,
  ): Promise<Map<string, Pair>>;
  /**
   * Writes contributions (those of one pair in one write) and removes the ones they replace. Idempotent.
   * Answers the pairs whose item would grow beyond what the database holds (400 KB): nothing was written for those.
   */
  contribute(company_id: string, writes: readonly RecordWrite[], deadline: Deadline): Promise<Pair[]>;
}
