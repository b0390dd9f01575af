/** The bodies that clients send, with the schemas of their items, and the envelope of an error (§7.2). */
import * as v from 'valibot';
import { courseMappingEntry, emailAddress, userMappingEntry } from '../../functions/catalog/mappings.ts';
import * as bodies from '../../functions/http/bodies.ts';
import { migrationRecord } from '../../functions/records/schema.ts';
import { REQUEST_ERROR_STATUS, codesOf } from '../../functions/shared/codes.ts';
import { markdownList, problemMembers } from '../../functions/shared/resources.ts';
import { REQUEST_ERRORS } from './request-errors.ts';

export { credentials, evidenceRequest, refreshRequest, revertRequest } from '../../functions/http/bodies.ts';
export const resolveRequest = bodies.resolveRequest(emailAddress);
export const userMappingRequest = bodies.mappingRequest(userMappingEntry);
export const courseMappingRequest = bodies.mappingRequest(courseMappingEntry);
const { dry_run, replace, run_id, records } = bodies.importRequest(migrationRecord).entries;
/** Generated clients take the members in this order. */
export const importRequest = v.strictObject({ dry_run, replace, run_id, records });

export const requestError = v.object({
  error_code: v.pipe(
    v.picklist(codesOf(REQUEST_ERROR_STATUS)),
    v.description(
      markdownList(
        Object.fromEntries(
          codesOf(REQUEST_ERRORS).map((code) => [code, `${REQUEST_ERROR_STATUS[code]}, ${REQUEST_ERRORS[code].when}`]),
        ),
      ),
    ),
  ),
  ...problemMembers,
});

export const errorEnvelope = v.pipe(
  v.object({
    errors: v.pipe(v.array(requestError), v.minLength(1)),
    request_id: v.pipe(v.string(), v.description('The same as the header `x-request-id`.')),
  }),
  v.description('The one shape of every request-level error, authentication included (§7.1, §7.2).'),
);
