/** The comparison of a whole file: counts by course, and the rows that are not equal. */
import type { RecordResult } from '../../client/types.ts';
import type { Place } from '../records/record-id-set.ts';
import { asObject, compare, type Comparison, type State } from './compare.ts';

export type Counts = Record<State, number>;

export interface CourseCounts extends Counts {
  /** The platform's id; else the old system's id, as in the file. */
  readonly course: number | string | null;
  /** The catalog's title; `null` for a course that is not in it. */
  readonly title: string | null;
  readonly rows: number;
}

/** A row that is not equal. */
export interface Finding extends Comparison, Place {
  readonly external_record_id: string | null;
  readonly course: number | string | null;
  readonly learner: string | null;
  /** The record of the platform under this id; absent if it was not read. */
  readonly there?: string;
}

const noCounts = (): Counts => ({ equal: 0, higher: 0, different: 0, missing: 0 });

export class Tally {
  readonly counts = noCounts();
  readonly findings: Finding[] = [];
  readonly #courses = new Map<number | string | null, Counts>();
  readonly #titles: ReadonlyMap<number, string>;

  /** @param titles the catalog: titles by id */
  constructor(titles: ReadonlyMap<number, string>) {
    this.#titles = titles;
  }

  add(record: unknown, result: RecordResult, place: Place): State {
    const course = result.progress?.platform_course_id ?? courseOf(record);
    const comparison = compare(record, result);
    this.#count(course, comparison.state);
    if (comparison.state !== 'equal')
      this.findings.push({
        ...place,
        external_record_id: result.external_record_id,
        learner: learnerOf(record),
        course,
        ...comparison,
      });
    return comparison.state;
  }

  /** A row that was never sent, because an earlier one has its id. */
  addRepeat(record: unknown, external_record_id: string, place: Place, first: Place): void {
    const course = courseOf(record);
    this.#count(course, 'missing');
    const reason = `Line ${first.line} of ${first.file} has the same external_record_id.`;
    this.findings.push({ ...place, external_record_id, learner: learnerOf(record), course, state: 'missing', reason });
  }

  get rows(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  courses(): CourseCounts[] {
    return [...this.#courses]
      .map(([course, counts]) => ({
        course,
        title: typeof course === 'number' ? (this.#titles.get(course) ?? null) : null,
        rows: Object.values(counts).reduce((sum, count) => sum + count, 0),
        ...counts,
      }))
      .toSorted((a, b) => String(a.course).localeCompare(String(b.course), 'en', { numeric: true }));
  }

  #count(course: number | string | null, state: State): void {
    const counts = this.#courses.get(course) ?? noCounts();
    this.#courses.set(course, counts);
    counts[state] += 1;
    this.counts[state] += 1;
  }
}

function courseOf(record: unknown): number | string | null {
  const { platform_course_id, external_course_id } = asObject(asObject(record)['content']);
  return textOrNumber(platform_course_id ?? external_course_id);
}

function learnerOf(record: unknown): string | null {
  const { email, external_user_id } = asObject(asObject(record)['user']);
  const found = textOrNumber(email ?? external_user_id);
  return found === null ? null : String(found);
}

const textOrNumber = (value: unknown): number | string | null =>
  typeof value === 'string' || typeof value === 'number' ? value : null;
