/** A kind of row, as a mapping file keeps it: a distinct combination of what the state columns of a row say. */

/** How the cells of a state column are compared. */
export type StateReading = 'text' | 'dated' | 'percent' | 'share' | 'date';

/**
 * The classes of a cell, by the reading of its column. A cell of `text` is its own class, blanks around it and letter case aside.
 * `dated` is a text with a date in it: `Completed (2024-01-02)` is `Completed (date)`. `share` is `12 of 20` or `12/20`, with the
 * classes of a percentage.
 */
export const CLASSES = {
  text: ['empty'],
  dated: ['empty'],
  percent: ['none', '0', 'between', '100', 'above', 'no number'],
  share: ['none', '0', 'between', '100', 'above', 'no number'],
  date: ['empty', 'a date', 'never', 'impossible'],
} as const satisfies Record<StateReading, readonly string[]>;

/** How one state column is read. `scale` 100: fractions of one. `dates`: formats, `iso` if absent. */
export interface StateColumn {
  readonly read: StateReading;
  readonly scale?: number | undefined;
  /** The column of the whole that this one is a part of, for `share`. */
  readonly out_of?: string | undefined;
  readonly dates?: string | readonly string[] | undefined;
}

export const OUTCOMES = ['completed', 'certified', 'in_progress', 'failed', 'leave_out'] as const;
export type OutcomeName = (typeof OUTCOMES)[number];

/** The date of an outcome that a person set to the day of the import; any other date is a column. */
export const IMPORT_DAY = ':import day';

/**
 * What the rows of a kind become.
 *
 * - `completed`, `failed`: `date` is a column of dates. `certified`: certified on that date where the course has an exam, completed
 *   on it where it has none.
 * - `in_progress`: `percent` is a column; without one 0 % is stored. `date` may be a column: the learner was last active then.
 * - `leave_out`: `reason` says why, like "not started".
 */
export interface Outcome {
  readonly outcome: OutcomeName;
  readonly date?: string | null | undefined;
  readonly percent?: string | null | undefined;
  readonly reason?: string | null | undefined;
}

/** What the state columns of a row say: a class for each, by the name of the column. */
export type KindValues = Readonly<Record<string, string>>;

/** A kind in the mapping file: `rows` is the number of rows that a person saw. */
export interface ConfirmedKind extends Outcome {
  readonly values: KindValues;
  readonly rows?: number | undefined;
}

/** The member `kinds` of a mapping. */
export interface Kinds {
  readonly columns: Readonly<Record<string, StateColumn>>;
  /** Formats of the dates of outcomes that are in no state column. */
  readonly dates?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly confirmed: readonly ConfirmedKind[];
}
