import * as auth from './auth-schemas.ts'; // FIXME
import * as imports from './import-schemas.ts'; // FIXME
import * as reference from './reference-schemas.ts'; // FIXME
import * as shared from './shared-schemas.ts'; // FIXME
import { toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { JsonSchema } from '@valibot/to-json-schema';
import { courseMappingEntry, userMappingEntry } from '../../functions/catalog/mappings.ts';
import {
  assessmentBlock,
  classEntry,
  contentBlock,
  migrationRecord,
  progressBlock,
  userBlock,
} from '../../functions/records/schema.ts';

/** Every schema that the document names. Requests are judged by these very schemas, or item by item with the same rules. */
export const SCHEMAS = {
  Credentials: auth.credentials,
  TokenPair: auth.tokenPair,
  RefreshRequest: auth.refreshRequest,
  UserProfile: auth.userProfile,
  JwkSet: auth.jwkSet,
  Course: reference.catalogCourse,
  CourseList: reference.courseList,
  ResolveRequest: reference.resolveRequest,
  ResolvedUser: reference.resolvedUser,
  ResolveReport: reference.resolveReport,
  UserMappingEntry: userMappingEntry,
  UserMappingRequest: reference.userMappingRequest,
  UserMappingReport: reference.userMappingReport,
  UserMapping: reference.userMapping,
  UserMappingList: reference.userMappingList,
  CourseMappingEntry: courseMappingEntry,
  CourseMappingRequest: reference.courseMappingRequest,
  CourseMappingReport: reference.courseMappingReport,
  CourseMapping: reference.courseMapping,
  CourseMappingList: reference.courseMappingList,
  RecordUser: userBlock,
  RecordContent: contentBlock,
  RecordClass: classEntry,
  RecordProgress: progressBlock,
  RecordAssessment: assessmentBlock,
  MigrationRecord: migrationRecord,
  ImportRequest: imports.importRequest,
  ImportSummary: imports.importSummary,
  ImportList: imports.importList,
  Import: imports.importResource,
  RecordResult: imports.recordResult,
  RecordList: imports.recordList,
  ResultProgress: imports.resultProgress,
  Progress: imports.progress,
  Contribution: imports.contribution,
  RecordAudit: imports.recordAudit,
  RecordError: shared.recordError,
  RecordWarning: shared.recordWarning,
  ErrorEnvelope: shared.errorEnvelope,
} as const;

export type SchemaName = keyof typeof SCHEMAS;

export function schemaRef(name: SchemaName): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schemas as JSON Schema 2020-12: what a client may send. Rules without a JSON Schema keyword stand in descriptions. */
export function componentSchemas(): Record<SchemaName, JsonSchema> {
  return toJsonSchemaDefs(SCHEMAS, {
    target: 'draft-2020-12',
    typeMode: 'input',
    ignoreActions: ['check'],
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  });
}
