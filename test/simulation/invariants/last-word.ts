/** Where imports replace: the remaining imports make the progress, in the order of acceptance (rule 12). */
import { COURSES, learnerKey, USERS } from '../world.ts';
import { storedCourse } from '../history.ts';
import { sourceOf } from '../../reference/effective.ts';
import { afterImports, expectedText, storedText } from '../../reference/shown.ts';
import { pairOf } from '../../reference/world.ts';
import { REFERENCE_WORLD } from './by-reference.ts';
import type { Finished, FinishedImport } from './finished.ts';
import { isOurFault } from './results.ts';

export function checkLastWord({ simulation, stack, workload }: Finished, imports: readonly FinishedImport[]): void {
  const { history, isMixed } = stack;
  // An abandoned record may have been written.
  const isUncertain = imports.some(({ results }) => results.some(isOurFault));
  // Beside plans, mappings and courses change.
  const isSpecified = workload.history === undefined && workload.plans === undefined && simulation.bounded;
  if (!history.isReplacing || isMixed || isUncertain || !isSpecified) return;
  const left = imports.filter(({ item }) => item.reverted_at === null && !item.dry_run);
  const accepted = left.map(({ item, sent, results }) => ({
    ...item,
    // Leaves out cancelled records too.
    records: sent.filter((_, at) => results[at]?.status === 'success'),
  }));
  const stored = USERS.flatMap(({ user_id }) =>
    COURSES.map((course) => ({
      course,
      pair: pairOf(user_id, course.platform_course_id),
      is: storedCourse(learnerKey(user_id, course.platform_course_id), simulation.table),
    })),
  );
  const before = new Map(
    stored.map(({ pair, is: { native } }) => [pair, { native: native && sourceOf(native), records: [] }]),
  );
  const due = afterImports({ ...REFERENCE_WORLD, pairs: before }, accepted);
  for (const { course, pair, is } of stored) {
    const known = { ...course, classes: course.classes.map(({ platform_class_id }) => platform_class_id) };
    const [shown, expected] = [
      storedText(is, course),
      expectedText(due.get(pair) ?? { native: null, records: [] }, known),
    ];
    if (shown !== expected) history.violate(`${pair} shows ${shown}, ${expected} by the order of acceptance`);
  }
}
