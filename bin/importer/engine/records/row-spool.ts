/** Storage for rows that do not fit into memory. */

export interface RowSpool {
  append(part: number, text: string): void;
  /** The texts of a part, in the order in which they were appended, in pieces of any size. */
  read(part: number): AsyncIterable<string>;
  /** Removes everything. */
  clear(): void;
}

/** For files of which all rows fit into memory. */
export function memoryRowSpool(): RowSpool {
  const parts = new Map<number, string[]>();
  return {
    append: (part, text) => void parts.set(part, [...(parts.get(part) ?? []), text]),
    async *read(part) {
      yield* parts.get(part) ?? [];
    },
    clear: () => parts.clear(),
  };
}
