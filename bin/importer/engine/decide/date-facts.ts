/** What the rows say of the columns of dates. */
import { datePartOf, isNeverText } from '../dates/date-forms.ts';
import { asciiDigits, convertDate } from '../dates/date-format.ts';
import { remembered } from '../ground/remembered.ts';
import type { ReadText } from '../language/classes.ts';
import { type ColumnProfile, isDayFirst, otherOrder } from '../profile/table-profile.ts';
import { Events } from './parts.ts';

const MOST_ODD = 10;

/** What the rows say of a column of dates. */
export interface DateFacts {
  readonly column: ColumnProfile;
  readonly format: string;
  first: string | null;
  last: string | null;
  /** How many cells are dates, and how many of them are still to come. */
  filled: number;
  readonly latest: string;
  future: number;
  /** The format with day and month swapped, unless a person chose one. */
  readonly other: string | undefined;
  /** How many cells can only be read in the format, and only in the other. */
  own: number;
  others: number;
  readonly events: Events;
  /** Cells that are no dates. */
  readonly odd: Set<string>;
}

export const newFacts = (
  column: ColumnProfile,
  { format, latest, isChosen }: { readonly format: string; readonly latest: string; readonly isChosen: boolean },
): DateFacts => {
  const other = isChosen ? undefined : otherOrder(format);
  const none = { first: null, last: null, filled: 0, future: 0, own: 0, others: 0 };
  return { column, format, latest, other, ...none, events: new Events(), odd: new Set() };
};

/** The order that a date shows, if it can be read in one only. */
function orderOf({ other, column, format }: DateFacts, text: string, isDate: boolean): SeenDate['order'] {
  if (other === undefined) return undefined;
  const date = column.dated === undefined ? text : (datePartOf(text) ?? '');
  if (!isDate) return !isNeverText(date) && convertDate(date, other) !== undefined ? 'others' : undefined;
  // The day and the month, in the order of the format.
  const [one, two] = asciiDigits(date).match(/\d+/g) ?? [];
  return Number(isDayFirst(format) ? one : two) > 12 ? 'own' : undefined;
}

/** What a cell adds to the facts of its column. */
export interface SeenDate {
  readonly date: string | undefined;
  /** The column, where the date is still to come. */
  readonly toCome: string | undefined;
  readonly order: 'own' | 'others' | undefined;
}

/** Notes what does not depend on how many cells have the text: dates repeat. */
export const dateLooker = (facts: DateFacts, read: (text: string) => ReadText): ((cell: string) => SeenDate) =>
  remembered((cell) => {
    const text = cell.trim();
    const { is, value } = read(text);
    const date = typeof value === 'string' ? value : undefined;
    if (is === 'impossible' && facts.odd.size < MOST_ODD) facts.odd.add(text.slice(0, 80));
    if (date !== undefined) addDay(facts, date.slice(0, 10));
    return {
      date,
      toCome: date !== undefined && date > facts.latest ? facts.column.reference : undefined,
      order: orderOf(facts, text, date !== undefined),
    };
  });

function addDay(facts: DateFacts, day: string): void {
  if (facts.first === null || day < facts.first) facts.first = day;
  if (facts.last === null || day > facts.last) facts.last = day;
}
