import type { Contribution, LearnerCourse, Pair, Progress } from '../domain/model.ts';
import { isContributionName, unpackContribution } from './contribution-item.ts';
import type { Item } from './database.ts';
import { itemBytes } from './item-size.ts';
import { unpackJson } from './packed-json.ts';

/** Name of the organic lane, which an import never writes. */
export const NATIVE = 'native';

/** Reads a learner-course item; its contributions oldest first. */
export function toLearnerCourse({ user_id, platform_course_id }: Pair, item: Item): LearnerCourse {
  const contributions = Object.entries(item)
    .filter(([name]) => isContributionName(name))
    .map(([name, text]) => unpackContribution(name, String(text)))
    .toSorted(oldestFirst);
  const native = item[NATIVE] === undefined ? null : (unpackJson(item[NATIVE]) as Progress);
  return { user_id, platform_course_id, native, contributions, bytes: itemBytes(item) };
}

function oldestFirst(a: Contribution, b: Contribution): number {
  return compare(a.imported_at, b.imported_at) || compare(a.import_id, b.import_id) || a.index - b.index;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
