import type { Database, Item } from '../dynamodb/client.ts';
import { allOf, anyOf, isAbsent, isAtMost, isBelow, type Condition } from '../dynamodb/expressions.ts';
import { updateItem, isItemTooLarge, batchGet } from '../dynamodb/items.ts';
import { writeItems, type ItemWrite } from '../dynamodb/statements.ts';
import { learnerCourseKey, type Key } from '../dynamodb/table.ts';
import { ADDED, OVERFLOW, foldsBefore, hasAdded, naming, type Step } from './fold-history.ts';
import { SEALED } from './folded-item.ts';
import { contributionBytes, contributionName, packContribution, type PackedContribution } from './contribution-item.ts';
import { learnerCourseId } from '../records/identifiers.ts';
import { inParallel } from '../runtime/batching.ts';
import type { RecordWrite } from '../shared/model.ts';

/**
 * An item of this size takes no more by plan: then a history that is sent every night costs least. In the hundredth night these
 * are 4.1 write units, reads counted as a fifth, without a fold; 8.1 with items of 1 KB, and 5.1 with 8 KB.
 */
const BEST_BYTES = 4 * 1024;
/**
 * Bytes that one write carries, and that updates add to an item: with the INSERT 200 KB, half of what an item may have. Every part
 * fits an empty item: a record has 64 KiB at most.
 */
const MOST_BYTES = 100 * 1024;
const PARALLEL_UPDATES = 25;

interface Part {
  readonly set: Readonly<Record<string, PackedContribution>>;
  readonly bytes: number;
}

interface LearnerCourseWrite {
  readonly keyOf: (item: number) => Key;
  /** The item that takes the first part: the last one that the first one names, or a new one. */
  readonly target: number;
  /** Makes the first item name the target; absent where it does. */
  readonly name?: Step;
  /** Writes the first part. An item that has changed since the plan was made refuses it. */
  readonly begin: Step;
  readonly parts: readonly Part[];
}

/**
 * The first part of each is written in batches, by what the plan found: an INSERT that the first item names before, or an UPDATE.
 * What these refuse, and further parts, goes to the first item with space. Only absent attributes are set: repeats change nothing.
 */
export async function writeContributions(
  database: Database,
  company_id: string,
  writes: readonly RecordWrite[],
): Promise<void> {
  const all = [...Map.groupBy(writes, learnerCourseId).values()].map((group) => learnerCourseWrite(company_id, group));
  const folds = await foldsBefore(
    database,
    all.filter(({ name }) => name !== undefined),
  );
  const unnamed = await refused(database, all, (write) => folds.get(write) ?? write.name);
  const named = all.filter((write) => !unnamed.has(write));
  const open = await refused(database, named, ({ begin }) => begin);
  await inParallel(all, PARALLEL_UPDATES, (write) =>
    addParts(database, write, { isNamed: !unnamed.has(write), isBegun: !unnamed.has(write) && !open.has(write) }),
  );
}

function learnerCourseWrite(company_id: string, group: readonly RecordWrite[]): LearnerCourseWrite {
  const [learnerCourse] = group as [RecordWrite];
  const { items, filled = 0, added } = learnerCourse;
  const keyOf = (item: number) => learnerCourseKey(company_id, learnerCourse, item);
  const parts = partsOf(group);
  const [first] = parts as [Part];
  const bytes = (added ?? 0) + first.bytes;
  const isFull = bytes > MOST_BYTES || (filled > 0 && filled + first.bytes > BEST_BYTES);
  const target = isFull ? items : Math.max(items - 1, 0);
  const key = keyOf(target);
  const begin = (write: ItemWrite): Step => ({ key, write, isMade: has(first) });
  if (target === items) {
    const name = items > 0 && { name: naming(keyOf(0), items) };
    return { keyOf, target, ...name, begin: begin({ insert: { ...key, ...first.set } }), parts };
  }
  const set = { ...first.set, [ADDED]: bytes };
  return {
    keyOf,
    target,
    begin: begin({ update: key, set, when: allOf(hasNot(first), isAbsent(SEALED), hasAdded(added)) }),
    parts,
  };
}

/** The same parts for the same writes, so that a repeat finds each of them in its item. */
function partsOf(group: readonly RecordWrite[]): Part[] {
  const parts: Part[] = [];
  for (const { contribution } of group) {
    const [name, packed] = [contributionName(contribution), packContribution(contribution)];
    const bytes = contributionBytes(name, packed);
    const last = parts.at(-1);
    if (last === undefined || last.bytes + bytes > MOST_BYTES) parts.push({ set: { [name]: packed }, bytes });
    else parts[parts.length - 1] = { set: { ...last.set, [name]: packed }, bytes: last.bytes + bytes };
  }
  return parts;
}

const has =
  ({ set }: Part) =>
  (item: Item): boolean =>
    Object.keys(set).every((name) => name in item);

/** All attributes of a part are written together. What was passed on to the import before is written once more, as it is. */
const hasNot = ({ set }: Part): Condition => isAbsent(Object.keys(set)[0] ?? '');

/** Sends the statements of these writes. Returns the writes whose statement is not made, neither now nor before. */
async function refused(
  database: Database,
  writes: readonly LearnerCourseWrite[],
  stepOf: (write: LearnerCourseWrite) => Step | undefined,
): Promise<ReadonlySet<LearnerCourseWrite>> {
  const steps = writes.flatMap((of) => {
    const step = stepOf(of);
    return step === undefined ? [] : [{ of, ...step }];
  });
  const statements = steps.map(({ write }) => write);
  const outcomes = await writeItems(database, statements);
  const open = steps.filter((_, position) => outcomes[position] === 'refused');
  const keys = open.map(({ key }) => key);
  const stored = await batchGet(database, keys, true);
  return new Set(open.flatMap(({ of, isMade }, position) => (isMade(stored[position] ?? {}) ? [] : [of])));
}

/**
 * Puts each part into the first item that has space. Space is never given back, so a repeat finds its parts behind full items. An
 * overflow item is named before it is written. `done`: the first item names the target; the first part is stored.
 */
async function addParts(
  database: Database,
  { keyOf, target, parts }: LearnerCourseWrite,
  { isNamed, isBegun }: { readonly isNamed: boolean; readonly isBegun: boolean },
): Promise<void> {
  let item = target;
  let named = isNamed ? target : target - 1;
  for (const part of isBegun ? parts.slice(1) : parts) {
    for (; ; item += 1) {
      if (item > named) named = await nameOverflow(database, keyOf(0), item);
      if (await add(database, keyOf(item), part)) break;
    }
  }
}

/** Returns whether the item has the part now: false if it is full or sealed. */
async function add(database: Database, key: Key, part: Part): Promise<boolean> {
  const hasSpace = anyOf(isAbsent(ADDED), isAtMost(ADDED, MOST_BYTES - part.bytes));
  const when = allOf(hasNot(part), isAbsent(SEALED), hasSpace);
  const change = { set: part.set, add: { [ADDED]: part.bytes }, when };
  try {
    if (await updateItem(database, key, change)) return true;
  } catch (error) {
    if (!(error instanceof Error && isItemTooLarge(error.message))) throw error;
  }
  const [stored = {}] = await batchGet(database, [key], true);
  return has(part)(stored);
}

/** Makes the first item name this overflow item and those before it. Returns how many it names. */
async function nameOverflow(database: Database, first: Key, item: number): Promise<number> {
  const notYetNamed = anyOf(isAbsent(OVERFLOW), isBelow(OVERFLOW, item));
  if (await updateItem(database, first, { set: { [OVERFLOW]: item }, when: notYetNamed })) return item;
  const [stored] = await batchGet(database, [first], true);
  return Number(stored?.[OVERFLOW]);
}
