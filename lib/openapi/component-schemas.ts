import { type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import { courseMappingEntry, userMappingEntry } from '../../functions/catalog/mappings.ts';
import {
  assessmentBlock,
  classEntry,
  contentBlock,
  externalIdValue,
  externalRef,
  migrationRecord,
  progressBlock,
  userBlock,
} from '../../functions/records/schema.ts';
import * as evidence from '../../functions/shared/evidence-resources.ts';
import * as resources from '../../functions/shared/resources.ts';
import * as audits from '../../functions/shared/audit-resources.ts';
import { type PortableSchema, portable } from './portable.ts';
import * as reverts from '../../functions/shared/revert-resources.ts';
import * as requests from './request-schemas.ts';

/** Every schema that the document names. Records and mapping entries are validated with these very schemas. */
export const SCHEMAS = {
  Credentials: requests.credentials,
  TokenPair: resources.tokenPair,
  RefreshRequest: requests.refreshRequest,
  UserProfile: resources.userProfile,
  Jwk: resources.jwk,
  JwkSet: resources.jwkSet,
  CourseClass: resources.catalogClass,
  Course: resources.catalogCourse,
  CourseList: resources.courseList,
  ResolveRequest: requests.resolveRequest,
  ResolvedUser: resources.resolvedUser,
  ResolveCounts: resources.resolveCounts,
  ResolveReport: resources.resolveReport,
  ExternalId: externalIdValue,
  MappingCounts: resources.mappingCounts,
  UserMappingEntry: userMappingEntry,
  UserMappingRequest: requests.userMappingRequest,
  UserMappingResult: resources.userMappingResult,
  UserMappingReport: resources.userMappingReport,
  UserMapping: resources.userMapping,
  UserMappingList: resources.userMappingList,
  CourseMappingEntry: courseMappingEntry,
  CourseMappingRequest: requests.courseMappingRequest,
  CourseMappingResult: resources.courseMappingResult,
  CourseMappingReport: resources.courseMappingReport,
  CourseMapping: resources.courseMapping,
  CourseMappingList: resources.courseMappingList,
  ExternalRef: externalRef,
  RecordUser: userBlock,
  RecordContent: contentBlock,
  RecordClass: classEntry,
  RecordProgress: progressBlock,
  RecordAssessment: assessmentBlock,
  MigrationRecord: migrationRecord,
  ImportRequest: requests.importRequest,
  ImportCounts: resources.importCounts,
  ImportSummary: resources.importSummary,
  ImportList: resources.importList,
  Import: resources.importResource,
  RevertRequest: requests.revertRequest,
  EvidenceRequest: requests.evidenceRequest,
  EvidenceEntry: evidence.evidenceEntry,
  EvidenceList: evidence.evidenceList,
  SignedEvidence: evidence.signedEvidence,
  RevertedRecord: reverts.revertedRecord,
  Revert: reverts.revertResource,
  RunRevert: reverts.runRevertResource,
  Run: resources.runResource,
  RunList: resources.runList,
  RecordResult: resources.recordResult,
  ListedResult: resources.listedResult,
  RecordList: resources.recordList,
  RunListedResult: resources.runListedResult,
  RunRecordList: resources.runRecordList,
  ResultProgress: resources.resultProgress,
  StoredExternalRef: audits.storedExternalRef,
  ClassView: audits.classView,
  Progress: audits.progress,
  Contribution: audits.recordVersion,
  RecordAudit: audits.recordAudit,
  LearnerContribution: audits.learnerContribution,
  LearnerCourse: audits.learnerCourse,
  LearnerTranscript: audits.learnerTranscript,
  RecordError: resources.recordError,
  RecordWarning: resources.recordWarning,
  RequestError: requests.requestError,
  ErrorEnvelope: requests.errorEnvelope,
} as const;

export type SchemaName = keyof typeof SCHEMAS;

export function schemaRef(name: SchemaName): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schemas as JSON Schema 2020-12: the values that a client may send. Rules without a JSON Schema keyword are in the descriptions. */
export function componentSchemas(): Readonly<Record<string, PortableSchema>> {
  const schemas = Object.entries(jsonSchemas()).map(([name, schema]) => [name, portable(schema)] as const);
  return Object.fromEntries(schemas);
}

export function jsonSchemas(): Record<SchemaName, JsonSchema> {
  return toJsonSchemaDefs(SCHEMAS, {
    target: 'draft-2020-12',
    typeMode: 'input',
    ignoreActions: ['check'],
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  });
}
