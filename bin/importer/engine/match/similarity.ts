/** How alike two titles are. */
import { distance } from 'fastest-levenshtein';
import { remembered } from '../ground/remembered.ts';
import { saysTopic } from '../lexicon/topics.ts';
import type { Title } from './title.ts';

/** A word that says little of what a course is about. */
const isFiller = remembered((word) => saysTopic(word, 'filler'));
const FILLER_WEIGHT = 0.1;
/** Below the score from which two titles are one course. */
const MOST_UNCERTAIN = 0.8;

/** All words that the catalog uses: such a word is no misspelling of another one. */
export type Vocabulary = ReadonlySet<string>;

export const vocabularyOf = (titles: readonly Title[]): Vocabulary => new Set(titles.flatMap(({ words }) => words));

/**
 * From 0 to 1: the share of the words of both titles that the other one has, misspelt ones nearly as much. Titles that
 * differ in a number, a language or a code score 0; where one has a word more, a person compares them.
 */
export function similarity(a: Title, b: Title, known: Vocabulary): number {
  if (a.numbers.join(' ') !== b.numbers.join(' ')) return 0;
  if (contradict(a.language, b.language) || contradict(a.code, b.code)) return 0;
  if (a.joined === b.joined) return 1;
  // Words that one title writes as two and the other as one become one.
  const [left, right] = [merged(a.words, new Set(b.words)), merged(b.words, new Set(a.words))];
  const rest = [...right];
  const more: string[] = [];
  let matched = 0;
  for (const word of left) {
    const { index, likeness } = bestOf(word, rest, known);
    if (index === -1) {
      more.push(word);
      continue;
    }
    const [other = ''] = rest.splice(index, 1);
    matched += likeness * (weightOf(word) + weightOf(other));
  }
  const total = [...left, ...right].reduce((sum, word) => sum + weightOf(word), 0);
  const score = total === 0 ? 0 : matched / total;
  return [...more, ...rest].some((word) => !isFiller(word)) ? Math.min(score, MOST_UNCERTAIN) : score;
}

const contradict = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && a !== b;

const weightOf = (word: string): number => (isFiller(word) ? FILLER_WEIGHT : 1);

function bestOf(word: string, others: readonly string[], known: Vocabulary) {
  let best = { index: -1, likeness: 0 };
  for (const [index, other] of others.entries()) {
    const likeness = wordLikeness(word, other, known);
    if (likeness > best.likeness) best = { index, likeness };
  }
  return best;
}

/** A misspelling differs in one letter, in a long word in two, and is no word that the catalog knows. */
function wordLikeness(a: string, b: string, known: Vocabulary): number {
  if (a === b) return 1;
  const length = Math.max(a.length, b.length);
  if (length < 4 || a[0] !== b[0] || known.has(a) === known.has(b)) return 0;
  const apart = distance(a, b);
  const allowed = isSwap(a, b) || length >= 9 ? 2 : 1;
  return apart <= allowed ? 1 - apart / (length * 2) : 0;
}

/** Two neighbouring letters have changed places. */
function isSwap(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let first = 0;
  while (first < a.length && a[first] === b[first]) first += 1;
  return a[first] === b[first + 1] && a[first + 1] === b[first] && a.slice(first + 2) === b.slice(first + 2);
}

function merged(words: readonly string[], whole: ReadonlySet<string>): string[] {
  const result: string[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const both = `${words[i]}${words[i + 1] ?? ''}`;
    const isOne = i + 1 < words.length && whole.has(both);
    result.push(isOne ? both : (words[i] ?? ''));
    if (isOne) i += 1;
  }
  return result;
}
