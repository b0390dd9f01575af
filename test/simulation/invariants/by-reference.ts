/** Compares a run with the reference rules: every result, and the sum of all accepted records. */
import { inspect, isDeepStrictEqual } from 'node:util';
import { referenceVerdict, verdictOf } from '../../reference/compare.ts';
import { referenceBatch } from '../../reference/record.ts';
import { pairOf, type ReferenceWorld } from '../../reference/world.ts';
import { heights, storedCourse, type History } from '../history.ts';
import { COURSE_MAPPINGS, COURSES, learnerKey, USER_MAPPINGS, USERS } from '../world.ts';
import type { Finished, FinishedImport } from './finished.ts';
import { isUndecided } from './results.ts';

export const REFERENCE_WORLD: ReferenceWorld = {
  users: USERS.map(({ user_id, email, license }) => ({ user_id, email, active: license === 'active' })),
  courses: COURSES.map(({ platform_course_id, has_exam, classes }) => ({
    platform_course_id,
    has_exam,
    classes: classes.map(({ platform_class_id }) => platform_class_id),
  })),
  userMappings: new Map(USER_MAPPINGS.map(({ external_user_id, user_id }) => [external_user_id, user_id])),
  courseMappings: new Map(
    COURSE_MAPPINGS.map(({ external_course_id, platform_course_id }) => [external_course_id, platform_course_id]),
  ),
  pairs: new Map(),
  identities: new Map(),
};

/** Every learner course holds what the platform, earlier imports and the records of these imports say. */
export function checkSums(imports: readonly FinishedImport[], { simulation, stack }: Finished): void {
  const all = imports.flatMap(({ item, sent }) => referenceBatch(sent, REFERENCE_WORLD, item.created_at));
  const byPair = Map.groupBy(all, ({ progress }) => progress && pairOf(progress.user_id, progress.platform_course_id));
  for (const { user_id } of USERS) {
    for (const { platform_course_id } of COURSES) {
      const stored = storedCourse(learnerKey(user_id, platform_course_id), simulation.table);
      const earlier = stored.contributions.filter(({ import_id }) => import_id.startsWith('before'));
      const base = heights({ native: stored.native, contributions: earlier });
      const pair = pairOf(user_id, platform_course_id);
      const own = (byPair.get(pair) ?? []).flatMap(({ source }) => source ?? []);
      const due = {
        completion_pct: Math.max(base.completion_pct, ...own.map((source) => source.completion_pct)),
        approved_course: Math.max(base.approved_course, ...own.map((source) => Number(source.certified))),
        classes: new Set([...base.classes, ...own.flatMap((source) => [...source.classes.keys()])]),
      };
      const is = heights(stored);
      if (!isDeepStrictEqual(is, due))
        stack.history.violate(`${pair} has ${inspect(is)}, the records say ${inspect(due)}`);
    }
  }
}

/** These depend on the moment: whether organic progress, or an earlier version, was above the record. */
const UNCERTAIN = ['native_progress_kept', 'earlier_record_kept'];
const ASSUMED = 'date_assumed';

/** Where only organic progress changes meanwhile, every result must be that of the rules. */
export function checkAgainstReference({ item, results, sent }: FinishedImport, history: History): void {
  for (const [at, expected] of referenceBatch(sent, REFERENCE_WORLD, item.created_at).entries()) {
    const result = results[at];
    if (result === undefined || isUndecided(result)) continue;
    // Classes that are stored already may leave a date to be assumed, where the record itself leaves none.
    const assumes = referenceVerdict(expected, UNCERTAIN).includes(ASSUMED);
    const uncertain = assumes ? UNCERTAIN : [...UNCERTAIN, ASSUMED];
    const [is, due] = [verdictOf(result, uncertain), referenceVerdict(expected, uncertain)];
    if (is !== due) history.violate(`record ${item.import_id}#${at}: ${is}, ${due} by the rules`);
  }
}
