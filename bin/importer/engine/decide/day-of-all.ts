/** A day that every row of a file has: it is that of the row, whatever its header says of a completion, and the words decide. */
import { ownValue } from '../ground/own-value.ts';
import { meaningOf } from '../lexicon/words.ts';
import type { KindValues } from '../language/findings.ts';
import { isOfAll } from './begun.ts';
import { LEAST_OF_ALL } from './kind-facts.ts';
import { datesIn, type Part } from './part.ts';
import type { SuggestedKind } from './suggest.ts';

interface KindInFile extends SuggestedKind {
  readonly kinds: readonly SuggestedKind[];
  readonly rows: number;
}

const saysIn = (values: KindValues, name: string) => meaningOf(ownValue(values, name) ?? '');

const isDone = ({ facts }: SuggestedKind): boolean => facts.isFinished && !facts.isUnfinished;

const BESIDE_A_DAY: ReadonlySet<string | undefined> = new Set(['not_done_with_a_day', 'ended_beside_more']);

/** Whatever it says of a completion, every row has the day. */
const isOnDayOfAll = ({ suggestion, facts: { parts }, rows }: KindInFile): boolean =>
  BESIDE_A_DAY.has(suggestion.reason?.code) &&
  rows >= LEAST_OF_ALL &&
  datesIn(parts).every(({ column }) => isOfAll(column, rows));

/**
 * Who failed has the day, too, or a second column says no of what is not completed and yes of everything that is, like `For credit`: a
 * day that every row has is that of the row, whatever it says of a completion.
 */
export function noBeside(file: KindInFile): string | undefined {
  const {
    facts: { parts },
    values,
    kinds,
  } = file;
  if (!isOnDayOfAll(file)) return undefined;
  const done = kinds.filter(isDone);
  const isNo = (name: string): boolean =>
    saysIn(values, name) === 'no' && done.every((kind) => saysIn(kind.values, name) === 'yes');
  const areAllAlike = kinds.some(({ facts }) => facts.isFailed);
  const saysNot = ({ name }: Part): boolean => areAllAlike && saysIn(values, name) === 'incomplete';
  return done.length === 0 ? undefined : (Object.keys(values).find(isNo) ?? parts.find(saysNot)?.name);
}

/** Its only word says that it is in progress, and no percentage says more, where others are done. */
export const isBegunOnDayOfAll = (file: KindInFile): boolean =>
  isOnDayOfAll(file) &&
  [...file.facts.meant].join() === 'in_progress' &&
  [undefined, 'none', '0', 'between'].includes(file.facts.percent) &&
  file.kinds.some(isDone);

export const BEGUN_ON_A_DAY_OF_ALL = ['In progress', ...Array<string>(9).fill('Completed')]
  .map((word) => `Status: ${word}; Completion date: 2024-01-02`)
  .join(' / ');
