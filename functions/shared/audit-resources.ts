/** What is stored of records and learners, as the audit read and the transcript return it (§2.7, §4.8); see resources.ts. */
import * as v from 'valibot';
import { ASSESSMENT_STATUSES, LICENSES } from './codes.ts';
import { certification, instant, nextCursor, percentage, platformId, progressDates } from './resources.ts';

/** The audit read of one record (§2.7). */
export const classView = v.object({ platform_class_id: platformId, viewed_at: v.nullable(instant) });
const classViews = v.array(classView);
export const progress = v.pipe(
  v.object({ completion_pct: percentage, ...certification, ...progressDates, classes: classViews }),
  v.description('Of one user in one course: organic progress, or its join with every contribution.'),
);

export const storedExternalRef = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.description('As it was sent.'),
);

export const contribution = v.object({
  source: v.literal('external_migration'),
  import_id: v.string(),
  imported_at: instant,
  external_ref: v.nullable(storedExternalRef),
  completion_pct: percentage,
  ...certification,
  score_pct: v.nullable(percentage),
  assessment_status: v.nullable(v.picklist(ASSESSMENT_STATUSES)),
  ...progressDates,
  classes: classViews,
});

const replacedBy = {
  replaced_by: v.optional(
    v.pipe(v.string(), v.description('The import that replaced it: it counts no longer. Absent where it counts.')),
  ),
};
export const recordVersion = v.object({ ...contribution.entries, ...replacedBy });

export const recordAudit = v.object({
  external_record_id: v.string(),
  user_id: platformId,
  platform_course_id: platformId,
  contributions: v.pipe(v.array(recordVersion), v.description('Of this record, oldest first, as persisted.')),
  native: v.pipe(v.nullable(progress), v.description('Organic progress; imports never change it.')),
  effective: progress,
});

/** The transcript of one learner (§4.8). */
export const learnerContribution = v.object({ external_record_id: v.string(), ...recordVersion.entries });
export const learnerCourse = v.object({
  platform_course_id: platformId,
  title: v.pipe(v.nullable(v.string()), v.description('null if the course is gone from the catalog.')),
  effective: progress,
  native: v.pipe(v.nullable(progress), v.description('Organic progress; imports never change it.')),
  contributions: v.pipe(
    v.array(learnerContribution),
    v.description('Every migrated record of this course, oldest completion first; those without one come last.'),
  ),
});
export const learnerTranscript = v.object({
  user_id: platformId,
  email: v.string(),
  license: v.picklist(LICENSES),
  courses: v.pipe(
    v.array(learnerCourse),
    v.description(
      'By course id. A course whose contributions do not fit one page is on the next page again, with further contributions.',
    ),
  ),
  next_cursor: nextCursor,
});
