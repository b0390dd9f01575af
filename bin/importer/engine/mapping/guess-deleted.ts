/** Columns that say of a row that it was deleted, archived or voided: such a row is no history. */
import { meaningOf, rolesOf } from '../words/words.ts';
import { countedTexts } from './guess-status.ts';
import { namedColumns } from './named-columns.ts';
import type { Mapping } from './schema.ts';
import type { ColumnProfile } from './table-profile.ts';

/**
 * The draft, which leaves out the rows that a column marks.
 *
 * @param guesses with values and counts, for a person to confirm: the course or the learner may be meant, and not the row
 */
export function withoutDeleted(draft: Mapping, columns: readonly ColumnProfile[], guesses: string[]): Mapping {
  const used = new Set(namedColumns(draft));
  const skip = columns
    .filter(({ roles, reference }) => roles.has('deleted') && !used.has(reference))
    .flatMap((column) => {
      const said = column.values.filter((text) => !isNo(text));
      const marks = said.filter((text) => isMark(text, column));
      const unknown = said.filter((text) => !isMark(text, column));
      if (marks.length > 0) guesses.push(`${named(column, marks)} is read as deleted; these rows are left out.`);
      if (unknown.length > 0) guesses.push(`${named(column, unknown)} is not known and not used.`);
      return marks.length > 0 ? [ruleFor(column, marks)] : [];
    });
  return skip.length === 0 ? draft : { ...draft, skip: [...(draft.skip ?? []), ...skip] };
}

const named = (column: ColumnProfile, texts: readonly string[]): string =>
  `"${column.reference}": ${countedTexts(column, texts)}`;

const isNo = (text: string): boolean => text === '0' || meaningOf(text) === 'no';

const isDay = ({ dateFormats }: ColumnProfile): boolean =>
  dateFormats.some((format) => format !== 'excel' && format !== 'epoch');

/** `Yes`, 1, the word of the header, or the day. */
const isMark = (text: string, column: ColumnProfile): boolean =>
  text === '1' || meaningOf(text) === 'yes' || rolesOf(text).has('deleted') || isDay(column);

/** Days are many, so that the empty cells are named. */
const ruleFor = (column: ColumnProfile, texts: readonly string[]) =>
  isDay(column) ? { column: column.reference, empty: false } : { column: column.reference, is: [...texts] };
