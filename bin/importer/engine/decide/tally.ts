/** Counts the kinds of a file in bounded memory. */
import { Branch } from '../ground/branch.ts';
import { comparable } from '../ground/text-pattern.ts';
import { kindKey, type ReadCell } from '../language/classes.ts';
import type { KindValues, SampleRow } from '../language/findings.ts';

/** With more, the last of the columns that may be left out is. */
const MOST_KINDS = 2000;
const SAMPLES = 3;

/** A kind and its rows. */
export interface CountedKind {
  readonly values: KindValues;
  readonly rows: number;
  readonly samples: readonly SampleRow[];
  readonly toCome: ReadonlyMap<string, number>;
}

interface KindCount {
  readonly classes: readonly string[];
  rows: number;
  readonly samples: SampleRow[];
  /** How many of the rows have a date that is still to come, by its column. */
  readonly toCome: Map<string, number>;
}

/** The kinds that were met, with how many rows each has. */
export class KindTally {
  names: readonly string[];
  #places: readonly number[];
  readonly #optional: Set<string>;
  #kinds: KindCount[] = [];
  #byClasses = new Branch<KindCount>();

  /** @param optional in the order in which they are kept: the last is left out first */
  constructor(names: readonly string[], optional: readonly string[]) {
    this.names = names;
    this.#places = [...names.keys()];
    this.#optional = new Set(optional);
  }

  get size(): number {
    return this.#kinds.length;
  }

  /**
   * Counts one row.
   *
   * @param cells of the columns that the tally began with
   * @param days of the row, with their column where they are still to come
   * @param sample called for the first rows of a kind
   */
  add(
    cells: readonly ReadCell[],
    days: readonly { readonly toCome: string | undefined }[],
    sample: () => SampleRow,
  ): void {
    const kind = this.#kindOf(cells);
    kind.rows += 1;
    for (const { toCome } of days) if (toCome !== undefined) add(kind.toCome, toCome, 1);
    if (kind.samples.length < SAMPLES) kind.samples.push(sample());
    while (this.size > MOST_KINDS) {
      const last = [...this.#optional].at(-1) ?? this.names.at(-1);
      if (last === undefined) return;
      this.leaveOut(last);
    }
  }

  #kindOf(cells: readonly ReadCell[]): KindCount {
    let branch = this.#byClasses;
    for (const place of this.#places) branch = branch.of(cells[place]?.key ?? '');
    return (
      branch.value ??
      this.#newKind(
        branch,
        this.#places.map((place) => cells[place]?.is ?? ''),
      )
    );
  }

  #newKind(branch: Branch<KindCount>, classes: readonly string[]): KindCount {
    const kind = { classes, rows: 0, samples: [], toCome: new Map() };
    branch.value = kind;
    this.#kinds.push(kind);
    return kind;
  }

  /** Joins the kinds that differ in these columns alone. */
  leaveOut(...names: readonly string[]): void {
    const out = new Set(names);
    const isKept = this.names.map((name) => !out.has(name));
    if (isKept.every(Boolean)) return;
    for (const name of names) this.#optional.delete(name);
    this.names = this.names.filter((_, at) => isKept[at]);
    this.#places = this.#places.filter((_, at) => isKept[at]);
    const before = this.#kinds;
    this.#kinds = [];
    this.#byClasses = new Branch();
    for (const { classes, rows, samples, toCome } of before) {
      const kept = classes.filter((_, at) => isKept[at]);
      const branch = kept.reduce((above, is) => above.of(comparable(is)), this.#byClasses);
      const kind = branch.value ?? this.#newKind(branch, kept);
      kind.rows += rows;
      for (const [name, count] of toCome) add(kind.toCome, name, count);
      kind.samples.push(...samples.slice(0, SAMPLES - kind.samples.length));
    }
  }

  /** A column varies with others. */
  varies(name: string, others: readonly string[], least: number): boolean {
    const at = this.names.indexOf(name);
    const places = others.map((each) => this.names.indexOf(each)).filter((place) => place !== -1);
    const pairs = this.#kinds.map(({ classes, rows }) => ({
      own: kindKey([classes[at] ?? '']),
      other: kindKey(places.map((place) => classes[place] ?? '')),
      rows,
    }));
    return areAssociated(pairs, least);
  }

  /** True if the column is filled for some combinations of the others only, and for most of their rows. */
  refines(name: string, others: readonly string[]): boolean {
    const at = this.names.indexOf(name);
    const places = others.map((each) => this.names.indexOf(each)).filter((place) => place !== -1);
    const [rows, filled] = [new Map<string, number>(), new Map<string, number>()];
    const words = new Set<string>();
    for (const { classes, rows: count } of this.#kinds) {
      const other = kindKey(places.map((place) => classes[place] ?? ''));
      add(rows, other, count);
      if (classes[at] === 'empty') continue;
      words.add(kindKey([classes[at] ?? '']));
      add(filled, other, count);
    }
    const beside = new Map([...rows].filter(([other]) => filled.has(other)));
    return words.size > 1 && sum(filled) * 2 > sum(beside) && sum(rows) - sum(beside) > 1;
  }

  /** Most rows first. */
  kinds(): CountedKind[] {
    return this.#kinds
      .map(({ classes, ...counts }) => ({
        values: Object.fromEntries(this.names.map((name, index) => [name, classes[index] ?? ''])),
        ...counts,
      }))
      .toSorted((a, b) => b.rows - a.rows || (a.samples[0]?.line ?? 0) - (b.samples[0]?.line ?? 0));
  }
}

const add = (counts: Map<string, number>, key: string, count: number): void =>
  void counts.set(key, (counts.get(key) ?? 0) + count);

const sum = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((all, count) => all + count, 0);

/** Two things vary with each other: no less than `least`, from 0 to 1 (Cramér's V, squared), and not by chance alone. */
export function areAssociated(
  pairs: readonly { readonly own: string; readonly other: string; readonly rows: number }[],
  least: number,
): boolean {
  const joint = new Map<string, number>();
  const [rows, columns] = [new Map<string, number>(), new Map<string, number>()];
  let all = 0;
  for (const { own, other, rows: count } of pairs) {
    add(joint, `${own}\n${other}`, count);
    add(rows, own, count);
    add(columns, other, count);
    all += count;
  }
  const smaller = Math.min(rows.size, columns.size) - 1;
  if (smaller < 1) return false;
  let squares = 0;
  for (const [own, inRow] of rows)
    for (const [other, inColumn] of columns) {
      const expected = (inRow * inColumn) / all;
      squares += ((joint.get(`${own}\n${other}`) ?? 0) - expected) ** 2 / expected;
    }
  const freedom = (rows.size - 1) * (columns.size - 1);
  const chance = freedom + 2 * Math.sqrt(2 * freedom) + 1;
  // Of a few rows nothing is beyond chance: words that repeat are kept.
  const isKept = squares > chance || (rows.size < all && all * smaller <= chance);
  return squares / (all * smaller) >= least && isKept;
}
