/** Who was there, and who was not, or has left. */
import { meaningOf, meansDone, saysCame, saysGone } from '../lexicon/words.ts';
import { isScoreHeader, wordIn } from '../profile/roles.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import { asksWhoCame } from './asks.ts';
import { isByHeader } from './column-facts.ts';
import { datesIn, hasWords, isEmpty, type Part } from './part.ts';
import { meantBy, plainMeaning, wordRuleFor } from './word-rules.ts';

/** `Attended`, and a yes under it. */
export const saysAttended = (part: Part): boolean =>
  saysCame(part.is) || (asksWhoCame(part.column) && plainMeaning(part) === 'yes');

/** Scores, grades and shares: who came may have to reach something. */
export const areMeasured = (columns: readonly ColumnProfile[]): boolean =>
  columns.some(
    (column) =>
      column.values.length > 0 &&
      (isScoreHeader(column) || column.plain.includes('%') || column.topics.hasAny('exam', 'grade', 'progress')),
  );

/** The one day beside the words of a kind. */
export function soleDay(parts: readonly Part[]): string | undefined {
  const [day, ...others] = datesIn(parts);
  return day === undefined || others.length > 0 || day.column.topics.has('certificate') ? undefined : day.name;
}

/** Beside an exam `Absent` says nothing of its result, but of the learner. */
const saysNothing = (part: Part): boolean =>
  meantBy(part) === undefined && wordRuleFor(part).name !== 'exam_without_a_result';

/** `Absent` and `Withdrawn`; and `Waitlisted` where the same column says that others completed, or came. */
export function isOfGone(part: Part): boolean {
  const { is, role, column } = part;
  if (asksWhoCame(column)) return plainMeaning(part) === 'no';
  if (!hasWords(part) || isEmpty(part) || column.topics.has('order') || saysNothing(part)) return false;
  const known = column.values.filter((text) => saysCame(text) || wordIn(column, text) !== undefined);
  if (meaningOf(is) === 'not_started') return known.some((text) => meansDone(text) || saysCame(text));
  // A column that says nothing else may be of a membership.
  const isState = isByHeader(column, role) || !known.every(saysGone);
  const isStopped = wordRuleFor(part).name === 'stopped_beside_done';
  return isState && (isStopped || [is, is.slice(column.prefix.length)].some(saysGone));
}

/** `Signed`: a yes for everybody who came says nothing more. */
export function signatureIn(
  kinds: readonly { readonly facts: Readonly<Record<'parts' | 'unknownWords', readonly Part[]>> }[],
): string | undefined {
  const came = kinds.filter(({ facts }) => facts.parts.some(saysAttended));
  const [first, ...others] = came.map(({ facts }) =>
    facts.unknownWords.filter((part) => plainMeaning(part) === 'yes' && !saysAttended(part)),
  );
  return first?.find(({ name }) => others.every((words) => words.some((part) => part.name === name)))?.name;
}
