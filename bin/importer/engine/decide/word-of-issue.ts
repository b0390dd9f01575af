/** `Issued` in a register of certificates, in any language: the word that rows have with the day of their certificate, and only these. */
import { ownValue } from '../ground/own-value.ts';
import type { Kind } from '../language/findings.ts';
import { saysTopic, type Topic } from '../lexicon/topics.ts';
import { isNotDone, meaningOf, plainText, saysStopped } from '../lexicon/words.ts';
import { isStatusHeader } from '../profile/roles.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import type { WordOfIssue } from './begun.ts';
import { isOfWords } from './column-facts.ts';
import type { SuggestedBy } from './part.ts';

/** One row may be a mistake. */
const LEAST_ROWS = 2;
const SAYING_MORE: readonly Topic[] = ['negated', 'planned', 'expiry'];

type Counted = Pick<Kind, 'values' | 'rows'>;

/** Every other word has no day, and one of them is known for what is not done. @param by state columns by their name in the mapping */
export function wordOfIssue(kinds: readonly Counted[], by: ReadonlyMap<string, SuggestedBy>): WordOfIssue | undefined {
  const day = dayOfIssue(by);
  if (day === undefined) return undefined;
  const states = [...by].filter(([, { column, read }]) => isOfWords(read) && saysHowFar(column));
  return states
    .map(([name]) => ({ name, is: wordOn(kinds, name, day) }))
    .find((each): each is WordOfIssue => each.is !== undefined);
}

/** The only day of a state, if it is that of a certificate. */
function dayOfIssue(by: ReadonlyMap<string, SuggestedBy>): string | undefined {
  const [only, ...others] = [...by].filter(([, { read }]) => read.read === 'date');
  const topics = others.length === 0 ? only?.[1].column.topics : undefined;
  return topics?.hasAny('obtained', 'certificate') === true && !topics.has('expiry') ? only?.[0] : undefined;
}

const saysHowFar = (column: ColumnProfile): boolean => isStatusHeader(column) || column.roles.has('exam');

function wordOn(kinds: readonly Counted[], name: string, day: string): string | undefined {
  const wordIn = ({ values }: Counted): string => ownValue(values, name) ?? 'empty';
  const issued = kinds.filter(({ values }) => ownValue(values, day) === 'a date');
  const rest = kinds.filter((kind) => !issued.includes(kind));
  const [word = 'empty', ...more] = new Set(issued.map(wordIn));
  const isAlone = more.length === 0 && rest.every((kind) => wordIn(kind) !== word);
  const areEmpty = rest.every(({ values }) => ownValue(values, day) === 'empty');
  const isSaid = rest.some((kind) => isNotDone(meaningOf(wordIn(kind))));
  const rows = issued.reduce((sum, kind) => sum + kind.rows, 0);
  const isIssued = isAlone && areEmpty && isSaid && rows >= LEAST_ROWS;
  return isIssued && word !== 'empty' && !saysMore(word) ? word : undefined;
}

/** It has a meaning, or something of an end or a plan. */
const saysMore = (word: string): boolean =>
  meaningOf(word) !== undefined || saysStopped(word) || SAYING_MORE.some((topic) => saysTopic(plainText(word), topic));
