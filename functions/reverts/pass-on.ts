/** What records rely on that were `unchanged` because of an import that is reverted (§4.9). */
import { byContent, contentId } from '../records/stored.ts';
import type { Contribution, CourseHistory, RecordWrite } from '../shared/model.ts';

interface Reverted {
  /** The import whose contributions are passed on. */
  readonly import_id: string;
  /** The imports that are reverted together with it, itself included. */
  readonly reverted: ReadonlySet<string>;
  /** Histories by `learnerCourseId`, still with the contributions of the reverted imports. */
  readonly histories: ReadonlyMap<string, CourseHistory>;
}

interface PassedOn {
  /** Records that get contributions of their own: of those with equal content the first, if nothing that is left has that content. */
  readonly own: RecordWrite[];
  /** The other records, each with the import that it relies on from now on. */
  readonly others: { readonly write: RecordWrite; readonly holder: string }[];
}

/**
 * Decides about `unchanged` records, given in the order of acceptance. Whether a record relies on the import follows from what is
 * stored: it does if the import has a contribution with its content. A record that has its own contribution is left out.
 */
export function passOn(records: readonly RecordWrite[], { import_id, reverted, histories }: Reverted): PassedOn {
  const stored = byContent(histories.values());
  const passed: PassedOn = { own: [], others: [] };
  for (const write of records) {
    const { contribution } = write;
    const alike: readonly Contribution[] = stored.get(contentId(write)) ?? [];
    const relies = alike.some((each) => each.import_id === import_id);
    const hasOwn = alike.some((each) => each.import_id === contribution.import_id);
    if (!relies || hasOwn) continue;
    const holder = alike.find((each) => !reverted.has(each.import_id))?.import_id;
    if (holder !== undefined) {
      passed.others.push({ write, holder });
    } else {
      passed.own.push(write);
      stored.set(contentId(write), [...alike, contribution]);
    }
  }
  return passed;
}
