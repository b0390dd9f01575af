import { TextNumbers } from './text-numbers.ts';

/** The place where an id occurred first. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** The record ids of whole files, each with the place where it occurred first. */
export class RecordIdSet {
  readonly #numbers = new TextNumbers();
  /** Line numbers by the number of the id. */
  readonly #lines: number[] = [];
  readonly #files: { readonly file: string; readonly firstId: number }[] = [];

  /** Notes an id; returns where it occurred before, if it did. */
  add(id: string, { file, line }: Place): Place | undefined {
    if (this.#files.at(-1)?.file !== file) this.#files.push({ file, firstId: this.#lines.length });
    const number = this.#numbers.of(id);
    const known = this.#lines[number];
    if (known === undefined) this.#lines.push(line);
    return known === undefined
      ? undefined
      : { file: this.#files.findLast(({ firstId }) => firstId <= number)?.file ?? file, line: known };
  }
}
