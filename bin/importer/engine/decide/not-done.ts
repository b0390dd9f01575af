/** Words of what is not done, which the other columns of a kind make nothing of. */
import { isNotDone } from '../lexicon/words.ts';
import { namesItems } from './items.ts';
import { hasWords, isEmpty, type Part } from './part.ts';
import { type Meant, plainMeaning, stateOf, wordRuleFor } from './word-rules.ts';

interface SaidByWords {
  readonly meant: ReadonlySet<Meant>;
  readonly unknownWord: Part | undefined;
}

interface SaidByMeasures {
  readonly hasDate: boolean;
  readonly percent: string | undefined;
  readonly saysProgress: boolean;
}

/**
 * A result like `Absent` says that no exam was taken, and an order that is open says nothing of a course. But where no other column
 * has words, a day does not complete such a row: a result is then the state of the course, and of others a person decides.
 */
export function withNotDone<Words extends SaidByWords>(
  words: Words,
  parts: readonly Part[],
  { hasDate, percent, saysProgress }: SaidByMeasures,
): Words & { readonly notDone: Part | undefined } {
  const isSilent = words.meant.size === 0 && words.unknownWord === undefined;
  const alone = isSilent && (hasDate || percent === '100') ? parts.filter(saysNotDone) : [];
  const meant = new Set([...words.meant, ...alone.filter(isResult).flatMap((part) => stateOf(part) ?? [])]);
  const isWhole = percent === '100' && saysProgress;
  return { ...words, meant, notDone: meant.size > 0 || isWhole ? undefined : alone[0] };
}

/** Of people and courses no word says how far a learner is. */
const saysNotDone = (part: Part): boolean =>
  hasWords(part) &&
  !isEmpty(part) &&
  !namesItems(part.column) &&
  wordRuleFor(part).name !== 'of_people_and_courses' &&
  isNotDone(plainMeaning(part));

/** `Result`, which may be that of the course; `Exam result` is not. */
const isResult = ({ role, column }: Part): boolean => role === 'assessment.status' && !column.topics.has('exam');
