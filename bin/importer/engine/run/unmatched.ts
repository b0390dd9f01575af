/** Rejected records of courses and learners that the platform does not find: mostly retired courses and leavers. */
import { datesOf } from '../apply/compile.ts';
import { type Field, memberOf } from '../ground/fields.ts';
import type { Entry } from '../apply/record-source.ts';

const OF_COURSE: ReadonlySet<string> = new Set(['course_not_in_catalog', 'external_course_id_not_mapped']);
const OF_LEARNER: ReadonlySet<string> = new Set(['user_not_found', 'user_inactive', 'external_user_id_not_mapped']);

/** The first and the last day, `2021-03-01`; `null` without a date. */
interface Span {
  readonly from: string | null;
  readonly to: string | null;
}

/** A course or a learner without a counterpart, with the days of its rows. */
export interface Lacking extends Span {
  /** The id or address in the file. */
  readonly name: string;
  readonly reason: string;
  readonly rows: number;
}

export type Unmatched = ReturnType<UnmatchedTally['unmatched']>;

type Errors = readonly { readonly error_code: string }[];

/** Counts rejected records by course and learner. */
export class UnmatchedTally {
  #rows = 0;
  readonly #courses = new Map<string, Lacking>();
  readonly #learners = new Map<string, Lacking>();

  add({ record, joined }: Pick<Entry, 'record' | 'joined'>, errors: Errors): void {
    const ofCourse = errors.find(({ error_code }) => OF_COURSE.has(error_code))?.error_code;
    const ofLearner = errors.find(({ error_code }) => OF_LEARNER.has(error_code))?.error_code;
    if (ofCourse === undefined && ofLearner === undefined) return;
    const rows = joined?.length ?? 1;
    this.#rows += rows;
    const days = daysOf(record);
    if (ofCourse !== undefined) count(this.#courses, { name: courseOf(record), reason: ofCourse, rows, ...days });
    if (ofLearner !== undefined) count(this.#learners, { name: learnerOf(record), reason: ofLearner, rows, ...days });
  }

  /** The most frequent first; a row may lack both its course and its learner. */
  unmatched() {
    return { rows: this.#rows, courses: mostFirst(this.#courses), learners: mostFirst(this.#learners) };
  }
}

function count(sums: Map<string, Lacking>, added: Lacking): void {
  const known = sums.get(added.name);
  if (known === undefined) sums.set(added.name, added);
  else {
    const days = [known.from, known.to, added.from, added.to].filter((day) => day !== null).toSorted();
    sums.set(added.name, { ...known, rows: known.rows + added.rows, ...spanOf(days) });
  }
}

/** @param days in order */
const spanOf = (days: readonly string[]): Span => ({ from: days[0] ?? null, to: days.at(-1) ?? null });

const mostFirst = (sums: ReadonlyMap<string, Lacking>): Lacking[] =>
  [...sums.values()].toSorted((a, b) => b.rows - a.rows || (a.name < b.name ? -1 : 1));

function daysOf(record: unknown): Span {
  const days = datesOf(record)
    .map((date) => Date.parse(String(date)))
    .filter((ms) => !Number.isNaN(ms))
    .map((ms) => new Date(ms).toISOString().slice(0, 10))
    .toSorted();
  return spanOf(days);
}

const courseOf = (record: unknown): string =>
  nameIn(record, 'content.platform_course_id', 'content.external_course_id');

/** Addresses compare without regard to letter case. */
const learnerOf = (record: unknown): string => nameIn(record, 'user.external_user_id', 'user.email').toLowerCase();

function nameIn(record: unknown, ...fields: readonly Field[]): string {
  const name = fields.map((field) => memberOf(record, field)).find((value) => value !== undefined);
  return typeof name === 'string' ? name : JSON.stringify(name ?? '');
}
