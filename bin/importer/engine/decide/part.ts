/** A part of a kind: what one state column says. */
import { ownValue } from '../ground/own-value.ts';
import { A_NUMBER } from '../language/classes.ts';
import { isOfShape } from '../profile/shaped-rows.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import type { Role } from '../lexicon/headers.ts';
import type { KindValues, StateColumn } from '../language/findings.ts';
import { isNothing } from '../dates/date-forms.ts';
import type { FileContext } from './begun.ts';
import { asks } from './asks.ts';
import { isOfWords } from './column-facts.ts';

/** A state column, as a suggestion depends on it. */
export interface SuggestedBy {
  readonly column: ColumnProfile;
  readonly read: StateColumn;
  readonly role: Role | undefined;
}

/** What one state column says of a kind. */
export interface Part extends SuggestedBy {
  readonly name: string;
  /** The class of its cells, or their word. */
  readonly is: string;
  /** Its kind has a day of completion, as rows have whose words say completed, and only these. */
  readonly isOnTellingDay?: boolean;
  /** The word of who has a certificate. */
  readonly isIssued?: boolean;
}

/** What each state column says of a kind. */
export function partsIn(
  values: KindValues,
  by: ReadonlyMap<string, SuggestedBy>,
  { tellingDay = '', wordOfIssue }: FileContext,
): Part[] {
  const isOnTellingDay = ownValue(values, tellingDay) === 'a date';
  return Object.entries(values).flatMap(([name, is]): Part[] => {
    const from = by.get(name);
    const isIssued = wordOfIssue?.name === name && wordOfIssue.is === is;
    return from === undefined ? [] : [{ ...from, name, is, isOnTellingDay, isIssued }];
  });
}

export const datesIn = (parts: readonly Part[]): Part[] =>
  parts.filter(({ read, is }) => read.read === 'date' && is === 'a date');

/** A day of completion, by its header. */
export const saysDone = ({ column, role }: SuggestedBy): boolean =>
  role === 'progress.completed_at' || role === 'assessment.taken_at' || asks(column) !== undefined;

/** Also `N/A` below a course: it is not meant for the learner. */
export const isEmpty = ({ name, is, role, read }: Part): boolean =>
  is === 'empty' ||
  (isOfShape(name) && isNothing(is)) ||
  (read.read === 'number' && (is === A_NUMBER || isNothing(is))) ||
  (role === 'assessment.status' && isNothing(is));

/** Of a column of dates, one that stands in place of a date. */
export const hasWords = ({ read, is }: Part): boolean =>
  isOfWords(read) || (read.read === 'date' && !['a date', 'never', 'impossible'].includes(is));
