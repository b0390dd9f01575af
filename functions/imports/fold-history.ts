/**
 * Before a learner course gets another overflow item, the items before it are sealed, and the first one keeps what their
 * contributions add up to. So planning reads the first and the newest items, however long the history is.
 */
import type { Database, Item } from '../dynamodb/client.ts';
import { allOf, equals, isAbsent, type Condition } from '../dynamodb/expressions.ts';
import { batchGet } from '../dynamodb/items.ts';
import { writeItems, type ItemWrite } from '../dynamodb/statements.ts';
import type { Key } from '../dynamodb/table.ts';
import { foldOf } from '../records/folded.ts';
import { slicesOf } from '../runtime/batching.ts';
import type { Fold } from '../shared/model.ts';
import { contributionsIn } from './contribution-item.ts';
import { FOLDED, ITEMS_AT_ONCE, SEALED, itemsBetween, packFold, unpackFold } from './folded-item.ts';

/** In the first item of a learner course: the number of overflow items. */
export const OVERFLOW = 'overflow';
/** In each item: the bytes of contributions that updates have added to it. Contributions that the INSERT wrote are not counted. */
export const ADDED = 'added';

/** The first items are read in any case: of fewer a fold saves nothing. */
const FEWEST_ITEMS = 2;

/** A statement, and how the item shows that it has been made. */
export interface Step {
  readonly key: Key;
  readonly write: ItemWrite;
  readonly isMade: (item: Item) => boolean;
}

/** A learner course whose next item is `target`. */
interface Opening {
  readonly keyOf: (item: number) => Key;
  readonly target: number;
}

/** Makes the first item name this overflow item, if it names all before it. */
export function naming(first: Key, item: number): Step {
  const when = item === 1 ? isAbsent(OVERFLOW) : equals(OVERFLOW, item - 1);
  const isMade = (stored: Item) => Number(stored[OVERFLOW] ?? 0) >= item;
  return { key: first, write: { update: first, set: { [OVERFLOW]: item }, when }, isMade };
}

/** The item has taken nothing since it was read. */
export const hasAdded = (added: unknown): Condition => (added === undefined ? isAbsent(ADDED) : equals(ADDED, added));

interface Folding<T extends Opening> {
  readonly opening: T;
  readonly first: Item;
  /** What it folds already; `undefined` to fold from the first item on. */
  readonly earlier: Fold | undefined;
  /** The items after those, up to the new one. */
  readonly items: readonly number[];
}

/** Seals the items before each opening. Returns the steps that name the new item and keep the fold, of those that have one. */
export async function foldsBefore<T extends Opening>(
  database: Database,
  openings: readonly T[],
): Promise<ReadonlyMap<T, Step>> {
  const long = openings.filter(({ target }) => target >= FEWEST_ITEMS);
  const firstKeys = long.map(({ keyOf }) => keyOf(0));
  const firstItems = await batchGet(database, firstKeys, true);
  const steps = new Map<T, Step>();
  let open = long.flatMap((opening, position): Folding<T>[] => {
    const first = firstItems[position];
    if (first?.[OVERFLOW] !== opening.target - 1) return [];
    const earlier = unpackFold(first);
    return [{ opening, first, earlier, items: itemsBetween(earlier?.items ?? 1, opening.target - 1) }];
  });
  while (open.length > 0) {
    const again: Folding<T>[] = [];
    for (const slice of slicesOf(open, ITEMS_AT_ONCE, ({ items }) => items.length)) {
      const folded = await foldSlice(database, slice);
      for (const [opening, step] of folded.steps) steps.set(opening, step);
      again.push(...folded.unfolded);
    }
    const items = ({ opening }: Folding<T>) => itemsBetween(1, opening.target - 1);
    open = again.map((each) => ({ ...each, earlier: undefined, items: items(each) }));
  }
  return steps;
}

/** Returns also those whose earlier fold cannot be extended. */
async function foldSlice<T extends Opening>(database: Database, slice: readonly Folding<T>[]) {
  const keys = slice.flatMap(({ opening, items }) => items.map(opening.keyOf));
  const stored = (await batchGet(database, keys, true)).values();
  const all = slice.map((folding) => {
    const { opening, first, earlier, items } = folding;
    const covered = items.map((item) => ({ key: opening.keyOf(item), item: stored.next().value }));
    const newer: Item = Object.assign({}, ...covered.map(({ item }) => item), earlier === undefined ? first : {});
    const fold = foldOf(earlier, contributionsIn(newer), opening.target);
    return { folding, covered, fold, packed: fold && packFold(fold) };
  });
  const kept = all.flatMap(({ packed, ...each }) => (packed === undefined ? [] : [{ ...each, packed }]));
  const seals = kept.flatMap(({ folding, covered }) =>
    covered.filter(({ item }) => item?.[SEALED] !== true).map((each) => ({ of: folding, write: sealOf(each) })),
  );
  const statements = seals.map(({ write }) => write);
  const outcomes = await writeItems(database, statements);
  const changed = new Set(seals.filter((_, position) => outcomes[position] === 'refused').map(({ of }) => of));
  const sealed = kept.filter(({ folding }) => !changed.has(folding));
  return {
    steps: sealed.map(({ folding, packed }) => [folding.opening, namingWith(folding, packed)] as const),
    unfolded: all.flatMap(({ folding, fold }) => (fold === undefined && folding.earlier ? [folding] : [])),
  };
}

/** Refused if the item is not as it was read. An item that was named and never written is made, so that it stays empty. */
function sealOf({ key, item }: { readonly key: Key; readonly item: Item | undefined }): ItemWrite {
  const set = { [SEALED]: true };
  if (item === undefined) return { insert: { ...key, ...set } };
  return { update: key, set, when: allOf(isAbsent(SEALED), hasAdded(item[ADDED])) };
}

function namingWith({ opening: { keyOf, target }, first }: Folding<Opening>, packed: Uint8Array): Step {
  const set = { [OVERFLOW]: target, [FOLDED]: packed, [SEALED]: true };
  const when = allOf(equals(OVERFLOW, target - 1), hasAdded(first[ADDED]));
  return { ...naming(keyOf(0), target), write: { update: keyOf(0), set, when } };
}
