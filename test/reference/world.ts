/** The company against which a record is evaluated, as plain data. */
export interface ReferenceUser {
  readonly user_id: number;
  readonly email: string;
  readonly active: boolean;
}

export interface ReferenceCourse {
  readonly platform_course_id: number;
  readonly has_exam: boolean;
  /** Ids of its classes. */
  readonly classes: readonly number[];
}

/** A date, and whether it was sent in a record (or recorded by the platform) or defaulted. */
export interface Dated {
  readonly at: string;
  readonly sent: boolean;
}

/** The progress of a learner in a course by one source. */
export interface SourceProgress {
  readonly completion_pct: number;
  readonly certified: boolean;
  readonly certified_at: Dated | null;
  readonly started_at: Dated | null;
  readonly last_activity_at: Dated | null;
  readonly completed_at: Dated | null;
  readonly classes: ReadonlyMap<number, Dated | null>;
}

export interface KnownRecord {
  readonly external_record_id: string;
  /** Its content, as `saying` (record.ts) returns it. */
  readonly said: string;
  readonly source: SourceProgress;
  /** Its import, and whether that replaces. */
  readonly import_id: string;
  readonly replaces: boolean;
}

export interface PairState {
  readonly native: SourceProgress | null;
  /** Contributions of other imports, in the order of acceptance. */
  readonly records: readonly KnownRecord[];
}

export interface ReferenceWorld {
  readonly users: readonly ReferenceUser[];
  readonly courses: readonly ReferenceCourse[];
  /** Registered user or course by external id in string form. */
  readonly userMappings: ReadonlyMap<string, number>;
  readonly courseMappings: ReadonlyMap<string, number>;
  /** By `user_id/platform_course_id`. */
  readonly pairs: ReadonlyMap<string, PairState>;
  /** The learner and course to which each external_record_id is bound. */
  readonly identities: ReadonlyMap<string, string>;
}

export const pairOf = (user_id: number, platform_course_id: number): string => `${user_id}/${platform_course_id}`;
