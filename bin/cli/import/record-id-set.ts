import { createHash } from 'node:crypto';

/** Where an id occurred first. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** Line and file are stored as one number. */
const MOST_FILES = 10_000;

/**
 * The record ids of whole files, each with the line on which it occurred first. Stores 96 bits of a hash in place of an id, so
 * that 250,000 rows take about 20 MB however long their ids are.
 */
export class RecordIdSet {
  readonly #places = new Map<string, number>();
  readonly #files: string[] = [];

  /** Notes an id; returns where it occurred before, if it did. */
  add(id: string, { file, line }: Place): Place | undefined {
    if (this.#files.at(-1) !== file) this.#files.push(file);
    const key = createHash('sha256').update(id).digest('binary').slice(0, 12);
    const known = this.#places.get(key);
    if (known === undefined) this.#places.set(key, line * MOST_FILES + this.#files.length - 1);
    return known === undefined
      ? undefined
      : { file: this.#files[known % MOST_FILES] ?? file, line: Math.floor(known / MOST_FILES) };
  }
}
