/** Remarks in free words. A word that nobody knows may take a row back: a person says what it means, but for few that do no harm. */
import { saysTopic, type Topic } from '../lexicon/topics.ts';
import { isNotDone, meaningOf, meansDone, plainText } from '../lexicon/words.ts';
import { hasOutcome } from './column-facts.ts';
import { hasWords, isEmpty, type Part } from './part.ts';
import { meantBy } from './word-rules.ts';

const LEFT: ReadonlySet<ReturnType<typeof meantBy>> = new Set(['not_started', 'incomplete', 'not passed']);

/** Why somebody was not there, or did not begin, says nothing more beside words that say so: `Outstanding; on leave`. */
export function withoutRemarks(parts: Part[]): Part[] {
  const words = parts.filter((part) => hasWords(part) && !isEmpty(part));
  const others = words.filter((part) => !isRemark(part)).flatMap((part) => meantBy(part) ?? []);
  if (others.length === 0 || !others.every((each) => LEFT.has(each))) return parts;
  return parts.filter((part) => !isRemark(part) || meansDone(part.is));
}

const isRemark = ({ role, column }: Part): boolean =>
  role !== 'status' && column.topics.has('remarks') && !hasOutcome(column);

/** Of other scripts, and of numbers, nobody knows what they take back. */
const IN_WORDS = /^[\p{Script=Latin}\p{M}\s.,;:()'’/-]+$/u;
/** More words are a story. */
const MOST_OF_REMARK = 8;
const SAYING_MORE: readonly Topic[] = ['doubt', 'less', 'negated', 'stopped', 'revoked', 'paused', 'expiry'];

/** `Copy to be requested`: about the papers of a completion, without a word of a failure, an end, a doubt or a part. */
export function isAboutPapers(part: Part): boolean {
  const plain = plainText(part.is);
  if (!isRemark(part) || !IN_WORDS.test(part.is) || !saysTopic(plain, 'papers')) return false;
  const words = plain.split(' ');
  return (
    words.length <= MOST_OF_REMARK &&
    !SAYING_MORE.some((topic) => saysTopic(plain, topic)) &&
    !words.some((_, from) => words.some((__, to) => saysNotDone(words.slice(from, to + 1).join(' '))))
  );
}

const saysNotDone = (text: string): boolean => isNotDone(meaningOf(text)) || meaningOf(text) === 'no';
