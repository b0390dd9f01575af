/** Groups rows by record in bounded memory, wherever in a file they are. */
import { each } from '../read/pieces.ts';
import { linesOf } from '../read/text-file.ts';

const GROUPS_IN_MEMORY = 4000;
const MOST_BUFFERED = 16 * 1024;

/**
 * Joins the rows of each group and yields the groups in order. The first 4,000 groups are joined as their rows come;
 * rows of later ones, which must be JSON, wait in the spool, a part for each 4,000 groups, which is cleared at the end.
 */
export async function* joinedInGroups<Row extends { readonly group: number }, Joined>(
  rows: AsyncIterable<Row>,
  joinRow: (known: Joined | undefined, row: Row) => Joined,
  spool: RowSpool,
  most = GROUPS_IN_MEMORY,
): AsyncGenerator<Joined> {
  const waiting = new Map<number, string>();
  const wait = (part: number, row: Row): void => {
    const text = `${waiting.get(part) ?? ''}${JSON.stringify(row)}\n`;
    const isFull = text.length > MOST_BUFFERED;
    if (isFull) spool.append(part, text);
    waiting.set(part, isFull ? '' : text);
  };
  let groups = new Map<number, Joined>();
  const take = (row: Row): void => void groups.set(row.group, joinRow(groups.get(row.group), row));
  try {
    for await (const row of rows) {
      const part = Math.floor(row.group / most);
      if (part === 0) take(row);
      else wait(part, row);
    }
    yield* groups.values();
    for (const [part, rest] of [...waiting].toSorted(([a], [b]) => a - b)) {
      spool.append(part, rest);
      groups = new Map();
      // The spool returns the rows that were added.
      for await (const line of each(linesOf(spool.read(part)))) take(JSON.parse(line) as Row);
      yield* groups.values();
    }
  } finally {
    spool.clear();
  }
}

/** Storage for rows that do not fit into memory. */
export interface RowSpool {
  append(part: number, text: string): void;
  /** The texts of a part, in the order in which they were appended, in pieces of any size. */
  read(part: number): AsyncIterable<string>;
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
