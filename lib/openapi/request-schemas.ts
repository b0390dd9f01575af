/** Bodies that clients send, and the envelope of an error (§2.4, §4.1, §4.2, §7.2). */
import * as v from 'valibot';
import { courseMappingEntry, emailAddress, userMappingEntry } from '../../functions/catalog/mappings.ts';
import { migrationRecord } from '../../functions/records/schema.ts';
import { REQUEST_ERROR_STATUS, codesOf } from '../../functions/shared/codes.ts';
import {
  MAX_EMAILS_PER_RESOLVE,
  MAX_MAPPINGS_PER_REQUEST,
  MAX_RECORDS_PER_IMPORT,
  MAX_RUN_ID_LENGTH,
} from '../../functions/shared/limits.ts';
import { markdownList, problemMembers } from '../../functions/shared/resources.ts';
import { REQUEST_ERRORS } from './request-errors.ts';

export const credentials = v.object({
  email: v.string(),
  password: v.pipe(v.string(), v.metadata({ format: 'password' })),
});

export const refreshRequest = v.object({
  refreshToken: v.pipe(v.string(), v.description('The refresh token of the last pair.')),
});

export const resolveRequest = v.object({
  emails: v.pipe(v.array(emailAddress), v.minLength(1), v.maxLength(MAX_EMAILS_PER_RESOLVE)),
});

export const userMappingRequest = v.object({ mappings: mappingsOf(userMappingEntry) });
export const courseMappingRequest = v.object({ mappings: mappingsOf(courseMappingEntry) });

export const importRequest = v.object({
  dry_run: v.pipe(v.boolean(), v.description('true: the whole payload is validated and nothing is written.')),
  run_id: v.optional(
    v.nullable(
      v.pipe(
        v.string(),
        v.minLength(1),
        v.maxLength(MAX_RUN_ID_LENGTH),
        v.description('Names the migration that this import is a part of.'),
      ),
    ),
  ),
  records: v.pipe(v.array(migrationRecord), v.minLength(1), v.maxLength(MAX_RECORDS_PER_IMPORT)),
});

export const revertRequest = v.object({
  dry_run: v.pipe(v.boolean(), v.description('true: report what the revert would do, and change nothing.')),
});

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

function mappingsOf<Entry extends v.GenericSchema>(entry: Entry) {
  return v.pipe(
    v.array(entry),
    v.minLength(1),
    v.maxLength(MAX_MAPPINGS_PER_REQUEST),
    v.description(
      'Applied in order: of entries with the same external id, the last wins. An invalid entry never rejects the others.',
    ),
  );
}
