/** The shapes of requests and responses, derived from the schemas that the service validates and documents them with. */
import type { InferInput, InferOutput } from 'valibot';
import type { courseMappingEntry, userMappingEntry } from '../../../functions/catalog/mappings.ts';
import type { migrationRecord } from '../../../functions/records/schema.ts';
import type { ImportStatus, Outcome, RecordInclude, RecordStatus, RunStatus } from '../../../functions/shared/codes.ts';
import type * as audits from '../../../functions/shared/audit-resources.ts';
import type * as resources from '../../../functions/shared/resources.ts';
import type * as requests from '../../../lib/openapi/component-schemas.ts';
import type { SCHEMAS, SchemaName } from '../../../lib/openapi/component-schemas.ts';
import type { SPECS } from '../../../lib/openapi/operations.ts';

export type { RecordErrorCode, RequestErrorCode, WarningCode } from '../../../functions/shared/codes.ts';

export type Credentials = InferInput<typeof requests.credentials>;
export type SignInRequest = InferInput<(typeof SCHEMAS)['SignInRequest']>;
export type SignInWays = InferOutput<(typeof SCHEMAS)['SignInWays']>;
export type TokenPair = InferOutput<typeof resources.tokenPair>;
export type UserProfile = InferOutput<typeof resources.userProfile>;

export type Course = InferOutput<typeof resources.catalogCourse>;
export type CourseList = InferOutput<typeof resources.courseList>;
export type ResolveReport = InferOutput<typeof resources.resolveReport>;
export type ResolvedUser = InferOutput<typeof resources.resolvedUser>;
export type UserMappingEntry = InferInput<typeof userMappingEntry>;
export type CourseMappingEntry = InferInput<typeof courseMappingEntry>;
export type UserMappingReport = InferOutput<typeof resources.userMappingReport>;
export type CourseMappingReport = InferOutput<typeof resources.courseMappingReport>;
export type UserMapping = InferOutput<typeof resources.userMapping>;
export type CourseMapping = InferOutput<typeof resources.courseMapping>;
export type UserMappingList = InferOutput<typeof resources.userMappingList>;
export type CourseMappingList = InferOutput<typeof resources.courseMappingList>;

export type ImportRecord = InferInput<typeof migrationRecord>;
export type Import = InferOutput<typeof resources.importResource>;
export type ImportSummary = InferOutput<typeof resources.importSummary>;
export type ImportList = InferOutput<typeof resources.importList>;
export type RunRequest = InferInput<typeof requests.runRequest>;
export type Run = InferOutput<typeof audits.runResource>;
export type Plan = InferOutput<typeof audits.planResource>;
export type ApproveRequest = InferInput<(typeof SCHEMAS)['ApproveRequest']>;
export type Revert = InferOutput<typeof audits.revertResource>;
export type RunRevert = InferOutput<typeof audits.runRevertResource>;
export type EvidenceRequest = InferInput<typeof requests.evidenceRequest>;
export type SignedEvidence = InferOutput<typeof audits.signedEvidence>;
export type EvidenceEntry = InferOutput<typeof audits.evidenceEntry>;
export type EvidenceList = InferOutput<typeof audits.evidenceList>;
export interface EvidenceKeys {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}
export type RunList = InferOutput<typeof audits.runList>;
export type RecordResult = InferOutput<typeof resources.recordResult>;
export type ListedResult = InferOutput<typeof resources.listedResult>;
export type RecordList = InferOutput<typeof resources.recordList>;
export type RunListedResult = InferOutput<typeof audits.runListedResult>;
export type RunRecordList = InferOutput<typeof audits.runRecordList>;
export type ArchivedRecord = InferOutput<typeof audits.archivedRecord>;
export type RecordAudit = InferOutput<typeof audits.recordAudit>;
export type LearnerCourse = InferOutput<typeof audits.learnerCourse>;
export type LearnerTranscript = InferOutput<typeof audits.learnerTranscript>;
export type ErrorEnvelope = InferOutput<typeof requests.errorEnvelope>;
export type RequestProblem = InferOutput<typeof requests.requestError>;

type Specs = typeof SPECS;
type ShownBy<Name extends keyof Specs> = Extract<Specs[Name]['success'][number], { readonly schema: SchemaName }>;

/** The body of the response of each operation, by its name in the document. */
export type Responses = {
  readonly [Name in keyof Specs]: InferOutput<(typeof SCHEMAS)[ShownBy<Name>['schema']]>;
};

export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

export interface ImportQuery extends PageQuery {
  readonly status?: ImportStatus;
  readonly run_id?: string;
  /** ISO 8601; included. */
  readonly created_since?: string;
  /** ISO 8601; not included. */
  readonly created_before?: string;
}

export interface RunQuery extends PageQuery {
  readonly status?: RunStatus | undefined;
  readonly shape?: string | undefined;
}

export interface RecordQuery extends PageQuery {
  readonly status?: RecordStatus;
  readonly include?: RecordInclude;
}

export interface ArchiveQuery extends PageQuery {
  readonly run_id?: string;
  /** A person by one of these, in any spelling. */
  readonly email?: string;
  readonly external_user_id?: string;
  readonly course?: string;
  readonly error_code?: string;
  readonly include?: RecordInclude;
}

export interface PlanRecordQuery extends RecordQuery {
  readonly outcome?: Outcome;
}

export type LearnerName =
  | { readonly email: string }
  | { readonly user_id: number }
  | { readonly external_user_id: number | string };

export interface StartedImport {
  readonly import: Import;
  /** The key had been used before: this is the response to its first use. */
  readonly replayed: boolean;
  /** How long to wait before the first poll; absent for a dry run, which is complete. */
  readonly retryAfterSeconds: number | undefined;
}

export interface WaitOptions<Body> {
  /** Wait before the first poll. */
  readonly afterSeconds?: number | undefined;
  /** Called with the result of each poll. */
  readonly onProgress?: (current: Body) => void;
}

export interface DryRun {
  readonly dry_run?: boolean | undefined;
}
export type RevertWaitOptions = WaitOptions<RunRevert> & DryRun;

/** What the engine asks of the client. */
export interface Service {
  courses(): AsyncGenerator<Course>;
  courseMappings(): AsyncGenerator<CourseMapping>;
  resolveUsers(emails: readonly string[]): Promise<ResolveReport>;
  userMappings(): AsyncGenerator<UserMapping>;
  records(import_id: string, query?: Omit<RecordQuery, 'cursor'>): AsyncGenerator<ListedResult>;
}
