import { UsageError } from '../errors.ts';

/** Finds the cells of a row by the names of their columns. */
export interface Columns {
  /** @throws UsageError if no column, or more than one, has this name */
  indexOf(name: string, wantedBy: string): number;
}

/** The members of JSON objects. Objects may lack any of them, so every name is accepted. */
export class MemberColumns implements Columns {
  readonly names: string[] = [];

  indexOf(name: string): number {
    const known = this.names.indexOf(name);
    return known === -1 ? this.names.push(name) - 1 : known;
  }
}

/** The columns of a CSV file, by its header. */
export class HeaderColumns implements Columns {
  readonly names: readonly string[];
  readonly #file: string;

  constructor(file: string, names: readonly string[]) {
    this.#file = file;
    this.names = names;
  }

  indexOf(name: string, wantedBy: string): number {
    const index = this.#find(name);
    if (index === -1) {
      throw new UsageError(
        `${this.#file}, line 1: there is no column "${name}", which the mapping names for ${wantedBy}${this.#hint(name)}`,
      );
    }
    if (name.startsWith('#')) return index;
    const again = this.names.indexOf(this.names[index] ?? '', index + 1);
    if (again !== -1) {
      throw new UsageError(
        `${this.#file}, line 1: column "${name}" occurs twice (columns ${index + 1} and ${again + 1}). Rename one of them.`,
      );
    }
    return index;
  }

  #find(name: string): number {
    // Some exports leave headers empty: "#6" is the sixth column.
    const number = /^#(\d{1,4})$/.exec(name)?.[1];
    if (number !== undefined && !this.names.includes(name))
      return Number(number) <= this.names.length ? Number(number) - 1 : -1;
    const exact = this.names.indexOf(name);
    return exact === -1 ? this.names.findIndex((known) => known.toLowerCase() === name.toLowerCase()) : exact;
  }

  #hint(name: string): string {
    const wanted = letters(name);
    const similar = this.names.find((known) => letters(known).includes(wanted) || wanted.includes(letters(known)));
    const listed = this.names
      .slice(0, 30)
      .map((known) => `"${known}"`)
      .join(', ');
    return similar === undefined || letters(similar) === ''
      ? `. The columns are ${listed}.`
      : `. Did you mean "${similar}"?`;
  }
}

const letters = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
