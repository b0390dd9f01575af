/** How a preset describes an export. */
import type { Field } from './fields.ts';
import type { Mapping, ValueSource } from './schema.ts';

/** A header, or a rule for it; `column` is a header. The first one whose columns the file has, filled, is taken. */
export type Candidate = string | ValueSource;

export interface Shape {
  /** Headers by which this export of the system is recognised. */
  readonly has: readonly string[];
  readonly record: Readonly<Partial<Record<Field, readonly Candidate[]>>>;
  readonly settings?: Partial<Mapping>;
  /** Headers of the user and the course: rows that have both in common are attempts at one course, or parts of it. */
  readonly group_by?: readonly (readonly string[])[];
  /** Rules of `skip`, by the headers that their column may have. */
  readonly skip?: readonly { readonly columns: readonly string[]; readonly is: readonly string[] }[];
  /** Columns with a state, each next to one with its date and no header, are classes. */
  readonly activities?: true;
  /** The export has no dates at all. */
  readonly keepsDates?: true;
}

export const DONE = (column: string): ValueSource => ({ column, if_filled: 100 });
export const PROGRESS_OF = (column: string): ValueSource => ({
  column,
  values: {
    'Completed*': 100,
    Complete: 100,
    Passed: 100,
    'Not*': 0,
    'In Progress*': 0,
    'Incomplete*': 0,
    'Registered*': 0,
    'Enrolled*': 0,
    'Subscribed*': 0,
    'Started*': 0,
    'Failed*': 0,
  },
});
export const TOTALS = { columns: ['#1'], is: ['Total*', 'Summe*', 'Gesamt*', 'Grand total*'] };
