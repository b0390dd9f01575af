/** Compares a run with the reference rules: every result, and the sum of all accepted records. */
import { referenceVerdict, verdictOf } from '../../reference/compare.ts';
import { referenceBatch } from '../../reference/record.ts';
import type { SourceProgress } from '../../reference/effective.ts';
import type { ReferenceWorld } from '../../reference/world.ts';
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

export function expectedHeights(imports: readonly FinishedImport[], { simulation }: Finished) {
  const sources = new Map<string, SourceProgress[]>();
  for (const { item, sent } of imports) {
    for (const { progress, source } of referenceBatch(sent, REFERENCE_WORLD, item.created_at)) {
      if (progress === null || source === undefined) continue;
      const pair = `${progress.user_id}/${progress.platform_course_id}`;
      sources.set(pair, [...(sources.get(pair) ?? []), source]);
    }
  }
  const pairs = USERS.flatMap(({ user_id }) =>
    COURSES.map(({ platform_course_id }) => ({ user_id, platform_course_id })),
  );
  return Object.fromEntries(
    pairs.map(({ user_id, platform_course_id }) => {
      const key = learnerKey(user_id, platform_course_id);
      const stored = storedCourse(key, simulation.table);
      // The platform's progress, and that of earlier imports, remains.
      const before = stored.contributions.filter(({ import_id }) => import_id.startsWith('before'));
      const base = heights({ native: stored.native, contributions: before });
      const own = sources.get(`${user_id}/${platform_course_id}`) ?? [];
      return [
        `${user_id}/${platform_course_id}`,
        {
          completion_pct: Math.max(base.completion_pct, ...own.map((source) => source.completion_pct)),
          approved_course: Math.max(base.approved_course, ...own.map((source) => Number(source.certified))),
          classes: [...new Set([...base.classes, ...own.flatMap((source) => [...source.classes.keys()])])].toSorted(
            (a, b) => a - b,
          ),
        },
      ];
    }),
  );
}

/** These depend on the moment: whether organic progress, or an earlier version, was above the record. */
const UNCERTAIN = ['native_progress_kept', 'earlier_record_kept'];

/** Where only organic progress changes meanwhile, every result must be that of the rules. */
export function checkAgainstReference({ item, results, sent }: FinishedImport, history: History): void {
  for (const [at, expected] of referenceBatch(sent, REFERENCE_WORLD, item.created_at).entries()) {
    const result = results[at];
    if (result === undefined || isUndecided(result)) continue;
    const [is, due] = [verdictOf(result, UNCERTAIN), referenceVerdict(expected, UNCERTAIN)];
    if (is !== due) history.violate(`record ${item.import_id}#${at}: ${is}, ${due} by the rules`);
  }
}
