/** The resources of the interface, open to members of later versions. Functions import types alone, never a schema. */
import * as v from 'valibot';
import {
  IMPORT_STATUSES,
  MAPPING_STATUSES,
  OUTCOMES,
  RECORD_ERRORS,
  RECORD_STATUSES,
  RESOLVE_STATUSES,
  ROLES,
  RECORD_WARNINGS,
  codesOf,
} from './codes.ts';

/** A UTC instant with milliseconds, as every response gives dates. */
export const instant = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
  v.metadata({ description: 'UTC, with milliseconds.', format: 'date-time' }),
);
/** An id of the platform: a whole number from 0 to 2^53 - 1, so that every JSON reader keeps it. */
export const platformId = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
export const percentage = v.pipe(v.number(), v.minValue(0), v.maxValue(100));
/** The last member of every page of a list (§4.4). */
export const nextCursor = v.pipe(
  v.nullable(v.string()),
  v.description('Send it as `cursor` to get the next page; null on the last one. Opaque.'),
);

/**
 * A value of an open list: later versions may add to it, so the document has the known values in the description and as examples,
 * and a client that was generated from it reads others too (docs/versioning.md).
 */
export function openList<Value extends string>(values: readonly Value[], description: string): v.GenericSchema<Value> {
  const text = v.pipe(
    v.string(),
    v.description(`${description}\n\nAn open list: expect others.`),
    v.examples([...values]),
  );
  return text as unknown as v.GenericSchema<Value>;
}

/** The members beside the code of every error and warning (§7). */
export const problemMembers = {
  message: v.pipe(
    v.string(),
    v.description('For people: names the field and the rule. Programs decide by the code, not by this text.'),
  ),
  field: v.optional(v.pipe(v.string(), v.description('Dotted path of the member concerned; absent if there is none.'))),
};

export const recordError = v.pipe(
  v.object({
    error_code: openList(codesOf(RECORD_ERRORS), markdownList(RECORD_ERRORS)),
    ...problemMembers,
  }),
  v.description('Why one record or entry was rejected (§7.3).'),
);

export const recordWarning = v.pipe(
  v.object({
    warning_code: openList(codesOf(RECORD_WARNINGS), markdownList(RECORD_WARNINGS)),
    ...problemMembers,
  }),
  v.description('What was noticed about a record that is applied all the same (§7.4); one for each code.'),
);

/** A code and its meaning on each line, for descriptions in the OpenAPI document. */
export function markdownList(meanings: Readonly<Record<string, string>>): string {
  return Object.entries(meanings)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join('\n');
}

/** Sessions and the caller's own profile (§2.1–2.4, §4.1). */
export const tokenPair = v.object({
  access_token: v.pipe(v.string(), v.description('JWT (ES256), valid 20 days.')),
  refresh_token: v.pipe(v.string(), v.description('JWT (ES256), valid 10 hours, used up by its first use.')),
});

/** The profile of the caller (§2.4); the password is masked. */
export const userProfile = v.object({
  id: platformId,
  email: v.string(),
  password: v.pipe(
    v.string(),
    v.regex(/^\*{8}$/),
    v.description('Always this text: passwords and their hashes never leave the store.'),
  ),
  name: v.string(),
  role: v.picklist(ROLES),
  avatar: v.pipe(v.string(), v.description('URL.')),
});

export const jwk = v.object({
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  x: v.string(),
  y: v.string(),
  kid: v.string(),
  alg: v.optional(v.literal('ES256')),
  use: v.optional(v.literal('sig')),
});
export const jwkSet = v.object({ keys: v.array(jwk) });

/** Catalog, users and mappings (§2.5, §2.6, §4.2 operations 1 to 6). */
export const catalogClass = v.object({ platform_class_id: platformId, title: v.string() });
export const catalogCourse = v.object({
  platform_course_id: platformId,
  title: v.string(),
  has_exam: v.boolean(),
  classes: v.array(catalogClass),
});
export const courseList = v.object({ courses: v.array(catalogCourse), next_cursor: nextCursor });

const echoedEmail = v.pipe(v.nullable(v.string()), v.description('As sent; null if it was not a string.'));

export const resolvedUser = v.object({
  email: echoedEmail,
  status: v.picklist(RESOLVE_STATUSES),
  user_id: v.nullable(platformId),
  errors: v.array(recordError),
});
export const resolveCounts = v.object({ active: count, inactive: count, not_found: count, invalid: count });
/** The response of `resolve-users` (§4.2 operation 2): addresses without a user are no error of the request. */
export const resolveReport = v.object({
  users: v.pipe(v.array(resolvedUser), v.description('One for each address, in the order sent, repeats included.')),
  counts: resolveCounts,
});

const registration = { status: v.picklist(MAPPING_STATUSES), errors: v.array(recordError) };
export const mappingCounts = v.object({ created: count, updated: count, unchanged: count, failed: count });
const echoedId = v.pipe(v.nullable(v.string()), v.description('In string form; null if it was unusable.'));
const echoedCourse = v.pipe(
  v.nullable(v.pipe(v.number(), v.safeInteger())),
  v.description('As sent; null if it was not a whole number.'),
);

export const userMappingResult = v.object({
  index: count,
  external_user_id: echoedId,
  email: echoedEmail,
  ...registration,
});
/** The response of registering user mappings (§4.2 operation 3): an entry with errors changes nothing. */
export const userMappingReport = v.object({ mappings: v.array(userMappingResult), counts: mappingCounts });
export const courseMappingResult = v.object({
  index: count,
  external_course_id: echoedId,
  platform_course_id: echoedCourse,
  ...registration,
});
export const courseMappingReport = v.object({ mappings: v.array(courseMappingResult), counts: mappingCounts });

export const userMapping = v.object({
  external_user_id: v.string(),
  email: v.pipe(v.string(), v.description('As it was registered.')),
  user_id: platformId,
  updated_at: instant,
});
export const userMappingList = v.object({ mappings: v.array(userMapping), next_cursor: nextCursor });

export const courseMapping = v.object({
  external_course_id: v.string(),
  platform_course_id: platformId,
  updated_at: instant,
});
export const courseMappingList = v.object({ mappings: v.array(courseMapping), next_cursor: nextCursor });

/** The members of progress, in results as in the audit read; beside them classes are counted or listed. */
export const progressMembers = {
  completion_pct: percentage,
  approved_course: v.picklist([0, 1]),
  certified_at: v.nullable(instant),
  started_at: v.nullable(instant),
  last_activity_at: v.nullable(instant),
  completed_at: v.nullable(instant),
};

/** Imports and their results (§2.8, §3, §4.2 operations 7 to 9). */
export const resultProgress = v.pipe(
  v.object({
    user_id: platformId,
    platform_course_id: platformId,
    classes_viewed: count,
    ...progressMembers,
  }),
  v.description('The effective progress with this record applied and the other records of the same import ignored.'),
);

/** The reason why a value is missing: an erased person (§13.2), or results that are kept no longer (§4.5). */
export const only = (description: string) => v.pipe(v.literal(true), v.description(description));
export const note = {
  erased: only('The person was erased: `external_record_id`, `progress` and `record` are null.'),
  reportExpired: only('The results are kept no longer, and `records` is empty. What was imported is not affected.'),
};
const resultMembers = {
  index: v.pipe(count, v.description('Position of the record in the import.')),
  external_record_id: v.pipe(v.nullable(v.string()), v.description('null if it was not a usable string.')),
  status: v.picklist(RECORD_STATUSES),
  outcome: v.nullable(
    openList(
      OUTCOMES,
      '`applied`: first time; `updated`: known id, other content; `unchanged`: known id, same content. null on error or pending.',
    ),
  ),
  errors: v.array(recordError),
  warnings: v.array(recordWarning),
  progress: v.nullable(resultProgress),
  before: v.optional(
    v.pipe(
      v.nullable(resultProgress),
      v.description(
        'The effective progress without this record, null if there is none. Only in a dry run, of what would be applied or updated.',
      ),
    ),
  ),
  archived: v.optional(
    only('Rejected, because nobody or no course answers to it, and kept (§4.12); in a dry run: it would be.'),
  ),
  erased: v.optional(note.erased),
};
export const recordResult = v.object(resultMembers);
/** Records by outcome. `processed` is the sum of `succeeded` and `failed`; a warning is no failure. */
/** Who made something: exactly one of both. */
export const creator = (did: string) => ({
  created_by: v.pipe(v.nullable(platformId), v.description(`User id of the admin who ${did}; null if a client did.`)),
  created_by_client: v.pipe(
    v.nullable(v.string()),
    v.description(`Id of the client that ${did}; null if a person did.`),
  ),
});
export const importCounts = v.object({
  total: count,
  processed: count,
  succeeded: count,
  failed: count,
  archived: v.pipe(count, v.description('Of those that failed: kept in the archive (§4.12).')),
  with_warnings: count,
});
const importStatus = v.picklist(IMPORT_STATUSES);
const importMembers = {
  import_id: v.string(),
  company_id: v.string(),
  status: v.pipe(
    importStatus,
    v.description(
      'Every status but `processing` is terminal. All applied: success; some: partial_success; none: error.',
    ),
  ),
  dry_run: v.boolean(),
  created_at: instant,
  ...creator('sent it'),
  run_id: v.pipe(v.nullable(v.string()), v.description('The migration that it is a part of; null if none was named.')),
  completed_at: v.pipe(v.nullable(instant), v.description('When it became terminal.')),
  cancelled_at: v.pipe(v.nullable(instant), v.description('When it was cancelled. No chunk begins after it.')),
  reverted_at: v.pipe(v.nullable(instant), v.description('When what it wrote had been taken back.')),
  counts: importCounts,
};
/** An import without its records, as the list of imports and events have it. */
export const importSummary = v.object(importMembers);
export const importList = v.object({ imports: v.array(importSummary), next_cursor: nextCursor });
/** An import with all its results (§2.8), as it is created, read and cancelled. */
export const importResource = v.object({
  ...importMembers,
  planned_by: v.optional(
    v.pipe(v.string(), v.description('The dry run that a plan made it of (§4.11); absent otherwise.')),
  ),
  report_expired: v.optional(note.reportExpired),
  records: v.pipe(v.array(recordResult), v.description('Every result in the order sent; empty while processing.')),
});

/** A result in a list, which shows the record as sent on request. */
export const listedResult = v.object({
  ...resultMembers,
  record: v.optional(v.pipe(v.unknown(), v.description('Only with `include=record`; null if the person was erased.'))),
});
export const recordList = v.object({
  import_id: v.string(),
  status: importStatus,
  report_expired: v.optional(note.reportExpired),
  records: v.array(listedResult),
  next_cursor: nextCursor,
});
