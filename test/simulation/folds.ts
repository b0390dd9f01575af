/** A fold stands for its contributions at every moment, so that it does not matter when planning reads it. */
import { learnerCourseKey } from '../../functions/dynamodb/table.ts';
import { contributionsIn } from '../../functions/imports/contribution-item.ts';
import { unpackFold } from '../../functions/imports/folded-item.ts';
import { foldOf } from '../../functions/records/folded.ts';
import type { Fold } from '../../functions/shared/model.ts';
import type { Key, MemoryTable } from '../kit/memory-table/memory-table.ts';
import { COMPANY } from './world.ts';

const textOf = (fold: Fold | undefined): string => {
  const idOf = ({ contribution }: Fold['records'][number]) => contribution.external_record_id;
  const records = fold?.records.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  return JSON.stringify({ ...fold, records });
};

/** Whether the fold of a learner course, by the key of one of its items, says what is in the items that it covers. */
export function foldIsRight({ pk, sk }: Key, table: MemoryTable): boolean {
  const pair = { user_id: Number(pk.split('#learner#')[1]), platform_course_id: Number(sk.split('#')[1]) };
  const itemOf = (item: number) => table.read(learnerCourseKey(COMPANY, pair, item));
  const fold = unpackFold(itemOf(0));
  if (fold === undefined) return true;
  const covered = Array.from({ length: fold.items }, (_, item) => itemOf(item));
  const whole = foldOf(undefined, contributionsIn(Object.assign({}, ...covered)), fold.items);
  return textOf(whole) === textOf(fold);
}
