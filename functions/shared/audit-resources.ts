/** Runs, what is stored of records and learners, reverts, and evidence, as their operations return it (§2.7, §4.8 to §4.10); see resources.ts. */
import * as v from 'valibot';
import {
  ASSESSMENT_STATUSES,
  LICENSES,
  PLAN_STATUSES,
  REVERT_OUTCOMES,
  REVERT_STATUSES,
  RUN_LANGUAGES,
  RUN_STATUSES,
} from './codes.ts';
import { ARCHIVED_OF_LEARNER } from './limits.ts';
import {
  creator,
  instant,
  nextCursor,
  percentage,
  platformId,
  progressMembers,
  count,
  note,
  listedResult,
  recordError,
  resultProgress,
  importCounts,
  only,
  openList,
} from './resources.ts';

export const classView = v.object({ platform_class_id: platformId, viewed_at: v.nullable(instant) });
/** Progress as audits and transcripts show it (§2.7): its classes are listed, where a result of an import counts them. */
export const progress = v.pipe(
  v.object({ ...progressMembers, classes: v.array(classView) }),
  v.description('Of one user in one course: organic progress, or its join with every contribution.'),
);

export const storedExternalRef = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.description('As it was sent.'),
);

/** A migrated record as it was persisted beside the organic progress (§2.7). */
export const contribution = v.object({
  source: v.literal('external_migration'),
  import_id: v.string(),
  imported_at: instant,
  external_ref: v.nullable(storedExternalRef),
  ...progress.entries,
  score_pct: v.nullable(percentage),
  assessment_status: v.nullable(v.picklist(ASSESSMENT_STATUSES)),
});

const replacedBy = {
  replaced_by: v.optional(
    v.pipe(v.string(), v.description('The import that replaced it: it counts no longer. Absent where it counts.')),
  ),
};
export const recordVersion = v.object({ ...contribution.entries, ...replacedBy });

const native = v.pipe(v.nullable(progress), v.description('Organic progress; imports never change it.'));
/** The audit read of one record (§2.7): every contribution, the organic progress, and their join. */
export const recordAudit = v.object({
  external_record_id: v.string(),
  user_id: platformId,
  platform_course_id: platformId,
  contributions: v.pipe(v.array(recordVersion), v.description('Of this record, oldest first, as persisted.')),
  native,
  effective: progress,
});

export const learnerContribution = v.object({ external_record_id: v.string(), ...recordVersion.entries });
export const learnerCourse = v.object({
  platform_course_id: platformId,
  title: v.pipe(v.nullable(v.string()), v.description('null if the course is gone from the catalog.')),
  effective: progress,
  native,
  contributions: v.pipe(
    v.array(learnerContribution),
    v.description('Every migrated record of this course, oldest completion first; those without one come last.'),
  ),
});
/** A record of the archive (§4.12). */
export const archivedRecord = v.object({
  import_id: v.string(),
  index: v.pipe(count, v.description('Position of the record in the import.')),
  run_id: v.pipe(v.nullable(v.string()), v.description('The run of its import; null if it has none.')),
  archived_at: v.pipe(instant, v.description('When its import was accepted.')),
  external_record_id: v.nullable(v.string()),
  errors: v.pipe(v.array(recordError), v.description('Why it was rejected.')),
  record: v.optional(
    v.pipe(v.unknown(), v.description('In a list only with `include=record`: as it was sent, ready to send again.')),
  ),
});
/** A page of the transcript of one learner (§4.8); cut between the contributions of a course if they do not fit. */
export const learnerTranscript = v.object({
  user_id: v.pipe(
    v.nullable(platformId),
    v.description('null, as email and license, of someone unknown of whom records are archived.'),
  ),
  email: v.nullable(v.string()),
  license: v.nullable(v.picklist(LICENSES)),
  courses: v.pipe(
    v.array(learnerCourse),
    v.description(
      'By course id. A course whose contributions do not fit one page is on the next page again, with further contributions.',
    ),
  ),
  archived: v.pipe(
    v.array(archivedRecord),
    v.description(
      `On the first page: what is archived under the name that was asked for and the address of the account, with \`record\`, newest import first. At most ${ARCHIVED_OF_LEARNER}; the list of the archive has all.`,
    ),
  ),
  next_cursor: nextCursor,
});

export const archivedList = v.object({
  archived: v.pipe(v.array(archivedRecord), v.description('Newest import first, in the order sent.')),
  next_cursor: nextCursor,
});

const runStatus = v.picklist(RUN_STATUSES);

export const runListedResult = v.object({ import_id: v.string(), ...listedResult.entries });
/** The results of all imports of a run, page by page, each with its import (§4.9). */
export const runRecordList = v.object({
  run_id: v.string(),
  status: v.pipe(runStatus, v.description('Of the run, when the first page was read.')),
  report_expired: v.optional(note.reportExpired),
  records: v.array(runListedResult),
  next_cursor: nextCursor,
});

/** A migration as a whole: all real imports that were sent with its `run_id`. */
export const runCounts = v.object({ imports: count, ...importCounts.entries });
const userOrMachine = (what: string) => v.pipe(v.nullable(platformId), v.description(`${what}; null for a machine.`));
const instantOf = (what: string) => v.pipe(v.nullable(instant), v.description(what));
/** Of all dry runs of a plan, each for itself. `archived` is a part of `failed`. */
export const planCounts = v.object({
  imports: count,
  total: count,
  applied: count,
  updated: count,
  unchanged: count,
  failed: count,
  archived: count,
  with_warnings: count,
});
/** What a run will import, closed by a digest (§4.11). */
export const planResource = v.object({
  plan_id: v.string(),
  run_id: v.string(),
  status: v.pipe(
    v.picklist(PLAN_STATUSES),
    v.description(
      'A closed list. waiting, then approved where that was asked for; applying, then applied or cancelled. Or withdrawn by a newer plan or by `DELETE`, or expired.',
    ),
  ),
  plan_digest: v.pipe(
    v.string(),
    v.description(
      'SHA-256 in hexadecimal over one line for each dry run, in order: its `records_digest`, a blank, its `results_digest`, a line feed.',
    ),
  ),
  counts: planCounts,
  created_at: instant,
  created_by: userOrMachine('User id of the admin who made it'),
  expires_at: v.pipe(instant, v.description('30 days after the oldest of its dry runs. Later, it cannot be applied.')),
  approved_at: instantOf('When it was approved.'),
  approved_by: v.pipe(v.nullable(platformId), v.description('User id of the admin who approved it.')),
  comment: v.pipe(v.nullable(v.string()), v.description('What was said when it was approved.')),
  applied_by: userOrMachine('User id of the admin who started its application'),
  applied_at: instantOf('When its application was started.'),
  cancelled_at: instantOf('When its application was cancelled.'),
  erased: v.optional(only('A person was erased since: what the list shows no longer matches the digest.')),
});

/** The planned results of a plan, page by page, each with its dry run (§4.11). */
export const planRecordList = v.object({
  plan_id: v.string(),
  run_id: v.string(),
  status: v.pipe(v.picklist(PLAN_STATUSES), v.description('Of the plan.')),
  plan_digest: v.string(),
  report_expired: v.optional(note.reportExpired),
  records: v.array(runListedResult),
  next_cursor: nextCursor,
});

/** A run as its operations return it (§4.9, §4.11): counts are sums over its real imports. */
export const runResource = v.object({
  run_id: v.string(),
  company_id: v.string(),
  status: v.pipe(
    runStatus,
    v.description(
      'draft without a real import; processing while one of them or the application of its plan is; else the rule of one import, over all its records.',
    ),
  ),
  counts: runCounts,
  created_at: v.pipe(instant, v.description('When it was first named.')),
  ...creator('named it first'),
  completed_at: v.pipe(v.nullable(instant), v.description('When its last import became terminal.')),
  title: v.nullable(v.string()),
  shape: v.pipe(v.nullable(v.string()), v.description('By which the client knows a file of the same form again.')),
  notify: v.pipe(v.nullable(v.array(platformId)), v.description('User ids of the admins who get its notices by mail.')),
  language: v.pipe(v.nullable(v.picklist(RUN_LANGUAGES)), v.description('Of these mails.')),
  version: v.pipe(count, v.description('How often something was decided about it: its `ETag`.')),
  updated_at: instantOf('When something was decided last; null if nothing was.'),
  updated_by: userOrMachine('User id of the admin who decided it'),
  plan: v.pipe(v.nullable(planResource), v.description('Its newest plan.')),
  document: v.optional(
    v.pipe(
      v.nullable(v.record(v.string(), v.unknown())),
      v.description('What the client notes of it. Only with `include=document`.'),
    ),
  ),
});
export const runList = v.object({ runs: v.array(runResource), next_cursor: nextCursor });

/** The records that a revert takes back, took back, or would take back (§4.9). */
const revertMembers = {
  company_id: v.string(),
  run_id: v.pipe(v.nullable(v.string()), v.description('The migration; null if the import is part of none.')),
  status: v.pipe(v.picklist(REVERT_STATUSES), v.description('Of a dry run: validated. Else processing, then success.')),
  dry_run: v.boolean(),
  created_at: v.pipe(instant, v.description('When it was requested.')),
  ...creator('requested it'),
  completed_at: v.nullable(instant),
};
const revertCounts = { total: count, reverted: count, nothing_to_revert: count };
export const revertedRecord = v.object({
  index: v.pipe(count, v.description('Position of the record in the import.')),
  external_record_id: v.nullable(v.string()),
  outcome: openList(REVERT_OUTCOMES, '`reverted`, or `nothing_to_revert`: it was rejected, or wrote nothing.'),
  progress: v.pipe(
    v.nullable(resultProgress),
    v.description('Effective progress afterwards; null if nothing changes.'),
  ),
  erased: v.optional(note.erased),
});
/** The revert of one import, with the outcome of each record once it has ended (§4.9). */
export const revertResource = v.object({
  import_id: v.string(),
  ...revertMembers,
  counts: v.object(revertCounts),
  records: v.pipe(v.array(revertedRecord), v.description('In the order sent; empty while processing.')),
});
/** The revert of a run (§4.9): counts alone, because a run may have millions of records. */
export const runRevertResource = v.object({
  ...revertMembers,
  run_id: v.string(),
  counts: v.pipe(
    v.object({ imports: count, ...revertCounts }),
    v.description('Of its records; they grow while it is processing.'),
  ),
});

const digest = (what: string) => v.pipe(v.nullable(v.string()), v.description(`SHA-256 in hexadecimal of ${what}.`));

/** An import as evidence names it (§4.10). */
export const evidenceEntry = v.object({
  import_id: v.string(),
  created_at: instant,
  created_by: creator('sent it').created_by,
  created_by_client: v.optional(
    v.pipe(v.string(), v.description('Id of the client that sent it; absent if a person did.')),
  ),
  completed_at: v.nullable(instant),
  cancelled_at: v.nullable(instant),
  reverted_at: v.nullable(instant),
  counts: importCounts,
  records_digest: digest(
    'its records as `include=record` shows them, each as canonical JSON (RFC 8785) and a line feed',
  ),
  results_digest: digest('its results as the list of the run shows them without `include`, likewise'),
  erased: v.optional(only('A person was erased since: results no longer match their digest.')),
});
export const evidenceList = v.object({ imports: v.array(evidenceEntry), next_cursor: nextCursor });
/** The response of signing (§4.10): verified offline with the keys of `get-evidence-jwks`. */
export const signedEvidence = v.object({
  evidence: v.pipe(v.string(), v.description('A compact JWS (RFC 7515) of the type `migration-evidence+jwt`.')),
});
