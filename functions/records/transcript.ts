/** The history of a learner in a course as the audit read and the transcript show it (§4.8). */
import { NO_PROGRESS, effectiveProgress } from './merge.ts';
import type { Contribution, Course, CourseHistory, LearnerTranscript } from '../shared/model.ts';

type CourseOfLearner = LearnerTranscript['courses'][number];

/**
 * A contribution as persisted (§2.7), without the bookkeeping of the join and without its id.
 *
 * @example
 * auditEntry({ external_record_id: 'r-1', index: 0, import_id: 'i' }); // => { import_id: 'i' }
 */
export function auditEntry(contribution: Contribution) {
  const { external_record_id, index, defaulted, defaulted_classes, content_hash, ...persisted } = contribution;
  return persisted;
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
    contributions: contributions
      .toSorted(byCompletion)
      .map((each) => ({ external_record_id: each.external_record_id, ...auditEntry(each) })),
  };
}

/** Contributions with equal dates keep the order of the history: oldest import first. */
function byCompletion(a: Contribution, b: Contribution): number {
  if (a.completed_at === b.completed_at) return 0;
  if (a.completed_at === null || b.completed_at === null) return a.completed_at === null ? 1 : -1;
  return a.completed_at < b.completed_at ? -1 : 1;
}
