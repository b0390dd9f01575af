import * as v from 'valibot';
import { credentials, refreshRequest, signInRequest } from '../../functions/http/auth-bodies.ts';
import * as bodies from '../../functions/http/bodies.ts';
import { applyRequest, approveRequest, planRequest, runRequest } from '../../functions/http/run-bodies.ts';
import * as resources from '../../functions/shared/resources.ts';
import * as tokens from '../../functions/shared/token-resources.ts';
import * as audits from '../../functions/shared/audit-resources.ts';
import { courseMappingEntry, emailAddress, userMappingEntry } from '../../functions/catalog/mappings.ts';
import * as records from '../../functions/records/schema.ts';
import { REQUEST_ERROR_STATUS, codesOf } from '../../functions/shared/codes.ts';
import { importEvent, runEvent } from './events.ts';
import { REQUEST_ERRORS } from './request-errors.ts';
import { type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import { type PortableSchema, portable, portableResponse } from './portable.ts';

export { credentials, refreshRequest };
export { evidenceRequest, revertRequest } from '../../functions/http/bodies.ts';
export { runRequest };
export const resolveRequest = bodies.resolveRequest(emailAddress);
const { records: sent, ...options } = bodies.importRequest(records.migrationRecord).entries;
/** Generated clients take the members in this order. */
export const importRequest = v.strictObject({ ...options, records: sent });

/**
 * The members of a record that was rejected have any value. TypeScript clients of openapi-generator merge both forms of a record, so
 * its members are `any` there: with types, they would lose what was sent, and fail to read `classes` that are no list.
 */
const rejectedRecord = v.pipe(
  v.object(v.entriesFromList(codesOf(records.migrationRecord.entries), v.optional(v.unknown()))),
  v.description('A record of which a member is not as it must be.'),
);

/** A client must not fail to read a record that was rejected. Each type is named, because generators drop the any of a list of types. */
const sentRecord = v.pipe(
  v.union([
    records.migrationRecord,
    rejectedRecord,
    v.string(),
    v.number(),
    v.boolean(),
    v.pipe(v.unknown(), v.description('Anything else.')),
  ]),
  v.description(
    'A record as it was sent, without members that the interface does not define; a rejected one may be any value.',
  ),
);

export const requestError = v.object({
  error_code: resources.openList(
    codesOf(REQUEST_ERROR_STATUS),
    resources.markdownList(
      Object.fromEntries(
        codesOf(REQUEST_ERRORS).map((code) => [code, `${REQUEST_ERROR_STATUS[code]}, ${REQUEST_ERRORS[code].when}`]),
      ),
    ),
  ),
  ...resources.problemMembers,
});

export const errorEnvelope = v.pipe(
  v.object({
    errors: v.pipe(v.array(requestError), v.minLength(1)),
    request_id: v.pipe(v.string(), v.description('The same as the header `x-request-id`.')),
  }),
  v.description('The one shape of every request-level error, authentication included (§7.1, §7.2).'),
);

/** What clients send. Records and mapping entries are validated with these very schemas. */
const REQUESTS = {
  Credentials: credentials,
  TokenRequest: tokens.tokenRequest,
  SignInRequest: signInRequest,
  RefreshRequest: refreshRequest,
  ResolveRequest: resolveRequest,
  ExternalId: records.externalIdValue,
  UserMappingEntry: userMappingEntry,
  UserMappingRequest: bodies.mappingRequest(userMappingEntry),
  CourseMappingEntry: courseMappingEntry,
  CourseMappingRequest: bodies.mappingRequest(courseMappingEntry),
  ExternalRef: records.externalRef,
  RecordUser: records.userBlock,
  RecordContent: records.contentBlock,
  RecordClass: records.classEntry,
  RecordProgress: records.progressBlock,
  RecordAssessment: records.assessmentBlock,
  MigrationRecord: records.migrationRecord,
  ImportRequest: importRequest,
  RevertRequest: bodies.revertRequest,
  EvidenceRequest: bodies.evidenceRequest,
  RunRequest: runRequest,
  PlanRequest: planRequest,
  ApproveRequest: approveRequest,
  ApplyRequest: applyRequest,
} as const;

/** Every schema that the document names. */
export const SCHEMAS = {
  ...REQUESTS,
  RejectedRecord: rejectedRecord,
  SentRecord: sentRecord,
  ImportEvent: importEvent,
  RunEvent: runEvent,
  TokenPair: resources.tokenPair,
  UserProfile: resources.userProfile,
  Jwk: resources.jwk,
  JwkSet: resources.jwkSet,
  CourseClass: resources.catalogClass,
  Course: resources.catalogCourse,
  CourseList: resources.courseList,
  ResolvedUser: resources.resolvedUser,
  ResolveCounts: resources.resolveCounts,
  ResolveReport: resources.resolveReport,
  MappingCounts: resources.mappingCounts,
  ClientToken: tokens.clientToken,
  SignInWays: tokens.signInWays,
  OAuthError: tokens.oauthError,
  ServerMetadata: tokens.serverMetadata,
  UserMappingResult: resources.userMappingResult,
  UserMappingReport: resources.userMappingReport,
  UserMapping: resources.userMapping,
  UserMappingList: resources.userMappingList,
  CourseMappingResult: resources.courseMappingResult,
  CourseMappingReport: resources.courseMappingReport,
  CourseMapping: resources.courseMapping,
  CourseMappingList: resources.courseMappingList,
  ImportCounts: resources.importCounts,
  ImportSummary: resources.importSummary,
  ImportList: resources.importList,
  Import: resources.importResource,
  RecordResult: resources.recordResult,
  ListedResult: resources.listedResult,
  RecordList: resources.recordList,
  ResultProgress: resources.resultProgress,
  RecordError: resources.recordError,
  RecordWarning: resources.recordWarning,
  PlanCounts: audits.planCounts,
  Plan: audits.planResource,
  PlanRecordList: audits.planRecordList,
  RunCounts: audits.runCounts,
  Run: audits.runResource,
  RunList: audits.runList,
  RunListedResult: audits.runListedResult,
  RunRecordList: audits.runRecordList,
  EvidenceEntry: audits.evidenceEntry,
  EvidenceList: audits.evidenceList,
  SignedEvidence: audits.signedEvidence,
  RevertedRecord: audits.revertedRecord,
  Revert: audits.revertResource,
  RunRevert: audits.runRevertResource,
  StoredExternalRef: audits.storedExternalRef,
  ClassView: audits.classView,
  Progress: audits.progress,
  Contribution: audits.recordVersion,
  RecordAudit: audits.recordAudit,
  LearnerContribution: audits.learnerContribution,
  LearnerCourse: audits.learnerCourse,
  LearnerTranscript: audits.learnerTranscript,
  ArchivedRecord: audits.archivedRecord,
  ArchivedList: audits.archivedList,
  RequestError: requestError,
  ErrorEnvelope: errorEnvelope,
} as const;

export type SchemaName = keyof typeof SCHEMAS;

export function schemaRef(name: SchemaName): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schemas as JSON Schema 2020-12: the values that a client may send. Rules without a JSON Schema keyword are in the descriptions. */
export function componentSchemas(): Readonly<Record<string, PortableSchema>> {
  return Object.fromEntries(
    Object.entries(jsonSchemas()).map(([name, schema]) => [
      name,
      name in REQUESTS ? portable(schema) : portableResponse(withSentRecord(schema)),
    ]),
  );
}

/** Functions carry no schema of a record, so their results have any value as `record`. */
function withSentRecord(schema: JsonSchema): JsonSchema {
  const { record, ...properties } = schema.properties ?? {};
  if (typeof record !== 'object') return schema;
  const typed = { ...record, anyOf: [schemaRef('SentRecord'), { type: 'null' as const }] };
  return { ...schema, properties: { ...properties, record: typed } };
}

/** The schemas before they are made portable: for tests that compare both. */
export function jsonSchemas(): Record<SchemaName, JsonSchema> {
  return toJsonSchemaDefs(SCHEMAS, {
    target: 'draft-2020-12',
    typeMode: 'input',
    ignoreActions: ['check'],
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  });
}
