import * as v from 'valibot';
import * as bodies from '../../functions/http/bodies.ts';
import * as resources from '../../functions/shared/resources.ts';
import * as audits from '../../functions/shared/audit-resources.ts';
import { courseMappingEntry, emailAddress, userMappingEntry } from '../../functions/catalog/mappings.ts';
import * as records from '../../functions/records/schema.ts';
import { REQUEST_ERROR_STATUS, codesOf } from '../../functions/shared/codes.ts';
import { REQUEST_ERRORS } from './request-errors.ts';
import { type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import { type PortableSchema, portable } from './portable.ts';

export { credentials, evidenceRequest, refreshRequest, revertRequest } from '../../functions/http/bodies.ts';
export const resolveRequest = bodies.resolveRequest(emailAddress);
const { records: sent, ...options } = bodies.importRequest(records.migrationRecord).entries;
/** Generated clients take the members in this order. */
export const importRequest = v.strictObject({ ...options, records: sent });

export const requestError = v.object({
  error_code: v.pipe(
    v.picklist(codesOf(REQUEST_ERROR_STATUS)),
    v.description(
      resources.markdownList(
        Object.fromEntries(
          codesOf(REQUEST_ERRORS).map((code) => [code, `${REQUEST_ERROR_STATUS[code]}, ${REQUEST_ERRORS[code].when}`]),
        ),
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

/** Every schema that the document names. Records and mapping entries are validated with these very schemas. */
export const SCHEMAS = {
  Credentials: bodies.credentials,
  RefreshRequest: bodies.refreshRequest,
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
  ...resources.RESOURCES,
  ...audits.AUDIT_RESOURCES,
  RequestError: requestError,
  ErrorEnvelope: errorEnvelope,
} as const;

export type SchemaName = keyof typeof SCHEMAS;

export function schemaRef(name: SchemaName): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schemas as JSON Schema 2020-12: the values that a client may send. Rules without a JSON Schema keyword are in the descriptions. */
export function componentSchemas(): Readonly<Record<string, PortableSchema>> {
  return Object.fromEntries(Object.entries(jsonSchemas()).map(([name, schema]) => [name, portable(schema)]));
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
