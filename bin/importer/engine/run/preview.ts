/** The content of the records of a file, and the writes of an import: for a person to review before the import. */
import type { Import, RecordResult } from '../../wire/types.ts';
import { externalRecordIdOf } from '../../wire/values.ts';
import { datesOf } from '../apply/compile.ts';
import { type Field, isObject, memberOf } from '../ground/fields.ts';
import { IDENTITY } from '../apply/join-records.ts';
import type { Note } from '../language/notes.ts';
import { msOfDate } from '../apply/value-reader.ts';
import { TextNumbers } from '../ground/record-ids.ts';
import type { Row } from '../read/open-source.ts';

/** Something that is allowed, and rarely meant. */
interface Oddity {
  readonly what: OddityCode;
  count: number;
  /** Line of the first record. */
  readonly line: number;
}

interface DateRange {
  from: string;
  to: string;
}

/** The dates that a learner's progress has. */
const WRITTEN_DATES = ['started_at', 'last_activity_at', 'completed_at', 'certified_at'] as const;
type WrittenDate = (typeof WRITTEN_DATES)[number];

/** The part of a result that is counted. */
type Written = Pick<
  NonNullable<RecordResult['progress']>,
  WrittenDate | 'user_id' | 'platform_course_id' | 'completion_pct' | 'approved_course'
>;

interface CourseCount {
  readonly platform_course_id: number;
  records: number;
  completed: number;
  certified: number;
}

/** `{ completions: 3, learners: 2 }`: two learners completed a course three times. The fewest completions first. */
type Renewals = readonly { readonly completions: number; readonly learners: number }[];

/** A row and its record. `before` and `after` are the learner's progress in the course; `undefined` until a dry run has shown it. */
export interface Sample {
  readonly line: number;
  readonly cells: readonly string[];
  readonly record: unknown;
  readonly before?: RecordResult['progress'];
  readonly after?: RecordResult['progress'];
}

export type Preview = ReturnType<PreviewBuilder['preview']>;

/** Earlier dates are odd: few learning systems are older. */
export const FIRST_LIKELY_YEAR = 1990;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Collects records and results for the preview. */
export class PreviewBuilder {
  readonly #nowMs: number;
  readonly #learners = new Set<number>();
  readonly #courses = new Map<number, CourseCount>();
  /** Rows that were joined to a record, by its id. */
  readonly #joined = new Map<string, number>();
  readonly #counts = { completed: 0, in_progress: 0, not_started: 0, certified: 0 };
  readonly #dates: Partial<Record<WrittenDate, DateRange>> = {};
  /** Records whose date is the time of the import, because neither the file nor the platform has one. */
  readonly #datedToday: Partial<Record<WrittenDate | 'viewed_at', number>> = {};
  #renewals = new RenewalTally();
  readonly #oddities = new Map<OddityCode, Oddity>();
  #samples = new Samples();

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  /** How many rows a record is of. */
  rowsOf({ external_record_id }: Pick<RecordResult, 'external_record_id'>): number {
    return this.#joined.get(external_record_id ?? '') ?? 1;
  }

  /** Forgets the records; results were not added yet. */
  clear(): void {
    this.#renewals = new RenewalTally();
    this.#samples = new Samples();
    this.#oddities.clear();
    this.#joined.clear();
    delete this.#datedToday.viewed_at;
  }

  /** @param rows that were joined to the record */
  addRecord(record: unknown, line: number, row: Row, rows = 1): void {
    const id = rows > 1 ? externalRecordIdOf(record) : null;
    if (id !== null) this.#joined.set(id, rows);
    const facts = factsOf(record, this.#nowMs);
    for (const [what, holds] of EACH_CHECK) {
      if (!holds(facts)) continue;
      const known = this.#oddities.get(what);
      if (known === undefined) this.#oddities.set(what, { what, count: 1, line });
      else known.count += 1;
    }
    this.#renewals.add(record);
    const classes = memberOf(record, 'progress.classes');
    if (Array.isArray(classes) && classes.some((each: { viewed_at?: unknown } | null) => each?.viewed_at === undefined))
      this.#datedToday.viewed_at = (this.#datedToday.viewed_at ?? 0) + 1;
    this.#samples.add(record, row);
  }

  addResults({ created_at, records }: Pick<Import, 'created_at' | 'records'>): void {
    this.#samples.addResults(records);
    for (const { progress } of records) if (progress !== null) this.#addProgress(progress, created_at);
  }

  #addProgress(progress: Written, createdAt: string): void {
    const { user_id, platform_course_id, completion_pct, approved_course } = progress;
    this.#learners.add(user_id);
    const none = { platform_course_id, records: 0, completed: 0, certified: 0 };
    const course = this.#courses.get(platform_course_id) ?? none;
    this.#courses.set(platform_course_id, course);
    course.records += 1;
    course.completed += completion_pct >= 100 ? 1 : 0;
    course.certified += approved_course;
    this.#counts.certified += approved_course;
    this.#counts[completion_pct >= 100 ? 'completed' : completion_pct > 0 ? 'in_progress' : 'not_started'] += 1;
    for (const name of WRITTEN_DATES) this.#addDate(name, progress[name], createdAt);
  }

  #addDate(name: WrittenDate, date: string | null, createdAt: string): void {
    if (date === null) return;
    if (date === createdAt) {
      this.#datedToday[name] = (this.#datedToday[name] ?? 0) + 1;
      return;
    }
    const range = this.#dates[name];
    if (range === undefined) this.#dates[name] = { from: date, to: date };
    else {
      // All are in UTC with milliseconds, so their texts are in the order of time.
      if (date < range.from) range.from = date;
      if (date > range.to) range.to = date;
    }
  }

  /**
   * The same for the same results, in whichever order they were added: imports end in any order.
   *
   * @param local_times times without a zone, and the zone that they are read in
   */
  preview(values_to_check: readonly Note[], local_times: { readonly count: number; readonly zone: string }) {
    return {
      learners: this.#learners.size,
      courses: [...this.#courses.values()].toSorted(
        (a, b) => b.records - a.records || a.platform_course_id - b.platform_course_id,
      ),
      ...this.#counts,
      dates: inOrder(WRITTEN_DATES, this.#dates),
      dated_today: inOrder([...WRITTEN_DATES, 'viewed_at'], this.#datedToday),
      renewals: this.#renewals.renewals(),
      oddities: [...this.#oddities.values()].toSorted((a, b) => b.count - a.count || a.line - b.line),
      values_to_check,
      local_times,
      samples: this.#samples.list(),
    };
  }
}

/** The members of an object in this order; absent ones stay absent. */
const inOrder = <Name extends string, Value>(names: readonly Name[], members: Partial<Record<Name, Value>>) =>
  Object.fromEntries(
    names.flatMap((name) => (members[name] === undefined ? [] : [[name, members[name]]])),
  ) as typeof members;

/** Comparisons with a missing date (`NaN`) are false. */
const CHECKS = {
  date_in_the_future: ({ all, nowMs }) => all.some((ms) => ms > nowMs + DAY_MS),
  date_before_first_year: ({ all }) => all.some((ms) => ms < Date.UTC(FIRST_LIKELY_YEAR, 0, 1)),
  started_after_completion: ({ started, completed }) => started > completed,
  started_after_last_activity: ({ started, lastActivity }) => started > lastActivity,
  exam_before_start: ({ taken, started }) => taken < started,
  completion_date_below_100: ({ completed, pct }) => !Number.isNaN(completed) && typeof pct === 'number' && pct < 100,
  passed_below_100: ({ status, pct }) => status === 'passed' && typeof pct === 'number' && pct < 100,
  passed_with_low_score: ({ status, score }) => status === 'passed' && typeof score === 'number' && score < 50,
  not_passed_with_full_score: ({ status, score }) => status !== undefined && status !== 'passed' && score === 100,
} satisfies Readonly<Record<string, (record: RecordFacts) => boolean>>;

/** What is checked of each record. */
export type OddityCode = keyof typeof CHECKS;
const EACH_CHECK = Object.entries(CHECKS) as [OddityCode, (record: RecordFacts) => boolean][];

type RecordFacts = ReturnType<typeof factsOf>;

function factsOf(record: unknown, nowMs: number) {
  const dateOf = (field: Field): number => msOf(memberOf(record, field));
  const started = dateOf('progress.started_at');
  const lastActivity = dateOf('progress.last_activity_at');
  const completed = dateOf('progress.completed_at');
  const taken = dateOf('assessment.taken_at');
  const hasClasses = memberOf(record, 'progress.classes') !== undefined;
  return {
    pct: memberOf(record, 'progress.completion_pct'),
    started,
    lastActivity,
    completed,
    taken,
    status: memberOf(record, 'assessment.status'),
    score: memberOf(record, 'assessment.score_pct'),
    // Classes have dates of their own.
    all: hasClasses ? datesOf(record).map(msOf) : [started, lastActivity, completed, taken],
    nowMs,
  };
}

const msOf = (date: unknown): number => (typeof date === 'string' ? msOfDate(date) : Number.NaN);

class RenewalTally {
  readonly #pairs = new TextNumbers();
  #met = 0;
  /** Completions by the number of the learner and course, where there are several. */
  readonly #several = new Map<number, number>();

  add(record: unknown): void {
    const pair = memberOf(record, 'progress.completed_at') === undefined ? undefined : learnerCourseOf(record);
    if (pair === undefined) return;
    const number = this.#pairs.of(pair);
    if (number === this.#met) this.#met += 1;
    else this.#several.set(number, (this.#several.get(number) ?? 1) + 1);
  }

  renewals(): Renewals {
    const learners = new Map<number, number>();
    for (const count of this.#several.values()) learners.set(count, (learners.get(count) ?? 0) + 1);
    return [...learners]
      .toSorted(([a], [b]) => a - b)
      .map(([completions, count]) => ({ completions, learners: count }));
  }
}

/** The learner and the course of a record as one text; `undefined` for a record without a learner. */
function learnerCourseOf(record: unknown): string | undefined {
  if (!isObject(record) || record['user'] === undefined) return undefined;
  let text = '';
  for (const field of IDENTITY) text += `${String(memberOf(record, field))}\n`;
  return text.toLowerCase();
}

const SAMPLES = 20;

/** Every n-th row, with n doubled whenever there are too many. */
export class Samples {
  #every = 1;
  #met = 0;
  #kept: Sample[] = [];

  add(record: unknown, { line, cells, value }: Row): void {
    if (this.#met % this.#every === 0)
      this.#kept.push({ line, cells: cells ?? (isObject(value) ? [JSON.stringify(value)] : []), record });
    this.#met += 1;
    if (this.#kept.length < 2 * SAMPLES) return;
    this.#kept = this.#kept.filter((_, index) => index % 2 === 0);
    this.#every *= 2;
  }

  addResults(results: readonly Pick<RecordResult, 'external_record_id' | 'progress' | 'before'>[]): void {
    const byId = new Map(results.map((result) => [result.external_record_id, result]));
    this.#kept = this.#kept.map((sample) => {
      const id = externalRecordIdOf(sample.record);
      const result = id === null ? undefined : byId.get(id);
      if (result === undefined) return sample;
      // Without `before` nothing would change.
      const { progress: after, before = after } = result;
      return { ...sample, before, after };
    });
  }

  list(): Sample[] {
    return this.#kept.slice(0, SAMPLES);
  }
}
