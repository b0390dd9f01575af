/** The words of all languages as the page loads them: a word that several have is sent once, beside others of its script. */
import { type Language, LANGUAGES } from '../importer/engine/lexicon/languages.ts';
import { plainText } from '../importer/engine/lexicon/words.ts';

/** The module `languages/index.ts`, as JavaScript. All words are those of the first language. */
export function joinedLanguages(): string {
  const languages = Object.values(LANGUAGES);
  const lists = (member: 'patterns' | 'parts' | 'topics') => merged(languages.map((each) => each[member]));
  const none: Language = { language: '', sources: {}, status: {}, headers: {}, topics: {} };
  const status = plain(languages.map((each) => each.status));
  const headers = plain(languages.map((each) => each.headers));
  const all = {
    ...none,
    patterns: lists('patterns'),
    parts: lists('parts'),
    topics: joined(lists('topics')),
    dates: merged(languages.map(({ dates }) => dates)),
  };
  const scripts = Object.entries(LANGUAGES).flatMap(([code, { called }], index) => {
    if (index === 0) return `${code}:{...${JSON.stringify({ ...all, called })},status,headers}`;
    return called === undefined ? [] : `${code}:${JSON.stringify({ ...none, called })}`;
  });
  return [
    readerOf([...Object.values(status), ...Object.values(headers)]),
    `const status={all:${wordsOf(status, 0)}},headers={all:${wordsOf(headers, Object.keys(status).length)}};`,
    `export const LISTED={${scripts.join()}};`,
  ].join('');
}

type Words = Readonly<Record<string, readonly string[]>>;

const wordsOf = (lists: Words, from: number): string =>
  `{${Object.keys(lists)
    .map((name, index) => `${JSON.stringify(name)}:words(${from + index})`)
    .join()}}`;

/** Letters of other scripts cost less beside each other. */
const SCRIPTS = [
  ...['Cyrillic', 'Greek', 'Hebrew', 'Arabic', 'Devanagari', 'Thai', 'Hangul'].map((name) => `\\p{Script=${name}}`),
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]',
].map((letter) => new RegExp(letter, 'u'));

const scriptOf = (word: string): number => SCRIPTS.findLastIndex((letter) => letter.test(word));

/** `words(3)`: script by script, the words of each list as one text, without what each shares with the word before it. */
function readerOf(lists: readonly (readonly string[])[]): string {
  const parts = [-1, ...SCRIPTS.keys()].flatMap((script) =>
    lists.map((words) => words.filter((word) => scriptOf(word) === script)),
  );
  const counts = parts.map((words) => words.map((...at) => sharedBefore(...at).toString(36)).join(''));
  const rests = parts.map((words) => words.map((word, ...at) => word.slice(sharedBefore(word, ...at))).join('~'));
  return [
    `const counts=${JSON.stringify(counts.join('|'))}.split("|"),rests=${JSON.stringify(rests.join('|'))}.split("|"),`,
    `words=n=>rests.flatMap((part,i)=>{let w="";return i%${lists.length}!==n||part===""?[]:`,
    'part.split("~").map((rest,k)=>w=w.slice(0,parseInt(counts[i][k],36))+rest)});',
  ].join('');
}

/** 2 of `abcd` behind `abx`. */
function sharedBefore(word: string, index: number, words: readonly string[]): number {
  const before = words[index - 1] ?? '';
  let shared = 0;
  while (shared < 35 && shared < word.length && word[shared] === before[shared]) shared += 1;
  return shared;
}

/** Each list as one expression, as it is used: most have nothing in common with the one before. */
const joined = (lists: Words): Words =>
  Object.fromEntries(Object.entries(lists).map(([name, all]) => [name, [all.join('|')]]));

type Lists = Readonly<Partial<Record<string, readonly string[]>>>;

function merged(some: readonly (Lists | undefined)[]): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  for (const [name, words = []] of some.flatMap((lists = {}) => Object.entries(lists)))
    (all[name] ??= []).push(...words);
  return all;
}

/** As they are compared, each once. */
const plain = (listed: readonly Language['status'][]): Words =>
  Object.fromEntries(
    Object.entries(merged(listed.flatMap((sources) => Object.values(sources)))).map(([name, words]) => [
      name,
      [...new Set(words.map(plainText))].toSorted(),
    ]),
  );
