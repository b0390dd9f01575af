import type { Item } from './database.ts';

/** What a batch found, by what was asked for; absent items are left out. */
export function found<K, V>(
  asked: readonly K[],
  items: readonly (Item | undefined)[],
  unpack: (item: Item) => V,
): Map<K, V> {
  return new Map(
    asked.flatMap((key, position) => {
      const item = items[position];
      return item === undefined ? [] : [[key, unpack(item)] as const];
    }),
  );
}
