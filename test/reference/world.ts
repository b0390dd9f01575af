/** The company against which a record is evaluated, as plain data. */
import type { SourceProgress } from './effective.ts';

export interface ReferenceUser {
  readonly user_id: number;
  readonly email: string;
  readonly active: boolean;
}

export interface ReferenceCourse {
  readonly platform_course_id: number;
  readonly has_exam: boolean;
  readonly classes: readonly number[];
}

export interface KnownRecord {
  readonly external_record_id: string;
  /** Its content, as `saying` (record.ts) returns it. */
  readonly said: string;
  readonly source: SourceProgress;
  readonly import_id: string;
  readonly replaces: boolean;
}

export interface PairState {
  readonly native: SourceProgress | null;
  /** In the order of acceptance. */
  readonly records: readonly KnownRecord[];
}

export interface ReferenceWorld {
  readonly users: readonly ReferenceUser[];
  readonly courses: readonly ReferenceCourse[];
  /** By external id in string form. */
  readonly userMappings: ReadonlyMap<string, number>;
  readonly courseMappings: ReadonlyMap<string, number>;
  /** By `user_id/platform_course_id`. */
  readonly pairs: ReadonlyMap<string, PairState>;
  /** By external_record_id: the learner and course to which it is bound. */
  readonly identities: ReadonlyMap<string, string>;
}

export const pairOf = (user_id: number, platform_course_id: number): string => `${user_id}/${platform_course_id}`;
