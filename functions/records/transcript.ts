/** The history of a learner in a course as the audit read and the transcript show it (§4.8). */
import { NO_PROGRESS, effectiveProgress } from './merge.ts';
import { byAcceptance, byRecord, versionsOf, type Version } from './versions.ts';
import type { Contribution, Course, CourseHistory, LearnerTranscript } from '../shared/model.ts';

type CourseOfLearner = LearnerTranscript['courses'][number];

/**
 * A version of a record as persisted (§2.7), without the bookkeeping of the join and without its id.
 *
 * @example
 * auditEntry({ contribution: { external_record_id: 'r-1', index: 0, import_id: 'i' } }); // => { import_id: 'i' }
 */
export function auditEntry({ contribution, ...replaced }: Version) {
  const { external_record_id, index, defaulted, defaulted_classes, content_hash, replaces, ...persisted } =
    contribution;
  return { ...persisted, ...replaced };
}

/**
 * All that is stored of a learner in a course, contributions in the order of their completions; those without one come last.
 *
 * @param course as it is now; `undefined` if it is gone
 *
 * @example
 * const contribution = { external_record_id: 'r-1', completed_at: '2024-03-01T00:00:00.000Z', defaulted: [], defaulted_classes: [], classes: [] };
 * const { contributions } = courseOfLearner({ platform_course_id: 101, native: null, contributions: [contribution] }, undefined);
 * contributions[0].external_record_id; // => 'r-1'
 */
export function courseOfLearner(history: CourseHistory, course: Course | undefined): CourseOfLearner {
  const { platform_course_id, native, contributions } = history;
  return {
    platform_course_id,
    title: course?.title ?? null,
    effective: effectiveProgress(native, contributions, course) ?? NO_PROGRESS,
    native,
    contributions: [...byRecord(contributions).values()]
      .flatMap(versionsOf)
      .toSorted((a, b) => byCompletion(a.contribution, b.contribution))
      .map((each) => ({ external_record_id: each.contribution.external_record_id, ...auditEntry(each) })),
  };
}

/** Of equal dates, the import that was accepted first comes first. */
function byCompletion(a: Contribution, b: Contribution): number {
  if (a.completed_at === b.completed_at) return byAcceptance(a, b);
  if (a.completed_at === null || b.completed_at === null) return a.completed_at === null ? 1 : -1;
  return a.completed_at < b.completed_at ? -1 : 1;
}
