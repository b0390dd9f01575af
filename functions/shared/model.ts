/** The nouns of the service; members of requests and responses are in resources.ts. Dates are UTC instants. */
import type { GenericSchema, InferOutput } from 'valibot';
import type { License, Role } from './codes.ts';
import type * as audits from './audit-resources.ts';
import type * as resources from './resources.ts';

export type * from './codes.ts';

/** A date as `2024-03-01T09:30:00.000Z`: UTC, with milliseconds, so that the order of the texts is the order in time. */
export type Instant = string;

type Resource<Schema extends GenericSchema> = DeepReadonly<InferOutput<Schema>>;
type DeepReadonly<T> = T extends object ? { readonly [Member in keyof T]: DeepReadonly<T[Member]> } : T;

/** Entities that the platform owns: companies, users, courses, and the ids of the old system linked to them. */
export interface Company {
  readonly company_id: string;
  readonly name: string;
  readonly migrations_enabled: boolean;
  /** Base64url key that authenticates this company's list cursors. It never leaves the service. */
  readonly cursor_key: string;
}

/** A user as the platform sent it last (§13.1). The address is kept as sent; `emailKey` is its lookup form. */
export interface User {
  readonly company_id: string;
  readonly user_id: number;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly avatar: string;
  readonly license: License;
  /** PHC string; absent for a user who cannot log in. */
  readonly password_hash?: string;
  /** A session that started earlier is over (§5.1). The date never moves back. */
  readonly sessions_valid_from?: Instant;
}

/** The response of a login and of a refresh (§2.2). A refresh token is used up by its first use. */
export type TokenPair = Resource<typeof resources.tokenPair>;

export type Course = Resource<typeof resources.catalogCourse>;
export type CourseClass = Course['classes'][number];

export type UserMapping = Resource<typeof resources.userMapping>;
export type CourseMapping = Resource<typeof resources.courseMapping>;

/** The responses of registering mappings and resolving addresses: one result for each entry, in the order sent. */
export type UserMappingReport = Resource<typeof resources.userMappingReport>;
export type CourseMappingReport = Resource<typeof resources.courseMappingReport>;
export type ResolvedUser = Resource<typeof resources.resolvedUser>;
export type ResolveReport = Resource<typeof resources.resolveReport>;

/** The progress of a learner in a course: the organic progress, one migrated contribution, or the join of them all. */
export type Progress = Resource<typeof audits.progress>;
export type ClassView = Progress['classes'][number];

/** The dates of progress for which an import has a default. `viewed_at` of a class is another one. */
export type DatedField = 'certified_at' | 'started_at' | 'last_activity_at' | 'completed_at';

/** One migrated record as persisted beside the organic progress (§2.7): auditable, never lowered, removable. */
export interface Contribution extends Resource<typeof audits.contribution> {
  readonly external_record_id: string;
  readonly index: number;
  /** Defaulted dates: they are those of the import (`imported_at`). A sent date always takes precedence. */
  readonly defaulted: readonly DatedField[];
  /** Ids of classes whose `viewed_at` is such a default. */
  readonly defaulted_classes: readonly number[];
  /** Hash of the record as sent: ids resolved, dates normalised, before defaults (rule 12). */
  readonly content_hash: string;
  /** Its import replaces: what imports accepted earlier said under its id counts no longer (rule 12). */
  readonly replaces?: true;
}

/** One record in a fold. */
export interface FoldedRecord {
  /** The only version that counts; or the join of those that count, which has no content hash. */
  readonly contribution: Contribution;
  /** Of a join: digests of the contents that count. */
  readonly contents: readonly number[];
}

/** What the oldest contributions of a learner course add up to (`folded.ts`). */
export interface Fold {
  /** How many items of the learner course it covers, from the first on. */
  readonly items: number;
  /** The contribution in them that was accepted last. */
  readonly until: Pick<Contribution, 'imported_at' | 'import_id' | 'index'>;
  readonly records: readonly FoldedRecord[];
}

/** The pair that progress belongs to. Ids are unique within a company only. */
export interface LearnerCourse {
  readonly user_id: number;
  readonly platform_course_id: number;
}

/** How a learner course was stored when it was read. By it each delivery looks for space for another contribution. */
export interface StoredSpace {
  readonly items: number;
  /** The bytes of the last of them; absent if it has no contribution. */
  readonly filled?: number | undefined;
  /** The bytes of contributions that updates have added to it; absent if none has. */
  readonly added?: number | undefined;
}

/** What is stored about a learner in a course. Effective progress is the join of `native` and all contributions. */
export interface CourseHistory extends LearnerCourse, StoredSpace {
  readonly native: Progress | null;
  readonly contributions: readonly Contribution[];
  /** If planning reads it: what stands, first in `contributions`, for those of its oldest items. */
  readonly folded?: Fold | undefined;
}

export type ResultProgress = Resource<typeof resources.resultProgress>;

/** The result of one record (§4.2 operation 9), as it is stored in the plan of its chunk. */
export type RecordResult = Resource<typeof resources.recordResult>;

/** The write of an accepted record; absent for rejected records. */
export interface RecordWrite extends LearnerCourse, StoredSpace {
  /** True unless a stored contribution of the same record proves that its id is bound to this user and course already. */
  readonly claim: boolean;
  readonly contribution: Contribution;
}

/** The decision about one record. It has a `write` unless it was rejected or nothing needs to be stored. */
export interface PlannedRecord {
  readonly result: RecordResult;
  readonly write?: RecordWrite;
  /** For an `unchanged` record that is not written, the import whose contribution has the same content. */
  readonly relies_on?: string;
  /** For one that is written for its place alone, the import whose contribution it repeats. */
  readonly repeats?: string;
  /** Of a dry run of a run, where it replaces or is `unchanged`: hash of what counts under its id without it (`overOf`). */
  readonly over?: string;
}

/** The decision about one chunk, made once and carried out by every delivery. `records` are the records as sent. */
export interface Plan {
  readonly records: readonly unknown[];
  readonly planned: readonly PlannedRecord[];
  /** How many reverts of the company had ended when the plan was made; absent for none. */
  readonly epoch?: number;
  /** Positions in the chunk whose record and decision are stored apart, because they are kept for less time (`nameless.ts`). */
  readonly apart?: readonly number[];
}

/** An import as every operation returns it (§2.8), and without its records as the list does. */
export type Import = Resource<typeof resources.importResource>;
export type ImportSummary = Resource<typeof resources.importSummary>;
export type ImportCounts = ImportSummary['counts'];
export type ImportIds = Pick<ImportSummary, 'company_id' | 'import_id'>;
/** A place in the order of acceptance. */
export type ImportPosition = Pick<ImportSummary, 'created_at' | 'import_id'>;

/** A migration: the real imports that were sent with one `run_id`, which the client chooses (§4.9). */
export type Run = Resource<typeof audits.runResource>;
export type RunIds = Pick<Run, 'company_id' | 'run_id'>;

/** The plan of a run (§4.11): dry runs that are applied together. Not to be confused with the decision about a chunk (`Plan`). */
export type RunPlan = Resource<typeof audits.planResource>;
export interface PlanIds {
  readonly company_id: string;
  readonly plan_id: string;
}

/** A revert as its operations return it: of an import with its records, of a run with counts alone. */
export type ImportRevert = Resource<typeof audits.revertResource>;
export type RunRevert = Resource<typeof audits.runRevertResource>;
/** The subject of a revert: an import, or every import of a run; or of the dry run of a revert of a run. */
export type RevertSubject = ({ readonly kind: 'import' } & ImportIds) | ({ readonly kind: 'run' | 'preview' } & RunIds);
export type RevertCounts = ImportRevert['counts'];
export type RevertedRecord = ImportRevert['records'][number];

export type ArchivedEntry = Resource<typeof audits.archivedRecord>;
export type LearnerTranscript = Resource<typeof audits.learnerTranscript>;

/** Position of a record that lost its id, and the user and the course that held it; `null` for a user who was erased. */
export type Conflict = readonly [index: number, user_id: number | null, platform_course_id: number];

/** The outcome of a chunk, written once when it ends; the counts of an import are sums of these. */
export interface ChunkSummary {
  readonly succeeded: number;
  readonly failed: number;
  readonly with_warnings: number;
  /** Of those that succeeded; in a dry run only, for its plan (§4.11). */
  readonly updated?: number;
  readonly unchanged?: number;
  /** Of those that failed: kept in the archive (§4.12). */
  readonly archived?: number;
  readonly conflict: readonly Conflict[];
  readonly failed_indexes: readonly number[];
}

/** A consecutive run of records, processed by one message. */
export interface ChunkRef {
  readonly first_index: number;
  readonly size: number;
  readonly payload_hash: string;
}

export type EvidenceEntry = Resource<typeof audits.evidenceEntry>;

/** Lower-case hexadecimal SHA-256 of the records and of the results of an import (§4.10). */
export interface Digests {
  readonly records_digest: string;
  readonly results_digest: string;
}

/** The status item that clients poll. */
export interface ImportItem extends Omit<ImportSummary, 'counts'> {
  readonly total: number;
  /** Its records replace what imports accepted earlier said under their ids (rule 12). */
  readonly replace?: true;
  /** What nobody or no course answers to is kept (§4.12). */
  readonly archive?: true;
  /** Of a real import that archives: for how long. */
  readonly archived_until?: Instant;
  /** Hash of the payload as JSON values, `dry_run` included. The Idempotency-Key is bound to it. */
  readonly fingerprint: string;
  /** The dry run that a plan made it of (§4.11). */
  readonly planned_by?: string;
  /** Random id of the invocation that created the import, so that its own retry is not called a replay. */
  readonly attempt_id: string;
  readonly chunks: readonly ChunkRef[];
  /** Summaries by chunk number. A dry run has all of them from the start. */
  readonly summaries: Readonly<Record<number, ChunkSummary>>;
  readonly resends: number;
  /** When the watchdog next checks the import; absent once the import has ended and its event is sent. */
  readonly due_at?: Instant;
  /** Set when the watchdog starts to abandon the missing chunks: no new work starts after it. */
  readonly closing_at?: Instant;
  /** The import was reverted before its end event was sent. */
  readonly end_is_owed?: true;
  /** Results cannot be read from this time on; absent where they are kept. */
  readonly expires_at?: Instant;
  /** Set when the import ends, if it is part of a run; of a dry run, when it is accepted. */
  readonly digests?: Digests;
  /** How many results have changed since the import ended, because a person was erased (§13.2): earlier copies are out of date. */
  readonly changed_results?: number;
}
