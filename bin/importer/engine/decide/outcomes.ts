/** What a kind can become. A browser loads it without the schemas of a mapping. */
import { ownValue } from '../ground/own-value.ts';
import { percentIn } from '../language/classes.ts';
import {
  type ChosenOutcome,
  IMPORT_DAY,
  type Findings,
  type FoundDates,
  type Kind,
  type Suggestion,
} from '../language/findings.ts';

/**
 * Every outcome of a kind with its date or percentage; days of the columns that decide first, the import day last. A day by which a
 * course is due, or until which it counts, completes nothing; where it decides, it comes after the others.
 */
export function outcomesFor({ values }: Pick<Kind, 'values'>, { dates, columns }: Findings): ChosenOutcome[] {
  const days = [
    ...dates
      .filter(
        ({ column, role, isPlanned }) =>
          (ownValue(columns, column) === undefined || /\bdate\b/.test(ownValue(values, column) ?? '')) &&
          (role === 'state' || isPlanned !== true),
      )
      .toSorted((a, b) => orderOf(a) - orderOf(b))
      .map(({ column }) => column),
    IMPORT_DAY,
  ];
  const saying = (...classes: readonly string[]): string[] =>
    Object.entries(columns).flatMap(([name, column]) =>
      classes.includes(percentIn(column, ownValue(values, name) ?? '') ?? '') ? [name] : [],
    );
  return [
    ...days.map((date) => ({ outcome: 'completed', date }) as const),
    ...days.map((date) => ({ outcome: 'certified', date }) as const),
    ...saying('0', 'between', 'none').map((percent) => ({ outcome: 'in_progress', percent }) as const),
    // The file says more than nothing.
    ...(saying('between', '100', 'above').length > 0 ? [] : [{ outcome: 'in_progress' } as const]),
    ...days.map((date) => ({ outcome: 'failed', date }) as const),
    { outcome: 'leave_out' },
  ];
}

const orderOf = ({ role, isPlanned }: FoundDates): number => (isPlanned === true ? 2 : role === 'state' ? 0 : 1);

/** Whether something else is proposed than we would suggest: a person looks there first. */
export const differs = ({ proposed, suggested }: Kind): boolean =>
  proposed !== undefined && keyOf(proposed) !== keyOf(suggested);

/** Two outcomes with the same key are one. */
export const keyOf = ({ outcome, date = null, percent = null }: Partial<ChosenOutcome> | Suggestion): string =>
  JSON.stringify([outcome, date, percent]);
