/** What records rely on that were `unchanged` because of an import that is reverted (§4.9). */
import { learnerCourseId } from '../records/identifiers.ts';
import { byAcceptance, countingOf } from '../records/versions.ts';
import type { Contribution, CourseHistory, RecordWrite } from '../shared/model.ts';

interface Reverted {
  readonly import_id: string;
  readonly reverted: ReadonlySet<string>;
  /** Histories by `learnerCourseId`, still with the contributions of the reverted imports. */
  readonly histories: ReadonlyMap<string, Pick<CourseHistory, 'contributions'>>;
}

interface PassedOn {
  /** Records that get contributions of their own: nothing that is left, and was accepted before them, says the same. */
  readonly own: RecordWrite[];
  /** The other records, each with the import that it relies on from now on. */
  readonly others: { readonly write: RecordWrite; readonly holder: string }[];
}

/** Decides about `unchanged` records in the order of acceptance: one relies on the import that has its content. */
export function passOn(records: readonly RecordWrite[], { import_id, reverted, histories }: Reverted): PassedOn {
  const passed: PassedOn = { own: [], others: [] };
  const given = new Map<string, Contribution[]>();
  for (const write of records) {
    const { contribution } = write;
    const { external_record_id, content_hash } = contribution;
    const recordKey = JSON.stringify([learnerCourseId(write), external_record_id]);
    const stored = histories.get(learnerCourseId(write))?.contributions ?? [];
    const versions = stored.filter((each) => each.external_record_id === external_record_id);
    const isSame = (each: Contribution) => each.content_hash === content_hash;
    const relies = versions.some((each) => each.import_id === import_id && isSame(each));
    if (!relies || versions.some((each) => each.import_id === contribution.import_id)) continue;
    const givenToIt = given.get(recordKey) ?? [];
    const left = [...versions.filter((each) => !reverted.has(each.import_id)), ...givenToIt];
    const holder = countingOf(left.filter((each) => byAcceptance(each, contribution) < 0)).find(isSame)?.import_id;
    if (holder !== undefined) {
      passed.others.push({ write, holder });
    } else {
      passed.own.push(write);
      given.set(recordKey, [...givenToIt, contribution]);
    }
  }
  return passed;
}
