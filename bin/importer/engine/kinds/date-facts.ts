/** What the dates of a column say: their range, some of them in words, and the cells that are no dates. */
import { convertDate } from '../mapping/date-format.ts';
import type { ColumnProfile } from '../mapping/table-profile.ts';
import type { ReadCell } from './classes.ts';
import type { FoundDates } from './types.ts';

const MOST_ODD = 10;

export class FactsOfDates {
  readonly column: ColumnProfile;
  readonly format: string;
  readonly formats: readonly string[];
  readonly #odd = new Set<string>();
  #first: string | undefined;
  #last: string | undefined;

  constructor(column: ColumnProfile, format: string) {
    this.column = column;
    this.format = format;
    this.formats = [...new Set([this.format, ...column.dateFormats])];
  }

  add(text: string, { is, value }: ReadCell): void {
    if (is === 'impossible' && this.#odd.size < MOST_ODD) this.#odd.add(text.slice(0, 80));
    if (typeof value !== 'string') return;
    const day = value.slice(0, 10);
    if (this.#first === undefined || day < this.#first) this.#first = day;
    if (this.#last === undefined || day > this.#last) this.#last = day;
  }

  found(role: FoundDates['role'], isAmbiguous: boolean): FoundDates {
    const samples = this.column.values.flatMap((text) => {
      const date = convertDate(text, this.format);
      return date === undefined ? [] : [{ text, date: date.slice(0, 10) }];
    });
    return {
      column: this.column.reference,
      format: isAmbiguous ? null : this.format,
      formats: this.formats,
      first: this.#first ?? null,
      last: this.#last ?? null,
      samples: samples.slice(0, 3),
      odd: [...this.#odd],
      role,
    };
  }
}
