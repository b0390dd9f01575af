/** Which of the columns that were counted say something of a row: the others are left out of the kinds. */
import { ownValue } from '../ground/own-value.ts';
import { type PlainCode, type Said, say } from '../ground/codes.ts';
import { meaningOf, meansDone } from '../lexicon/words.ts';
import { asks } from './asks.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import type { FoundColumns } from './found.ts';
import { isDayOfStatus } from '../profile/roles.ts';
import { isOfWords, MOST_WORDS } from './column-facts.ts';
import type { KindTally } from './tally.ts';
import type { KindValues, StateColumn } from '../language/findings.ts';

/** A column of dates, and its first day. */
interface Days {
  readonly column: ColumnProfile;
  readonly first: string | null;
}

/** What is known of the columns of kinds once their rows are counted. */
interface CountedColumns {
  readonly tally: KindTally;
  readonly all: ReadonlyMap<string, StateColumn>;
  /** Those that are no mere guess. */
  readonly certain: ReadonlyMap<string, StateColumn>;
  /** Types of items. */
  readonly items: ReadonlySet<string>;
  /** Types of items that differ in no course, and others that are the same for a learner or a course. */
  readonly ofOne: ReadonlySet<string>;
  readonly found: FoundColumns;
  /** Every column of dates. */
  readonly dates: readonly Days[];
}

interface NeededRule {
  readonly name: PlainCode;
  readonly example: string;
  /** Columns are left out one by one, and each may change what is said of the next. */
  readonly leavesOut: (counted: CountedColumns) => Iterable<string>;
}

/** In this order, each leaves out the columns that no kind needs. */
export const NEEDED_RULES: readonly NeededRule[] = [
  {
    name: 'activity_of_the_course',
    example:
      'Quiz completion date: 2024-01-02; Quiz: Completed; Lesson: Completed; Lesson completion date: 2024-01-02; Course completed: 2024-01-02 / Quiz completion date: ; Quiz: Not completed; Lesson: Not completed; Lesson completion date: ; Course completed: ',
    leavesOut: ofActivities,
  },
  {
    name: 'same_types_in_each_course',
    example: '@table: the type of each course says nothing of its rows',
    leavesOut: ({ items, ofOne }) => [...ofOne].filter((name) => items.has(name)),
  },
  {
    name: 'same_for_one_learner_or_course',
    example: '@made: tracks of learners',
    leavesOut: ({ items, ofOne }) => [...ofOne].filter((name) => !items.has(name)),
  },
  { name: 'varies_with_nothing', example: '@choice: the column of the learner', leavesOut: unrelated },
  {
    name: 'day_of_unfinished_rows_too',
    example:
      'ENRL_DT: 12-MAY-23; STTS: Completed; COMPL_DT: 22-JUN-23 / ENRL_DT: 19-MAY-23; STTS: In progress; COMPL_DT:  / ENRL_DT: 31-MAR-23; STTS: Completed; COMPL_DT: 24-JUL-23',
    leavesOut: daysOfOthers,
  },
  {
    name: 'result_of_finished_rows',
    example:
      'Left (%): 0; Status: Completed; Completion date: 2024-01-02 / Left (%): 40; Status: In progress; Completion date:  / Left (%): 0; Status: Completed; Completion date: 2024-01-03',
    leavesOut: results,
  },
  { name: 'too_many_kinds', example: '@made: two columns of nine words each', leavesOut: freeText },
];

/** @param why gets the rule that left a column out */
export function leaveOutUnneeded(counted: CountedColumns, why: Map<string, Said>): void {
  for (const { name, leavesOut } of NEEDED_RULES) {
    const found = leavesOut(counted);
    for (const columns of Array.isArray(found) ? [Array.from<string>(found)] : oneByOne(found)) {
      counted.tally.leaveOut(...columns);
      for (const column of columns) why.set(column, say(name, {}));
    }
  }
}

/** Each name is left out before a rule finds the next one, so that it looks at the tally anew. */
function* oneByOne(names: Iterable<string>): Generator<readonly string[]> {
  for (const name of names) yield [name];
}

/** How strongly a column of unknown words has to vary with the certain ones. */
const LEAST_ASSOCIATION = 0.2;

/** A column of unknown words that varies with nothing is never needed, where another column says a state; one of items is. */
function unrelated({ tally, certain, items }: CountedColumns): string[] {
  const own = tally.names.filter((name) => certain.has(name));
  if (own.every((name) => certain.get(name)?.read === 'date')) return [];
  return tally.names.filter(
    (name) =>
      !certain.has(name) &&
      !items.has(name) &&
      !tally.varies(name, own, LEAST_ASSOCIATION) &&
      !tally.refines(name, own),
  );
}

/**
 * A percentage that most completed rows have less than 100 of is a result, or what is left to do, unless its header speaks of progress.
 * Numbers of which nothing else says so are a percentage if just the completed rows have 100.
 */
function results({ tally, all, certain, found: { roles } }: CountedColumns): string[] {
  const progress = roles.get('progress.completion_pct')?.reference;
  const isFinished = finishedReader(certain, roles);
  const kinds = tally.kinds();
  const done = kinds.filter(({ values }) => isFinished(values));
  const rowsOf = (some: typeof done): number => some.reduce((sum, { rows }) => sum + rows, 0);
  return [...all].flatMap(([name, { read, out_of }]) => {
    if (!['percent', 'share'].includes(read) || out_of !== undefined || name === progress) return [];
    const less = done.filter(({ values }) => ['0', 'between'].includes(ownValue(values, name) ?? ''));
    const isShare =
      certain.has(name) || kinds.every(({ values }) => (ownValue(values, name) === '100') === isFinished(values));
    return !isShare || rowsOf(less) * 2 > rowsOf(done) ? [name] : [];
  });
}

const wordsIn = (certain: ReadonlyMap<string, StateColumn>): string[] =>
  [...certain].flatMap(([name, column]) => (isOfWords(column) ? name : []));

/** A day that comes later by more is that of an expiry. */
const MOST_APART_MS = 300 * 24 * 60 * 60 * 1000;

/** Drops a date column that unfinished rows also fill, if another date column is filled for finished rows only. */
function daysOfOthers({ tally, certain, found: { roleOf }, dates: facts }: CountedColumns): string[] {
  const words = wordsIn(certain);
  const says = (values: KindValues, means: (text: string) => boolean) =>
    words.some((name) => means(ownValue(values, name) ?? ''));
  const all = tally.kinds().map(({ values }) => values);
  const done = all.filter((values) => says(values, meansDone));
  const others = all.filter((values) => !done.includes(values) && says(values, meansOpen));
  const areFilled = (name: string): boolean =>
    done.length > 0 && done.every((values) => ownValue(values, name) !== 'empty');
  const someFilled = (name: string): boolean => others.some((values) => ownValue(values, name) !== 'empty');
  const dates = facts.filter(
    ({ column: { reference } }) => certain.get(reference)?.read === 'date' && areFilled(reference),
  );
  const own = dates.filter(({ column }) => !someFilled(column.reference));
  return dates.flatMap(({ column, first }) => {
    const isKnownDay = roleOf.has(column) || asks(column) !== undefined || isDayOfStatus(column);
    const hasOther = own.some((day) => Date.parse(day.first ?? '') - Date.parse(first ?? '') < MOST_APART_MS);
    return !isKnownDay && someFilled(column.reference) && hasOther ? [column.reference] : [];
  });
}

/** More kinds of activities are no question that a person answers one by one. */
const MOST_OF_ACTIVITIES = 12;

/** The days of activities whose words say the same; beside the day of the course, the last ones until few kinds are left. */
function* ofActivities({ tally, found: { activities } }: CountedColumns): Generator<string> {
  if (activities === undefined) return;
  const names = [...activities.days].map(([day, words]) => [day.reference, words?.reference ?? ''] as const);
  for (const [day, words] of names) if (tally.names.includes(words)) yield day;
  if (activities.whole === undefined) return;
  for (const [day, words] of names.toReversed()) {
    if (tally.size <= MOST_OF_ACTIVITIES) return;
    yield* [day, words].filter((name) => tally.names.includes(name));
  }
}

const meansOpen = (text: string): boolean =>
  ['in_progress', 'not_started', 'incomplete'].includes(meaningOf(text) ?? '');

/** Who is done by the progress, a word, or the day of completion; where no word says it, by any day. */
function finishedReader(
  certain: ReadonlyMap<string, StateColumn>,
  roles: FoundColumns['roles'],
): (values: KindValues) => boolean {
  const progress = roles.get('progress.completion_pct')?.reference ?? '';
  const day = roles.get('progress.completed_at')?.reference;
  const words = wordsIn(certain);
  const days = [...certain].flatMap(([name, { read }]) =>
    read === 'date' && (words.length === 0 || name === day) ? name : [],
  );
  return (values) =>
    ownValue(values, progress) === '100' ||
    days.some((name) => ownValue(values, name) === 'a date') ||
    words.some((name) => meansDone(ownValue(values, name) ?? ''));
}

/** Until a person can read the kinds: unknown words first, then the columns with most texts, which a person is asked about. */
function* freeText({ tally, certain, found: { profile, candidates } }: CountedColumns): Generator<string> {
  const columns = new Map(profile.columns.map((column) => [column.reference, column]));
  const texts = (name: string): number => columns.get(name)?.texts.size ?? 0;
  const order = tally.names
    .filter((name) => certain.get(name)?.read !== 'date')
    .toSorted((a, b) => Number(certain.has(a)) - Number(certain.has(b)) || texts(b) - texts(a));
  for (const name of order) {
    if (tally.size <= MOST_WORDS) return;
    if (certain.has(name) && texts(name) <= 4) continue;
    yield name;
    const column = columns.get(name);
    if (certain.has(name) && column !== undefined) candidates.freeText.push(column);
  }
}
