/**
 * What a file says, and what a person confirms of it. The page and the command work with the same four steps:
 *
 * 1. `findKinds(open, { platform, choices, confirmed, onRow })` reads the whole file and returns `Findings`: columns, dates, and
 *    kinds, each with three sample rows.
 * 2. A choice of a column, a date format or a shape is a change of `Choices`: call `findKinds` again with it.
 * 3. A choice of an outcome is `withOutcome(findings, values, outcome)`; `confirmSuggestions(findings)` confirms every kind that has
 *    a suggestion and no other. `openQuestions(findings)` lists what is not decided.
 * 4. `mappingOf(findings)` is the mapping file: what is confirmed, and the counts it was confirmed on. Rows of other kinds are
 *    rejected with `unconfirmed_kind` when the file is imported.
 *
 * `findingsJson(findings)` has the members that `init-mapping --json` promises.
 */
import type { Mapping } from '../mapping/schema.ts';

/** How the cells of a state column are compared. */
export type StateReading = 'text' | 'percent' | 'share' | 'date';

/**
 * The classes of a cell, by the reading of its column. A cell of `text` is its own class, blanks around it and letter case aside.
 * `share` is `12 of 20` or `12/20`, with the classes of a percentage.
 */
export const CLASSES = {
  text: ['empty'],
  percent: ['none', '0', 'between', '100', 'above', 'no number'],
  share: ['none', '0', 'between', '100', 'above', 'no number'],
  date: ['empty', 'a date', 'never', 'impossible'],
} as const satisfies Record<StateReading, readonly string[]>;

/** How one state column is read. `scale` 100: fractions of one. `dates`: formats, `iso` if absent. */
export interface StateColumn {
  readonly read: StateReading;
  readonly scale?: number | undefined;
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
 * - `in_progress`: `percent` is a column; without one 0 % is stored.
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
  readonly confirmed: readonly ConfirmedKind[];
}

export interface SampleRow {
  readonly line: number;
  /** Text of the learner's and the course's column. */
  readonly learner: string;
  readonly course: string;
  /** The cells of the state columns, by column. */
  readonly cells: KindValues;
}

/** A kind as found: `outcome` is a suggestion until `confirmed`, `null` where there is none. */
export interface Kind {
  readonly values: KindValues;
  readonly rows: number;
  /** Up to three lines, those of `samples`. */
  readonly lines: readonly number[];
  readonly samples: readonly SampleRow[];
  readonly outcome: OutcomeName | null;
  /** Column of the date, `:import day`, or `null`. */
  readonly date: string | null;
  readonly percent: string | null;
  /** Why it is suggested, why nothing is, or why the rows are left out. */
  readonly reason: string;
  readonly confirmed: boolean;
}

/** A column that may name learners or courses. `found` of `of` distinct sampled texts are known; `null` without a platform. */
export interface ColumnChoice {
  readonly column: string;
  readonly found: number | null;
  readonly of: number;
}

/** `column` is the suggestion; `isUndecided` where several columns may be meant, listed in `others`, and a person must choose. */
export interface FoundColumn extends Omit<ColumnChoice, 'column'> {
  readonly column: string | null;
  readonly isUndecided: boolean;
  readonly others: readonly ColumnChoice[];
  /** Up to ten texts that the platform does not know. */
  readonly unknown: readonly string[];
}

export interface FoundDates {
  readonly column: string;
  /** The format that nearly all values have; `null` if day and month may be swapped and nothing settles it. */
  readonly format: string | null;
  /** Every format that fits. */
  readonly formats: readonly string[];
  /** Earliest and latest date, `YYYY-MM-DD`; `null` without a date. */
  readonly first: string | null;
  readonly last: string | null;
  /** Up to three texts with their dates. */
  readonly samples: readonly { readonly text: string; readonly date: string }[];
  /** Up to ten cells that are no date in this format: those rows are rejected one by one. */
  readonly odd: readonly string[];
  /** The member that the column fills, `state` for a state column, or `null`. */
  readonly role: 'started' | 'last activity' | 'state' | null;
}

export interface FoundSheet {
  readonly name: string;
  readonly isImported: boolean;
  /** Why it is not imported. */
  readonly reason: string | null;
}

/** A column that no kind depends on and no member is filled from: a person may bring it in. */
export interface OtherColumn {
  readonly column: string;
  /** Distinct texts, up to 300. */
  readonly distinct: number;
  readonly samples: readonly string[];
  /** How it would be read as a state column; `null` for free text. */
  readonly state: StateColumn | null;
}

/** What a person chose so far; an absent member is found by the values. */
export interface Choices {
  readonly learner?: string | undefined;
  readonly course?: string | undefined;
  /** Formats of dates by column. */
  readonly dates?: Readonly<Record<string, string>> | undefined;
  /** State columns that a person brought in (`true`) or put out (`false`). */
  readonly state?: Readonly<Record<string, boolean>> | undefined;
  readonly timeZone?: string | undefined;
}

/** What the platform knows; without it columns are found by their header and form alone. */
export interface Platform {
  /** Those of up to 100 addresses or old ids that are learners of the company. */
  readonly knownLearners: (texts: readonly string[]) => Promise<ReadonlySet<string>>;
  /** The course of an old id or a title. */
  readonly courseOf: (text: string) => number | undefined;
}

export interface Findings {
  readonly file: string;
  readonly encoding: string | null;
  readonly rows: number;
  readonly learner: FoundColumn;
  readonly course: FoundColumn;
  readonly dates: readonly FoundDates[];
  readonly sheets: readonly FoundSheet[];
  readonly columns: Readonly<Record<string, StateColumn>>;
  /** Most rows first. */
  readonly kinds: readonly Kind[];
  readonly others: readonly OtherColumn[];
  /** State columns that are free text: with them there are more than 60 kinds, so a person says which are needed. */
  readonly freeText: readonly string[];
  readonly choices: Choices;
  /** The mapping without its confirmed kinds. */
  readonly base: Mapping;
}
