/** A course title cut into what is compared: words, numbers and languages. */
import { ownValue } from '../ground/own-value.ts';
import { LANGUAGES } from '../lexicon/languages.ts';
import { saysTopic, topicExpression } from '../lexicon/topics.ts';

export interface Title {
  /** Words in their order, without accents, case and plural; marks that a catalog puts around titles are left out. */
  readonly words: readonly string[];
  /** Numbers, levels, versions and years: two titles that differ in them are two courses. */
  readonly numbers: readonly string[];
  /** The language, if the title names it: `en`. */
  readonly language: string | undefined;
  /** The mark that an old system puts before the title: `sec101`. */
  readonly code: string | undefined;
  /** All letters and digits in their order: `cybersecurity` and `cyber security` are one text. */
  readonly joined: string;
}

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'word' });

/** Marks like `SEC-101 …`, `[OPS] …`, `HR003: …`, which an old system puts before titles. `ISO 9001 …` is part of the title. */
const CODE =
  /^\s*(?:\[([\p{L}\d _-]{1,12})\]|(\p{Lu}{2,6}[-_]\d{2,5}\b)(?=\s)|(\p{Lu}{2,6}\d{2,5})(?=\s*[:–—]|\s+-\s))\s*[:\-–—]?\s*/u;
/** Words for the format of a course, or for an old copy of it. */
const REMARK = new RegExp(topicExpression('title_remark'), 'giu');

const CALLED: ReadonlyMap<string, string> = new Map(
  Object.entries(LANGUAGES).flatMap(([code, { called = [] }]) => called.map((name) => [name, code] as const)),
);
/** A language at the end, in brackets or after a dash. */
const LANGUAGE = /(?:[([]\s*(\p{L}{2,10})\s*[)\]]|\s[-–—|]\s*(\p{L}{2,10}))\s*$/u;

const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii'];

const ALIASES: Readonly<Record<string, string>> = {
  intro: 'introduction',
  license: 'licence',
  pediatric: 'paediatric',
  practise: 'practice',
};

/** Only the beginning of a longer text is compared. */
const LONGEST_TITLE = 1000;

export function titleOf(text: string): Title {
  const marked = text.slice(0, LONGEST_TITLE).normalize('NFKC').replaceAll(REMARK, ' ');
  const code = CODE.exec(marked)
    ?.slice(1)
    .find((each) => each !== undefined);
  const plain = marked.replace(CODE, '');
  const language = languageOf(plain);
  const bare = folded(language === undefined ? plain : plain.replace(LANGUAGE, ''));
  const tokens = [...SEGMENTER.segment(bare)].flatMap(({ segment, isWordLike }) =>
    isWordLike === true ? parts(segment) : [],
  );
  const words: string[] = [];
  const numbers: string[] = [];
  for (const [position, token] of tokens.entries()) {
    const number = numberOf(token, tokens[position - 1]);
    if (number === undefined) words.push(singular(ownValue(ALIASES, token) ?? token));
    else numbers.push(number);
  }
  return {
    words,
    numbers: numbers.toSorted(),
    language,
    code: code && lettersOf(folded(code)),
    joined: lettersOf(bare),
  };
}

const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '');

function languageOf(text: string): string | undefined {
  const [, bracketed, dashed] = LANGUAGE.exec(text) ?? [];
  return CALLED.get((bracketed ?? dashed ?? '').toLowerCase());
}

/** Without accents and case. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss');

/** The words and the numbers of a token: `iso` and `45001` of `iso45001`. */
const parts = (token: string): string[] => token.replaceAll(/['’]s$/g, '').match(/\d+(?:[.,]\d+)*|[^\d.,_'’]+/g) ?? [];

function numberOf(token: string, before: string | undefined): string | undefined {
  if (/^\d/.test(token)) return token.replace(/^0+(?=\d)/, '');
  const isCounted = saysTopic(before ?? '', 'before_number') || token.length > 1;
  return isCounted && ROMAN.includes(token) ? String(ROMAN.indexOf(token) + 1) : undefined;
}

/** An approximate singular in European languages, good enough to compare. */
const singular = (word: string): string =>
  /[a-z]{4}s$/.test(word) && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
