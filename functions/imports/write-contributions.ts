import { batchGet } from '../dynamodb/batches.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { isItemTooLarge } from '../dynamodb/errors.ts';
import { allOf, anyOf, equals, isAbsent, isAtMost, isBelow } from '../dynamodb/expressions.ts';
import type { Condition } from '../dynamodb/expressions.ts';
import { updateItem } from '../dynamodb/items.ts';
import { writeItems } from '../dynamodb/statements.ts';
import type { ItemWrite } from '../dynamodb/statements.ts';
import type { Key } from '../dynamodb/table.ts';
import { learnerCourseKey } from '../dynamodb/table.ts';
import { contributionName, packContribution } from './contribution-item.ts';
import { learnerCourseId } from '../records/identifiers.ts';
import { inParallel } from '../runtime/batching.ts';
import type { RecordWrite, StoredSpace } from '../shared/model.ts';

/** In the first item of a learner course: the number of overflow items. */
export const OVERFLOW = 'overflow';
/** In each item: the bytes of contributions that updates have added to it. Contributions that the INSERT wrote are not counted. */
export const ADDED = 'added';

/**
 * Bytes of contributions that one write carries, and that updates add to one item: at most 200 KB with the INSERT that created
 * it. That is half of what an item may have, and leaves the other half to the organic progress. A contribution is hardly larger
 * than its record, which has 64 KiB at most, so every part fits an empty item.
 */
const MOST_BYTES = 100 * 1024;
const PARALLEL_UPDATES = 25;

/** Contributions that are written together: attributes of one item. */
interface Part {
  readonly set: Readonly<Record<string, string>>;
  readonly bytes: number;
}

/** The contributions that one call writes about a learner in a course. */
interface LearnerCourseWrite extends StoredSpace {
  readonly keyOf: (item: number) => Key;
  readonly parts: readonly Part[];
}

/**
 * Adds contributions to learner courses, however many there are already. The first part of each is written in batches of statements, by
 * what the plan found: an INSERT of a new item, or an UPDATE of the last one if it has not changed since. What these refuse, and further
 * parts, are updates that fit the last item or go to an overflow item. Only the contributions' own attributes are set, on the condition
 * that they are not there yet, so writers never undo each other and a repeat changes nothing.
 */
export async function writeContributions(
  database: Database,
  company_id: string,
  writes: readonly RecordWrite[],
): Promise<void> {
  const all = [...Map.groupBy(writes, learnerCourseId).values()].map((group) => learnerCourseWrite(company_id, group));
  const begun = await writeFirstParts(database, all);
  await inParallel(all, PARALLEL_UPDATES, (write) =>
    addParts(database, begun.has(write) ? { ...write, parts: write.parts.slice(1) } : write),
  );
}

function learnerCourseWrite(company_id: string, group: readonly RecordWrite[]): LearnerCourseWrite {
  const [learnerCourse] = group as [RecordWrite];
  const keyOf = (item: number) => learnerCourseKey(company_id, learnerCourse, item);
  return { keyOf, items: learnerCourse.items, added: learnerCourse.added, parts: partsOf(group) };
}

/** Returns the learner courses whose first part is stored now. */
async function writeFirstParts(
  database: Database,
  all: readonly LearnerCourseWrite[],
): Promise<ReadonlySet<LearnerCourseWrite>> {
  const writes = all.map(firstWrite);
  const tried = all.filter((_, position) => writes[position] !== undefined);
  const outcomes = await writeItems(
    database,
    writes.filter((write) => write !== undefined),
  );
  const refused = tried.filter((_, position) => outcomes[position] === 'refused');
  const stored = await batchGet(
    database,
    refused.map(({ keyOf, items }) => keyOf(lastItem(items))),
    true,
  );
  const open = new Set(refused.filter(({ parts }, position) => !parts.slice(0, 1).every(isIn(stored[position]))));
  return new Set(tried.filter((write) => !open.has(write)));
}

const lastItem = (items: number): number => Math.max(items - 1, 0);

const isIn =
  (item: Item = {}) =>
  ({ set }: Part): boolean =>
    Object.keys(set).every((name) => name in item);

/** The statement for the first part; `undefined` if the last item has no space for it. An item that has changed since refuses it. */
function firstWrite({ keyOf, items, added, parts: [first] }: LearnerCourseWrite): ItemWrite | undefined {
  if (first === undefined) return undefined;
  const key = keyOf(lastItem(items));
  if (items === 0) return { insert: { ...key, ...first.set } };
  const bytes = (added ?? 0) + first.bytes;
  if (bytes > MOST_BYTES) return undefined;
  const unchanged = added === undefined ? isAbsent(ADDED) : equals(ADDED, added);
  return { update: key, set: { ...first.set, [ADDED]: bytes }, when: allOf(isNotIn(first), unchanged) };
}

/** All attributes of a part are written together. */
const isNotIn = ({ set }: Part): Condition => isAbsent(Object.keys(set)[0] ?? '');

/** The same parts for the same writes, so that a repeat finds each of them in its item. */
function partsOf(group: readonly RecordWrite[]): Part[] {
  const parts: Part[] = [];
  for (const { contribution } of group) {
    const [name, text] = [contributionName(contribution), packContribution(contribution)];
    const bytes = Buffer.byteLength(name) + Buffer.byteLength(text);
    const last = parts.at(-1);
    if (last === undefined || last.bytes + bytes > MOST_BYTES) parts.push({ set: { [name]: text }, bytes });
    else parts[parts.length - 1] = { set: { ...last.set, [name]: text }, bytes: last.bytes + bytes };
  }
  return parts;
}

/**
 * Puts each part into the first item that has space, from the one on that was the last when the plan was made. Space is
 * never given back, so a repeat meets the same full items and finds its parts behind them. An overflow item is named
 * before it is written, so that every stored part can be found.
 */
async function addParts(database: Database, { keyOf, items, parts }: LearnerCourseWrite): Promise<void> {
  let item = lastItem(items);
  let named = item;
  for (const part of parts) {
    while (!(await add(database, keyOf(item), part))) {
      item += 1;
      if (item > named) named = await nameOverflow(database, keyOf(0), item);
    }
  }
}

/** Returns whether the item has the part now: false if it is full. */
async function add(database: Database, key: Key, part: Part): Promise<boolean> {
  const hasSpace = anyOf(isAbsent(ADDED), isAtMost(ADDED, MOST_BYTES - part.bytes));
  const change = { set: part.set, add: { [ADDED]: part.bytes }, when: allOf(isNotIn(part), hasSpace) };
  try {
    if (await updateItem(database, key, change)) return true;
  } catch (error) {
    if (!(error instanceof Error && isItemTooLarge(error.message))) throw error;
  }
  const [stored] = await batchGet(database, [key], true);
  return isIn(stored)(part);
}

/** Makes the first item name this overflow item and those before it. Returns how many it names. */
async function nameOverflow(database: Database, first: Key, item: number): Promise<number> {
  const notYetNamed = anyOf(isAbsent(OVERFLOW), isBelow(OVERFLOW, item));
  if (await updateItem(database, first, { set: { [OVERFLOW]: item }, when: notYetNamed })) return item;
  const [stored] = await batchGet(database, [first], true);
  return Number(stored?.[OVERFLOW]);
}
