/** What other rows say of the day that is suggested for a kind. */
import type { DateFacts } from './count.ts';
import { isOfShape } from '../profile/shaped-rows.ts';
import { isDayOfStatus } from '../profile/roles.ts';
import { saysDone, type SuggestedBy } from './facts.ts';
import { nothing, type Suggestion } from './suggestion.ts';
import type { KindValues } from '../language/findings.ts';

/** A day that rows in progress have, too, and whose header says of no completion, may be that of the start. */
export function unlessBegun(
  suggested: Suggestion,
  kinds: readonly { readonly values: KindValues; readonly suggestion: Suggestion }[],
  by: ReadonlyMap<string, SuggestedBy>,
): Suggestion {
  const { outcome, date } = suggested;
  const of = by.get(date ?? '');
  if (
    outcome === 'in_progress' ||
    of === undefined ||
    saysDone(of) ||
    of.read.read !== 'date' ||
    isDayOfStatus(of.column)
  )
    return suggested;
  const isOfOpen = kinds.some(
    ({ values, suggestion }) => values[date ?? ''] === 'a date' && suggestion.outcome === 'in_progress',
  );
  return isOfOpen ? nothing(`rows in progress have a date of ${date}, too: it may be that of their start`) : suggested;
}

/** Many dates to come are an expiry or a plan, a few are mistakes. Where no header says what they are, one will do. */
export function unlessToCome(suggested: Suggestion, dates: readonly DateFacts[]): Suggestion {
  const of = dates.find(({ column }) => column.reference === suggested.date);
  const isFew =
    of !== undefined && (isOfShape(of.column.reference) ? of.future === 0 : of.future < 2 || of.future * 5 < of.filled);
  return of === undefined || isFew
    ? suggested
    : nothing(`of ${of.filled} dates of ${suggested.date} ${of.future} in the future: they may be days of expiry`);
}
