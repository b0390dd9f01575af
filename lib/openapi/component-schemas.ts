import { type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import { courseMappingEntry, userMappingEntry } from '../../functions/catalog/mappings.ts';
import {
  assessmentBlock,
  classEntry,
  contentBlock,
  migrationRecord,
  progressBlock,
  userBlock,
} from '../../functions/records/schema.ts';
import * as resources from '../../functions/shared/resources.ts';
import * as requests from './request-schemas.ts';

/** Every schema that the document names. Records and mapping entries are validated with these very schemas. */
export const SCHEMAS = {
  Credentials: requests.credentials,
  TokenPair: resources.tokenPair,
  RefreshRequest: requests.refreshRequest,
  UserProfile: resources.userProfile,
  JwkSet: resources.jwkSet,
  Course: resources.catalogCourse,
  CourseList: resources.courseList,
  ResolveRequest: requests.resolveRequest,
  ResolvedUser: resources.resolvedUser,
  ResolveReport: resources.resolveReport,
  UserMappingEntry: userMappingEntry,
  UserMappingRequest: requests.userMappingRequest,
  UserMappingReport: resources.userMappingReport,
  UserMapping: resources.userMapping,
  UserMappingList: resources.userMappingList,
  CourseMappingEntry: courseMappingEntry,
  CourseMappingRequest: requests.courseMappingRequest,
  CourseMappingReport: resources.courseMappingReport,
  CourseMapping: resources.courseMapping,
  CourseMappingList: resources.courseMappingList,
  RecordUser: userBlock,
  RecordContent: contentBlock,
  RecordClass: classEntry,
  RecordProgress: progressBlock,
  RecordAssessment: assessmentBlock,
  MigrationRecord: migrationRecord,
  ImportRequest: requests.importRequest,
  ImportSummary: resources.importSummary,
  ImportList: resources.importList,
  Import: resources.importResource,
  Run: resources.runResource,
  RunList: resources.runList,
  RecordResult: resources.recordResult,
  RecordList: resources.recordList,
  ResultProgress: resources.resultProgress,
  Progress: resources.progress,
  Contribution: resources.contribution,
  RecordAudit: resources.recordAudit,
  RecordError: resources.recordError,
  RecordWarning: resources.recordWarning,
  ErrorEnvelope: requests.errorEnvelope,
} as const;

export type SchemaName = keyof typeof SCHEMAS;

export function schemaRef(name: SchemaName): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schemas as JSON Schema 2020-12: what a client may send. Rules without a JSON Schema keyword are in the descriptions. */
export function componentSchemas(): Record<SchemaName, JsonSchema> {
  return toJsonSchemaDefs(SCHEMAS, {
    target: 'draft-2020-12',
    typeMode: 'input',
    ignoreActions: ['check'],
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  });
}
