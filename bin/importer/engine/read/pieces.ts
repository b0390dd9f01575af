/** Items piece by piece: a promise for each would cost more than the item. Read a piece to its end before the next. */
export type Pieces<Item> = AsyncIterable<Iterable<Item>>;

export async function* piecewise<Item, Result>(
  pieces: Pieces<Item>,
  of: (items: Iterable<Item>) => Iterable<Result>,
): AsyncGenerator<Iterable<Result>> {
  for await (const piece of pieces) yield of(piece);
}

/** What a function makes of each item; one of which it makes nothing is left out. */
export const mapped = <Item, Result>(
  pieces: Pieces<Item>,
  of: (item: Item) => Result | undefined,
): AsyncGenerator<Iterable<Result>> =>
  piecewise(pieces, function* results(items) {
    for (const item of items) {
      const result = of(item);
      if (result !== undefined) yield result;
    }
  });

const AT_ONCE = 4;

/** `Promise.all` of a function for each item, a few at a time: each may read a file. */
export async function fewAtATime<Item, Result>(
  items: readonly Item[],
  of: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE)
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(of))));
  return results;
}

/** One item after the other, for a few. */
export async function* each<Item>(pieces: Pieces<Item>): AsyncGenerator<Item> {
  for await (const piece of pieces) yield* piece;
}
