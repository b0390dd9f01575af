/** Who was there, and who was not, or has left. */
import { saysTopic } from '../lexicon/topics.ts';
import { meaningOf, meansDone, saysGone } from '../lexicon/words.ts';
import { wordIn } from '../profile/roles.ts';
import { isByHeader } from './column-facts.ts';
import { hasWords, isEmpty, type Part } from './part.ts';
import { meantBy, wordRuleFor } from './word-rules.ts';

const areThere = (text: string): boolean => saysTopic(text.toLowerCase(), 'attended');

export const saysAttended = ({ is }: Part): boolean => areThere(is);

/** `Absent` and `Withdrawn`; and `Waitlisted` where the same column says that others completed, or came. */
export function isOfGone(part: Part): boolean {
  const { is, role, column } = part;
  if (!hasWords(part) || isEmpty(part) || column.topics.has('order') || meantBy(part) === undefined) return false;
  const known = column.values.filter((text) => areThere(text) || wordIn(column, text) !== undefined);
  if (meaningOf(is) === 'not_started') return known.some((text) => meansDone(text) || areThere(text));
  // A column that says nothing else may be of a membership.
  const isState = isByHeader(column, role) || !known.every(saysGone);
  const isStopped = wordRuleFor(part).name === 'stopped_beside_done';
  return isState && (isStopped || [is, is.slice(column.prefix.length)].some(saysGone));
}
