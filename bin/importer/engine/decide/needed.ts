/** Which of the columns that were counted say something of a row: the others are left out of the kinds. */
import { meaningOf, meansDone } from '../lexicon/words.ts';
import { asks } from './asks.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import type { FoundColumns } from './found.ts';
import { isDayOfStatus } from '../profile/roles.ts';
import { isOfWords, MOST_WORDS } from './state-columns.ts';
import type { KindTally } from './tally.ts';
import type { KindValues, StateColumn } from '../language/findings.ts';

export interface CountedColumns {
  readonly all: ReadonlyMap<string, StateColumn>;
  /** Those that are no mere guess. */
  readonly certain: ReadonlyMap<string, StateColumn>;
  /** Types of items. */
  readonly items: ReadonlySet<string>;
}

/** A column of dates, and its first day. */
interface Days {
  readonly column: ColumnProfile;
  readonly first: string | null;
}

/** @param tally loses the columns that no kind needs. @param dates every column of dates */
export function leaveOutUnneeded(
  tally: KindTally,
  { all, certain, items }: CountedColumns,
  found: FoundColumns,
  dates: readonly Days[],
): void {
  leaveOutUnrelated(tally, certain, items);
  leaveOutDaysOfOthers(tally, certain, found, dates);
  leaveOutResults(tally, all, certain, found.roles);
  leaveOutFreeText(tally, certain, found);
}

/** How strongly a column of unknown words has to vary with the certain ones. */
const LEAST_ASSOCIATION = 0.2;

/** A column of unknown words that varies with nothing is never needed, where another column says a state; one of items is. */
function leaveOutUnrelated(
  tally: KindTally,
  certain: ReadonlyMap<string, StateColumn>,
  items: ReadonlySet<string>,
): void {
  const own = tally.names.filter((name) => certain.has(name));
  if (own.every((name) => certain.get(name)?.read === 'date')) return;
  for (const name of tally.names.filter((each) => !certain.has(each) && !items.has(each)))
    if (!tally.varies(name, own, LEAST_ASSOCIATION) && !tally.refines(name, own)) tally.leaveOut(name);
}

/**
 * A percentage that most completed rows have less than 100 of is a result, or what is left to do, unless its header speaks of progress.
 * Numbers of which nothing else says so are a percentage if just the completed rows have 100.
 */
function leaveOutResults(
  tally: KindTally,
  all: ReadonlyMap<string, StateColumn>,
  certain: ReadonlyMap<string, StateColumn>,
  roles: FoundColumns['roles'],
): void {
  const progress = roles.get('progress.completion_pct')?.reference;
  const isDone = doneReader(certain, roles);
  const kinds = tally.kinds();
  const done = kinds.filter(({ values }) => isDone(values));
  const rowsOf = (some: typeof done): number => some.reduce((sum, { rows }) => sum + rows, 0);
  for (const [name, { read, out_of }] of all) {
    if (!['percent', 'share'].includes(read) || out_of !== undefined || name === progress) continue;
    const less = done.filter(({ values }) => ['0', 'between'].includes(values[name] ?? ''));
    const isShare = certain.has(name) || kinds.every(({ values }) => (values[name] === '100') === isDone(values));
    if (!isShare || rowsOf(less) * 2 > rowsOf(done)) tally.leaveOut(name);
  }
}

const wordsIn = (certain: ReadonlyMap<string, StateColumn>): string[] =>
  [...certain].flatMap(([name, column]) => (isOfWords(column) ? name : []));

/** A day a year later is that of an expiry. */
const MOST_APART_MS = 300 * 24 * 60 * 60 * 1000;

/** A day that all have who are done by their words, and some who are not, is not that of an outcome, where just they have another one. */
function leaveOutDaysOfOthers(
  tally: KindTally,
  certain: ReadonlyMap<string, StateColumn>,
  { roleOf }: FoundColumns,
  facts: readonly Days[],
): void {
  const words = wordsIn(certain);
  const says = (values: KindValues, means: (text: string) => boolean) =>
    words.some((name) => means(values[name] ?? ''));
  const all = tally.kinds().map(({ values }) => values);
  const done = all.filter((values) => says(values, meansDone));
  const others = all.filter((values) => !done.includes(values) && says(values, meansOpen));
  const areFilled = (name: string): boolean => done.length > 0 && done.every((values) => values[name] !== 'empty');
  const someFilled = (name: string): boolean => others.some((values) => values[name] !== 'empty');
  const dates = facts.filter(
    ({ column: { reference } }) => certain.get(reference)?.read === 'date' && areFilled(reference),
  );
  const own = dates.filter(({ column }) => !someFilled(column.reference));
  for (const { column, first } of dates) {
    const isNamed = roleOf.has(column) || asks(column) !== undefined || isDayOfStatus(column);
    const isBeside = own.some((day) => Date.parse(day.first ?? '') - Date.parse(first ?? '') < MOST_APART_MS);
    if (!isNamed && someFilled(column.reference) && isBeside) tally.leaveOut(column.reference);
  }
}

const meansOpen = (text: string): boolean =>
  ['in_progress', 'not_started', 'incomplete'].includes(meaningOf(text) ?? '');

/** Who is done by the progress, a word, or the day of completion; where no word says it, by any day. */
function doneReader(
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
    values[progress] === '100' ||
    days.some((name) => values[name] === 'a date') ||
    words.some((name) => meansDone(values[name] ?? ''));
}

/** Until a person can read the kinds: unknown words first, then the columns with most texts, which a person is asked about. */
function leaveOutFreeText(
  tally: KindTally,
  certain: ReadonlyMap<string, StateColumn>,
  { profile, candidates }: FoundColumns,
): void {
  const columns = new Map(profile.columns.map((column) => [column.reference, column]));
  const texts = (name: string): number => columns.get(name)?.texts.size ?? 0;
  const order = tally.names
    .filter((name) => certain.get(name)?.read !== 'date')
    .toSorted((a, b) => Number(certain.has(a)) - Number(certain.has(b)) || texts(b) - texts(a));
  for (const name of order) {
    if (tally.size <= MOST_WORDS) return;
    if (certain.has(name) && texts(name) <= 4) continue;
    tally.leaveOut(name);
    const column = columns.get(name);
    if (certain.has(name) && column !== undefined) candidates.freeText.push(column);
  }
}
