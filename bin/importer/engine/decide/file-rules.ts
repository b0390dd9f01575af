/** What the rest of a file says against the suggestion for a kind: an ordered table. Where no rule fits, the suggestion stays. */
import { ownValue } from '../ground/own-value.ts';
import type { KindValues } from '../language/findings.ts';
import { isDayOfStatus } from '../profile/roles.ts';
import { isOfShape } from '../profile/shaped-rows.ts';
import { isVoided } from './base.ts';
import type { DateFacts } from './count.ts';

import { saysDone, type SuggestedBy } from './part.ts';
import { type Rule, rowsOf } from './rule.ts';
import { leftOut, nothing, type Suggested } from './suggested.ts';

interface FileFacts {
  readonly values: KindValues;
  readonly suggestion: Suggested;
  /** All kinds of the file. */
  readonly kinds: readonly { readonly values: KindValues; readonly suggestion: Suggested }[];
  /** State columns by their name in the mapping. */
  readonly by: ReadonlyMap<string, SuggestedBy>;
  readonly dates: readonly DateFacts[];
  /** The column of the verbs, where some statement takes another one back. */
  readonly verb: string | undefined;
  /** The mapping knows which statements are taken back. */
  readonly isVoidingRead: boolean;
}

/** What the file says of the day that is suggested. */
const dayIn = ({ suggestion, dates }: FileFacts): DateFacts | undefined =>
  dates.find(({ column }) => column.reference === suggestion.date);

/** A day that rows in progress have, too, and whose header says of no completion, may be that of the start. */
function isDayOfStart({ suggestion: { outcome, date }, kinds, by }: FileFacts): boolean {
  const of = by.get(date ?? '');
  if (outcome === 'in_progress' || of?.read.read !== 'date' || saysDone(of) || isDayOfStatus(of.column)) return false;
  return kinds.some(
    ({ values, suggestion }) => ownValue(values, date ?? '') === 'a date' && suggestion.outcome === 'in_progress',
  );
}

/** Many dates to come are an expiry or a plan, a few are mistakes. Where no header says what they are, one will do. */
function areToCome(facts: FileFacts): boolean {
  const of = dayIn(facts);
  if (of === undefined) return false;
  const { column, future, filled } = of;
  return isOfShape(column.reference) ? future > 0 : future >= 2 && future * 5 >= filled;
}

const row = rowsOf<FileFacts, Suggested>(nothing);

/** The first that fits takes the suggestion back. */
export const FILE_RULES: readonly Rule<FileFacts, Suggested>[] = [
  row({
    name: 'statement_takes_another_back',
    example: '@table: items that take others back by their ids leave both out',
    needs: ({ values, verb }) => verb !== undefined && isVoided(ownValue(values, verb)),
    says: leftOut,
  }),
  row({
    name: 'statements_taken_back_unnamed',
    example: '@table: items that take others back and do not say which leave nothing certain',
    needs: ({ verb, isVoidingRead }) => verb !== undefined && !isVoidingRead,
  }),
  row(
    {
      name: 'day_of_rows_in_progress',
      example: 'Status: Completed; When: 2024-01-02 / Status: In progress; When: 2024-01-03',
      needs: isDayOfStart,
    },
    ({ suggestion }) => ({ column: suggestion.date ?? '' }),
  ),
  row(
    {
      name: 'days_to_come',
      example: '@table: dates under the names of courses are asked about, if one of them is still to come',
      needs: areToCome,
    },
    (facts) => ({
      column: facts.suggestion.date ?? '',
      dates: dayIn(facts)?.filled ?? 0,
      future: dayIn(facts)?.future ?? 0,
    }),
  ),
];
