/** Bodies of the catalog, resolve and mapping operations (§2.5, §2.6, §4.2 operations 1 to 6). */
import * as v from 'valibot';
import {
  MAPPING_STATUSES,
  courseMappingEntry,
  emailAddress,
  userMappingEntry,
} from '../../functions/catalog/mappings.ts';
import { RESOLVE_STATUSES } from '../../functions/catalog/resolve-users.ts';
import { MAX_EMAILS_PER_RESOLVE, MAX_MAPPINGS_PER_REQUEST } from '../../functions/shared/limits.ts';
import { count, instant, nextCursor, platformId, recordError } from './shared-schemas.ts';

export const catalogCourse = v.strictObject({
  platform_course_id: platformId,
  title: v.string(),
  has_exam: v.boolean(),
  classes: v.array(v.strictObject({ platform_class_id: platformId, title: v.string() })),
});
export const courseList = v.strictObject({ courses: v.array(catalogCourse), next_cursor: nextCursor });

export const resolveRequest = v.object({
  emails: v.pipe(v.array(emailAddress), v.minLength(1), v.maxLength(MAX_EMAILS_PER_RESOLVE)),
});
export const resolvedUser = v.strictObject({
  email: v.pipe(v.nullable(v.string()), v.description('As sent; null where it was no string.')),
  status: v.picklist(RESOLVE_STATUSES),
  user_id: v.nullable(platformId),
  errors: v.array(recordError),
});
export const resolveReport = v.strictObject({
  users: v.pipe(v.array(resolvedUser), v.description('One for each address, in the order sent, repeats included.')),
  counts: v.strictObject({ active: count, inactive: count, not_found: count, invalid: count }),
});

export const userMappingRequest = v.object({ mappings: batch(userMappingEntry) });
export const courseMappingRequest = v.object({ mappings: batch(courseMappingEntry) });

const registration = { status: v.picklist(MAPPING_STATUSES), errors: v.array(recordError) };
const counts = v.strictObject({ created: count, updated: count, unchanged: count, failed: count });
const externalId = v.pipe(v.nullable(v.string()), v.description('In string form; null where it was unusable.'));
const echoedEmail = v.pipe(v.nullable(v.string()), v.description('As sent; null where it was no string.'));
const echoedCourse = v.pipe(v.nullable(v.number()), v.description('As sent; null where it was no number.'));

export const userMappingReport = v.strictObject({
  mappings: v.array(
    v.strictObject({ index: count, external_user_id: externalId, email: echoedEmail, ...registration }),
  ),
  counts,
});
export const courseMappingReport = v.strictObject({
  mappings: v.array(
    v.strictObject({ index: count, external_course_id: externalId, platform_course_id: echoedCourse, ...registration }),
  ),
  counts,
});

export const userMapping = v.strictObject({
  external_user_id: v.string(),
  email: v.pipe(v.string(), v.description('As it was registered.')),
  user_id: platformId,
  updated_at: instant,
});
export const userMappingList = v.strictObject({ mappings: v.array(userMapping), next_cursor: nextCursor });

export const courseMapping = v.strictObject({
  external_course_id: v.string(),
  platform_course_id: platformId,
  updated_at: instant,
});
export const courseMappingList = v.strictObject({ mappings: v.array(courseMapping), next_cursor: nextCursor });

function batch<Entry extends v.GenericSchema>(entry: Entry) {
  return v.pipe(
    v.array(entry),
    v.minLength(1),
    v.maxLength(MAX_MAPPINGS_PER_REQUEST),
    v.description(
      'Applied in order: of the same external id twice, the last wins. A bad entry never rejects the others.',
    ),
  );
}
