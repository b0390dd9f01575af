import { batchGet } from '../dynamodb/batches.ts';
import type { Database } from '../dynamodb/client.ts';
import { isItemTooLarge } from '../dynamodb/errors.ts';
import { allOf, anyOf, isAbsent, isAtMost, isBelow } from '../dynamodb/expressions.ts';
import { updateItem } from '../dynamodb/items.ts';
import { insertItems } from '../dynamodb/statements.ts';
import type { Key } from '../dynamodb/table.ts';
import { learnerCourseKey } from '../dynamodb/table.ts';
import { contributionName, packContribution } from './contribution-item.ts';
import { learnerCourseId } from '../records/identifiers.ts';
import { inParallel } from '../runtime/batching.ts';
import type { RecordWrite } from '../shared/model.ts';

/** In the first item of a learner course: the number of overflow items. */
export const OVERFLOW = 'overflow';
/** In each item: the bytes of contributions that updates have added to it. Contributions that the INSERT wrote are not counted. */
const ADDED = 'added';

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
interface LearnerCourseWrite {
  readonly keyOf: (item: number) => Key;
  /** How many items there were when the plan was made. */
  readonly items: number;
  readonly parts: readonly Part[];
}

/**
 * Adds contributions to learner courses, however many there are already. An item believed to be new is inserted, in batches
 * of statements. Everything else is an update that fits the last item or goes to an overflow item. Only the contributions'
 * own attributes are set, on the condition that they are not there yet, so writers never undo each other and a repeat
 * changes nothing.
 */
export async function writeContributions(
  database: Database,
  company_id: string,
  writes: readonly RecordWrite[],
): Promise<void> {
  const all = [...Map.groupBy(writes, learnerCourseId).values()].map((group) => learnerCourseWrite(company_id, group));
  const fresh = all.filter(isNew);
  const outcomes = await insertItems(
    database,
    fresh.map(({ keyOf, parts: [first] }) => ({ ...keyOf(0), ...first?.set })),
  );
  const left = fresh.map((write, position) =>
    outcomes[position] === 'done' ? { ...write, parts: write.parts.slice(1) } : write,
  );
  const known = all.filter((write) => !isNew(write));
  await inParallel([...known, ...left], PARALLEL_UPDATES, (write) => addParts(database, write));
}

const isNew = ({ items }: LearnerCourseWrite): boolean => items === 0;

function learnerCourseWrite(company_id: string, group: readonly RecordWrite[]): LearnerCourseWrite {
  const [learnerCourse] = group as [RecordWrite];
  const keyOf = (item: number) => learnerCourseKey(company_id, learnerCourse, item);
  return { keyOf, items: learnerCourse.items, parts: partsOf(group) };
}

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
  let item = Math.max(items - 1, 0);
  let named = item;
  for (const part of parts) {
    while (!(await add(database, keyOf(item), part))) {
      item += 1;
      if (item > named) named = await nameOverflow(database, keyOf(0), item);
    }
  }
}

/** Returns whether the item has the part now: false if it is full. */
async function add(database: Database, key: Key, { set, bytes }: Part): Promise<boolean> {
  const names = Object.keys(set);
  const [first = ''] = names;
  const notYetThere = isAbsent(first);
  const hasSpace = anyOf(isAbsent(ADDED), isAtMost(ADDED, MOST_BYTES - bytes));
  try {
    if (await updateItem(database, key, { set, add: { [ADDED]: bytes }, when: allOf(notYetThere, hasSpace) }))
      return true;
  } catch (error) {
    if (!(error instanceof Error && isItemTooLarge(error.message))) throw error;
  }
  const [stored = {}] = await batchGet(database, [key], true);
  return names.every((name) => name in stored);
}

/** Makes the first item name this overflow item and those before it. Returns how many it names. */
async function nameOverflow(database: Database, first: Key, item: number): Promise<number> {
  const notYetNamed = anyOf(isAbsent(OVERFLOW), isBelow(OVERFLOW, item));
  if (await updateItem(database, first, { set: { [OVERFLOW]: item }, when: notYetNamed })) return item;
  const [stored] = await batchGet(database, [first], true);
  return Number(stored?.[OVERFLOW]);
}
