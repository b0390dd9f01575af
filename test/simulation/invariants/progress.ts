/** What succeeded is in the progress at the end. */
import type { ResultProgress } from '../../../functions/shared/model.ts';
import { heights, learnerCourse, lossOf } from '../history.ts';
import { learnerKey, NO_PROGRESS } from '../world.ts';
import type { Finished, FinishedImport } from './finished.ts';

export function checkProgress({ item, results }: FinishedImport, run: Finished): void {
  for (const { status, index, progress } of results) {
    if (status === 'success' && progress !== null) checkRecord(`${item.import_id}#${index}`, progress, run);
  }
}

function checkRecord(name: string, told: ResultProgress, { stack, simulation }: Finished): void {
  const violate = (what: string) => stack.history.violate(`record ${name}: ${what}`);
  const key = learnerKey(told.user_id, told.platform_course_id);
  const stored = learnerCourse(key, simulation.table.read(key));
  const kept = heights(stored);
  if (kept.completion_pct < told.completion_pct)
    violate(`${told.completion_pct} % told, ${kept.completion_pct} % kept`);
  if (kept.approved_course < told.approved_course) violate('told of a certification that is not kept');
  if (kept.classes.size < told.classes_viewed) violate('told of classes that are not kept');
  const own = stack.history.contributions.get(name)?.what;
  const native = stored.native ?? NO_PROGRESS;
  const loss = own && lossOf({ ...stored, native, contributions: [own] }, { ...stored, native });
  if (loss !== undefined) violate(`its contribution is lost (${loss})`);
}
