/** Who has been through a whole course and did not pass it. */
import { ownValue } from '../ground/own-value.ts';
import type { SuggestedKind } from './suggest.ts';
import { meantBy } from './word-rules.ts';

/**
 * `Passed: No` beside 100 %, where everybody with a yes has 100 % and a day, and nobody below it has an answer: the no is a result, and
 * not what stands beside everything that is not done.
 */
export function hasNotPassed({ facts, suggestion }: SuggestedKind, kinds: readonly SuggestedKind[]): boolean {
  const [meant, ...others] = facts.meant;
  const answer = facts.parts.find((part) => meantBy(part) === 'not passed');
  if (suggestion.reason?.code !== 'not_done_with_the_whole' || meant !== 'not passed' || others.length > 0)
    return false;
  if (answer === undefined || facts.hasDate) return false;
  const isEmpty = (kind: SuggestedKind): boolean => ownValue(kind.values, answer.name) === 'empty';
  const passed = kinds.filter((kind) => kind.facts.isPassed);
  const below = kinds.filter((kind) => kind.facts.percent !== '100');
  return (
    passed.length > 0 &&
    passed.every((kind) => kind.facts.percent === '100' && kind.facts.hasDate) &&
    below.length > 0 &&
    below.every(isEmpty)
  );
}
