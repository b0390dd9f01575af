/** A day of completion that agrees with the words of all rows: beside it, a phrase with such a word says no less. */
import { ownValue } from '../ground/own-value.ts';
import type { Kind, KindValues } from '../language/findings.ts';
import { isNotDone, meaningOf, meansDone, saysStopped } from '../lexicon/words.ts';
import { isPlanned } from '../profile/roles.ts';
import { asks } from './asks.ts';
import { isOfWords } from './column-facts.ts';
import type { SuggestedBy } from './part.ts';
import { isEnd } from './spans.ts';

/** One row may be a mistake. */
const LEAST_ROWS = 2;

/** @param by state columns by their name in the mapping */
export function tellingDay(
  kinds: readonly Pick<Kind, 'values' | 'rows'>[],
  by: ReadonlyMap<string, SuggestedBy>,
): string | undefined {
  const days = [...by].filter(
    ([, { column, read }]) => read.read === 'date' && asks(column) === 'completed' && !isPlanned(column),
  );
  // `End date` is then that of the course.
  const own = days.filter(([name, each]) => !isEnd({ name, ...each }));
  const [[day] = [], ...others] = own.length === 1 ? own : days;
  if (day === undefined || others.length > 0) return undefined;
  const words = [...by].flatMap(([name, { read }]) => (isOfWords(read) ? [name] : []));
  const areAll = (done: boolean, is: string): boolean => {
    const some = kinds.filter(({ values }) => isDone(values, words) === done);
    const rows = some.reduce((sum, kind) => sum + kind.rows, 0);
    return rows >= LEAST_ROWS && some.every(({ values }) => ownValue(values, day) === is);
  };
  return areAll(true, 'a date') && areAll(false, 'empty') ? day : undefined;
}

/** What all of its words say that say something; `undefined` where none does, or they contradict each other. */
function isDone(values: KindValues, names: readonly string[]): boolean | undefined {
  const words = names.map((name) => ownValue(values, name) ?? '');
  const saysDone = words.some(meansDone);
  const saysNot = words.some((text) => isNotDone(meaningOf(text)) || saysStopped(text));
  return saysDone === saysNot ? undefined : saysDone;
}
