/** Causes that a person does the same about, in words. */
import { ownValue } from '../../engine/ground/own-value.ts';
import { shown } from '../../engine/ground/text.ts';
import { TEXT } from '../texts/index.ts';
import type { Cause } from '../worker/causes.ts';
import { reasonOf } from './record-words.ts';

const text = TEXT.rejected;

export interface Placed extends Cause {
  /** Among all causes. */
  readonly position: number;
}

type What = 'unknown' | 'inactive' | 'courses' | 'kinds' | 'cells';

export interface CauseGroup {
  readonly what: What;
  readonly causes: readonly Placed[];
  readonly rows: number;
}

const WHAT: Readonly<Record<string, What>> = {
  user_not_found: 'unknown',
  external_user_id_not_mapped: 'unknown',
  user_inactive: 'inactive',
  course_not_in_catalog: 'courses',
  external_course_id_not_mapped: 'courses',
  unconfirmed_kind: 'kinds',
  pair_undecided: 'kinds',
};

type Named = Pick<Cause, 'code' | 'value'>;

const isNamed = ({ code, value }: Named): boolean => value !== '' || code === 'pair_undecided';

/** What kind of thing is wrong, by which a person knows what to do. */
export const whatOf = (cause: Named): What => (isNamed(cause) ? (ownValue(WHAT, cause.code) ?? 'cells') : 'cells');

/** The most rows first. */
export function groupsOf(causes: readonly Cause[]): CauseGroup[] {
  const placed = causes.map((cause, position): Placed => ({ ...cause, position })).toSorted((a, b) => b.rows - a.rows);
  const groups = Map.groupBy(placed, (cause) => {
    const what = whatOf(cause);
    return what === 'kinds' || what === 'cells' ? `${cause.code} ${cause.column}` : what;
  });
  return [...groups.values()]
    .map((own): CauseGroup => ({
      what: own[0] === undefined ? 'cells' : whatOf(own[0]),
      causes: own,
      rows: own.reduce((sum, { rows }) => sum + rows, 0),
    }))
    .toSorted((a, b) => b.rows - a.rows);
}

const MOST_NAMED = 3;

const named = (names: readonly string[]): string =>
  text.and(names.slice(0, MOST_NAMED).map(shown).join(', '), Math.max(0, names.length - MOST_NAMED));

/** What is wrong, and with what. */
export function wordsOf({ what, causes }: CauseGroup): readonly [title: string, names: string] {
  const names = [...new Set(causes.map(({ value }) => value))];
  const [first] = causes;
  if (what === 'unknown') return [text.unknownPeople(names.length), named(names)];
  if (what === 'inactive') return [text.inactivePeople(names.length), named(names)];
  if (what === 'courses') return [text.unknownCourses(names.length), named(names)];
  if (first === undefined) return [text.other, ''];
  if (causes.length === 1) return [reasonOf(first), TEXT.atLine(first.line)];
  const title = ownValue(text.reasons, first.code)?.() ?? text.other;
  return [title, named(causes.map(({ value, line }) => text.inLine(value, line)))];
}
