/**
 * What a file says, and what a person confirms of it. The page and the command work with the same four steps:
 *
 * 1. `findKinds(sources, { platform, choices, confirmed, onRow })` reads the whole files and returns `Findings`.
 * 2. A choice of a column, a date format or a shape is a change of `Choices`: call `findKinds` again with it.
 * 3. A choice of an outcome is `withOutcome(findings, values, outcome)`; `confirmSuggestions(findings)` confirms every
 *    kind that has a suggestion and no other. `openQuestions(findings)` lists what is not decided.
 * 4. `mappingOf(findings, inWords)` is the mapping file: what is confirmed, and the counts it was confirmed on. Rows of other
 *    kinds are rejected with `unconfirmed_kind` when the file is imported.
 */
import type { ConfirmedKind, KindValues, Mapping, MappingChoices, Outcome, StateColumn } from './schema.ts';
import type { Said } from '../ground/codes.ts';
import type { FoundSheet } from '../read/sheets.ts';

export type { ConfirmedKind, Kinds, KindValues, Outcome, StateColumn } from './schema.ts';

/** The date of an outcome that a person set to the day of the import; any other date is a column. */
export const IMPORT_DAY = ':import day';

/** In place of the format of a column of dates that is not read at all. */
export const LEAVE_OUT = 'leave_out';

export interface SampleRow {
  readonly line: number;
  /** Text of the learner's and the course's column. */
  readonly learner: string;
  readonly course: string;
  /** The cells of the state columns, by column. */
  readonly cells: KindValues;
}

/** What the rows of a kind may become; `outcome` is `null` where a person has to say. */
export interface Suggestion {
  readonly outcome: Outcome['outcome'] | null;
  /** Column of the date, `:import day`, or `null`. */
  readonly date: string | null;
  readonly percent: string | null;
  /** Why it is suggested, why nothing is, or why the rows are left out: the name of the rule that decided. */
  readonly reason: Said | null;
}

/** A kind as found: its outcome is a suggestion until it is confirmed. */
export interface Kind extends Suggestion {
  readonly values: KindValues;
  readonly rows: number;
  /** Up to three lines, those of `samples`. */
  readonly lines: readonly number[];
  readonly samples: readonly SampleRow[];
  /** By our rules, whatever was proposed or confirmed. */
  readonly suggested: Suggestion;
  /** By a program, an assistant or a colleague, in place of ours. A person confirms it by hand. */
  readonly proposed?: Suggestion | undefined;
  /** The rule that says what the word of a column means, by its name. */
  readonly words: Readonly<Record<string, string>>;
  readonly confirmed: boolean;
}

/** An outcome that a person may choose, or that is suggested; `reason` says why rows are left out. */
export type ChosenOutcome = Omit<Outcome, 'reason'> & { readonly reason?: Said | null | undefined };

/** A kind of an earlier mapping, with the words of its reason, or one that was confirmed here. */
export type KnownKind = Omit<ConfirmedKind, 'reason'> & { readonly reason?: string | Said | null | undefined };

/** A column that may name learners or courses. `found` of `of` distinct sampled texts are known; `null` without a platform. */
export interface ColumnChoice {
  readonly column: string;
  readonly found: number | null;
  readonly of: number;
  /** The column has more texts than were looked up. */
  readonly isSample?: boolean;
}

/** `column` is the suggestion; `isUndecided` where several columns may be meant, listed in `others`, and a person must choose. */
export interface FoundColumn extends Omit<ColumnChoice, 'column'> {
  readonly column: string | null;
  readonly isUndecided: boolean;
  readonly others: readonly ColumnChoice[];
  /** Up to ten texts that the platform does not know. */
  readonly unknown: readonly string[];
}

/** A column of dates. */
export interface FoundDates {
  readonly column: string;
  /** The format that nearly all values have; `null` if day and month may be swapped, or some are: until chosen, `formats[0]` is read. */
  readonly format: string | null;
  readonly formats: readonly string[];
  /** Earliest and latest date, `YYYY-MM-DD`; `null` without a date. */
  readonly first: string | null;
  readonly last: string | null;
  /** Up to three texts with their dates. */
  readonly samples: readonly { readonly text: string; readonly date: string }[];
  /** How many cells can only be day first, and only month first, where there are both and nobody has chosen: one order is rejected, or both. */
  readonly orders: { readonly day: number; readonly month: number } | null;
  /** Up to ten cells that are no date in this format: those rows are rejected one by one. */
  readonly odd: readonly string[];
  /** The member that the column fills, `state` for a state column, or `null`. */
  readonly role: 'started' | 'last activity' | 'state' | null;
  /** By its header it completes nothing: a due date, an expiry. */
  readonly isPlanned?: boolean;
}

/** An address that several people seem to share. */
export interface SharedAddress {
  readonly text: string;
  /** Clearly different names beside it, up to six. */
  readonly names: readonly string[];
}

export interface FoundFractions {
  readonly column: string;
  readonly samples: readonly { readonly text: string; readonly percent: number }[];
  readonly isOpen: boolean;
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
export interface Choices extends MappingChoices {
  readonly timeZone?: string | undefined;
  /** Formats of an earlier mapping, which nobody is asked about again where the dates have one order. */
  readonly formats?: Readonly<Record<string, string>> | undefined;
  /** No column is one of state but those that were brought in. */
  readonly onlyState?: boolean | undefined;
}

/** What the platform knows; without it columns are found by their header and form alone. */
export interface Platform {
  /** Looks up at most 100 addresses or old ids, and returns those of learners of the company, in any case. */
  readonly knownLearners: (texts: readonly string[]) => Promise<ReadonlySet<string>>;
  /** The course of an old id or a title. */
  readonly courseOf: (text: string) => number | undefined;
}

/** Everything that was found in a file, and what a person has chosen and confirmed of it. */
export interface Findings {
  readonly file: string;
  readonly encoding: string | null;
  /** The known export that the file looks like; a suggestion until `confirmed`. */
  readonly system: {
    readonly id: string;
    readonly name: Readonly<Record<string, string>>;
    readonly confirmed: boolean;
  } | null;
  readonly rows: number;
  readonly learner: FoundColumn;
  readonly course: FoundColumn;
  readonly dates: readonly FoundDates[];
  readonly sheets: readonly FoundSheet[];
  readonly columns: Readonly<Record<string, StateColumn>>;
  /** The rule that decided about each column, by its name. */
  readonly why: Readonly<Record<string, Said>>;
  /** Most rows first. */
  readonly kinds: readonly Kind[];
  readonly others: readonly OtherColumn[];
  /** State columns of words that nobody knows: a person may set them aside with `choices.state`. */
  readonly unclear: readonly string[];
  /** State columns that are free text: with them there are more than 60 kinds, so a person says which are needed. */
  readonly freeText: readonly string[];
  /** The shape of the table; empty where each row is one learner in one course. */
  readonly shape: readonly Said[];
  /** Empty cells take the text of the row above, which may be another learner's: `choices.shape` says whether they do. */
  readonly isShapeOpen: boolean;
  /** Columns of parts of a course: several rows of a learner in one course differ in them. */
  readonly parts: readonly string[];
  /** Columns of percentages without a number above 1, with up to three examples; `isOpen`: a person has to say. */
  readonly fractions: readonly FoundFractions[];
  /** Addresses with clearly different names beside them that no person has decided yet; at most 50. */
  readonly shared: readonly SharedAddress[];
  /** Times without a zone: `choices.timeZone` says where they are. */
  readonly localTimes: number;
  /** Confirmed kinds of the mapping that no row of this file is of. */
  readonly earlier: readonly KnownKind[];
  readonly choices: Choices;
  /** The mapping without its confirmed kinds. */
  readonly base: Mapping;
}
