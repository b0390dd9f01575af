/** The shapes of requests and responses, derived from the schemas that the service validates and documents them with. */
import type { InferInput, InferOutput } from 'valibot';
import type * as auth from '../../lib/openapi/auth-schemas.ts';
import type * as imports from '../../lib/openapi/import-schemas.ts';
import type * as reference from '../../lib/openapi/reference-schemas.ts';
import type * as shared from '../../lib/openapi/shared-schemas.ts';
import type { courseMappingEntry, userMappingEntry } from '../../functions/catalog/mappings.ts';
import type { migrationRecord } from '../../functions/records/schema.ts';

export type { RecordErrorCode, RequestErrorCode, WarningCode } from '../../functions/shared/codes.ts';

export type Credentials = InferInput<typeof auth.credentials>;
export type TokenPair = InferOutput<typeof auth.tokenPair>;
export type UserProfile = InferOutput<typeof auth.userProfile>;

export type Course = InferOutput<typeof reference.catalogCourse>;
export type CourseList = InferOutput<typeof reference.courseList>;
export type ResolveReport = InferOutput<typeof reference.resolveReport>;
export type ResolvedUser = InferOutput<typeof reference.resolvedUser>;
export type UserMappingEntry = InferInput<typeof userMappingEntry>;
export type CourseMappingEntry = InferInput<typeof courseMappingEntry>;
export type UserMappingReport = InferOutput<typeof reference.userMappingReport>;
export type CourseMappingReport = InferOutput<typeof reference.courseMappingReport>;
export type UserMapping = InferOutput<typeof reference.userMapping>;
export type CourseMapping = InferOutput<typeof reference.courseMapping>;
export type UserMappingList = InferOutput<typeof reference.userMappingList>;
export type CourseMappingList = InferOutput<typeof reference.courseMappingList>;

export type MigrationRecord = InferInput<typeof migrationRecord>;
export type Import = InferOutput<typeof imports.importResource>;
export type ImportSummary = InferOutput<typeof imports.importSummary>;
export type ImportList = InferOutput<typeof imports.importList>;
export type RecordResult = InferOutput<typeof imports.recordResult>;
export type ListedResult = InferOutput<typeof imports.listedResult>;
export type RecordList = InferOutput<typeof imports.recordList>;
export type RecordAudit = InferOutput<typeof imports.recordAudit>;
export type ErrorEnvelope = InferOutput<typeof shared.errorEnvelope>;
export type RequestProblem = InferOutput<typeof shared.requestError>;

export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

export interface RecordQuery extends PageQuery {
  readonly status?: 'success' | 'error' | 'pending';
  readonly include?: 'record';
}

export interface StartedImport {
  readonly import: Import;
  /** The key had been used before: this is the response to its first use. */
  readonly replayed: boolean;
  /** How long to wait before the first poll; absent for a dry run, which is complete. */
  readonly retryAfterSeconds: number | undefined;
}

export interface WaitOptions {
  /** Wait before the first poll. */
  readonly afterSeconds?: number | undefined;
  /** Called with the result of each poll. */
  readonly onProgress?: (current: Import) => void;
}
