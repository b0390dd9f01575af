import { type Said, say } from '../ground/codes.ts';
import type { Field } from '../ground/fields.ts';

/** A value of a file that the mapping does not name, or cannot read. */
export interface Note {
  readonly kind: 'not_named' | 'not_readable' | 'not_a_class' | 'date_derived';
  readonly field: Field;
  readonly column: string;
  readonly value: string;
  /** The value of `otherwise`, which replaces it. */
  readonly becomes?: string | undefined;
  /** The values that the field accepts, for a value that cannot be read. */
  readonly expected?: Said | undefined;
  /** Rows with this value, and the line of the first. */
  count: number;
  readonly line: number;
}

interface Orders {
  either: number;
  swapped: number;
}

/** More different values than a person would read. */
const MOST_NOTES = 1000;
const MOST_CHARACTERS = 80;

/** Collects the values of a file that a person should check: each value once, with the line of its first row. */
export class Notes {
  /** Line of the row that is read. */
  line = 0;
  /** Times without a zone. */
  localTimes = 0;
  readonly #notes = new Map<string, Note>();
  readonly #orders = new Map<string, Orders>();

  /** A date of a column that may have day and month swapped, or can only be read so. */
  addOrder(column: string, is: keyof Orders): void {
    const orders = this.#orders.get(column) ?? { either: 0, swapped: 0 };
    orders[is] ||= this.line;
    this.#orders.set(column, orders);
  }

  /** Columns that prove both orders, and have a date that may be of either, with the lines of the first. */
  bothOrders(): [string, Orders][] {
    return [...this.#orders].filter(([, { either, swapped }]) => either > 0 && swapped > 0);
  }

  add(note: Omit<Note, 'count' | 'line'>): void {
    const value = note.value.length > MOST_CHARACTERS ? `${note.value.slice(0, MOST_CHARACTERS)}…` : note.value;
    const key = `${note.kind}\n${note.field}\n${note.column}\n${value}`;
    const known = this.#notes.get(key);
    if (known !== undefined) known.count += 1;
    else if (this.#notes.size < MOST_NOTES) this.#notes.set(key, { ...note, value, count: 1, line: this.line });
  }

  /** The notes since the last call. */
  take(): Note[] {
    const notes = this.list();
    this.#notes.clear();
    return notes;
  }

  /** The most frequent first. */
  list(): Note[] {
    return [...this.#notes.values()].toSorted((a, b) => b.count - a.count);
  }
}

/** The reason for which the service rejects a value of one row; `undefined` if the service accepts the value. */
export function reasonOf({ kind, column, value, becomes, expected }: Note): Said | undefined {
  if (kind === 'not_readable' && expected !== undefined) return say('value_unreadable', { value, column, expected });
  return kind === 'not_named' && becomes === undefined ? say('value_unnamed', { value, column }) : undefined;
}
