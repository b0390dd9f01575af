/** Rows of one record, wherever in a file they are, brought together without all being in memory. */
import { appendFileSync, createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const GROUPS_IN_MEMORY = 4000;

/**
 * Joins the rows of each group, in the order of the file; yields the groups in the order of their numbers. The first 4,000
 * groups are joined as their rows come. Rows of later ones, which have to be JSON, wait in temporary files, one for each 4,000
 * groups.
 */
export async function* joinedInGroups<Row extends { readonly group: number }, Joined>(
  rows: AsyncIterable<Row>,
  joinRow: (known: Joined | undefined, row: Row) => Joined,
  most = GROUPS_IN_MEMORY,
): AsyncGenerator<Joined> {
  const later = new WaitingRows<Row>();
  let groups = new Map<number, Joined>();
  const take = (row: Row): void => void groups.set(row.group, joinRow(groups.get(row.group), row));
  try {
    for await (const row of rows) {
      const part = Math.floor(row.group / most);
      if (part === 0) take(row);
      else later.add(part, row);
    }
    yield* groups.values();
    for (const part of later.parts()) {
      groups = new Map();
      for await (const row of later.rows(part)) take(row);
      yield* groups.values();
    }
  } finally {
    later.remove();
  }
}

const MOST_BUFFERED = 16 * 1024;

/** Rows in temporary files, which only this user can read. */
class WaitingRows<Row> {
  readonly #buffers = new Map<number, string>();
  #folder: string | undefined;

  constructor() {
    // Ctrl-C ends the process at once.
    process.once('exit', this.remove);
  }

  add(part: number, row: Row): void {
    const text = `${this.#buffers.get(part) ?? ''}${JSON.stringify(row)}\n`;
    this.#buffers.set(part, text);
    if (text.length > MOST_BUFFERED) this.#write(part);
  }

  parts(): number[] {
    return [...this.#buffers.keys()].toSorted((a, b) => a - b);
  }

  async *rows(part: number): AsyncGenerator<Row> {
    const input = createReadStream(this.#write(part));
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
      yield JSON.parse(line) as Row;
  }

  readonly remove = (): void => {
    process.off('exit', this.remove);
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  };

  #write(part: number): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'course-progress-migration-'));
    const path = join(this.#folder, String(part));
    appendFileSync(path, this.#buffers.get(part) ?? '', { mode: 0o600 });
    this.#buffers.set(part, '');
    return path;
  }
}
