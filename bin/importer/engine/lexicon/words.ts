/** What a word of a status means, and which role a header names, in any language. */
import { remembered } from '../ground/remembered.ts';
import { type Language, LANGUAGES } from './languages.ts';
import { saysTopic, topicExpression } from './topics.ts';

/** How far a row says that a learner is. */
export const STATES = ['completed', 'passed', 'failed', 'in_progress', 'not_started', 'incomplete'] as const;
export const MEANINGS = [...STATES, 'yes', 'no'] as const;
/** What a word of a status says. `yes` and `no` answer the header of their column. */
export type Meaning = (typeof MEANINGS)[number];

/** A header or a word as it is compared: lower case, without accents, one blank between words. */
export const plainText = (text: string): string =>
  ASCII.test(text)
    ? text
        .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase()
        .replaceAll(/[^a-z0-9%]+/g, ' ')
        .trim()
    : plainUnicode(text);

/** These have no accents: most texts are compared in a tenth of the time. */
const ASCII = /^[\x20-\x7e]*$/;

const plainUnicode = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .replaceAll(/[^\p{L}\p{M}\p{N}%○〇×√✓✔✗✘☑☐]+/gu, ' ')
    .trim();

function indexOf(pick: (language: Language) => Language['status']): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const language of Object.values(LANGUAGES))
    for (const [name, words] of Object.values(pick(language)).flatMap((listed = {}) => Object.entries(listed)))
      for (const word of words ?? []) found.set(plainText(word), (found.get(plainText(word)) ?? new Set()).add(name));
  return found;
}

const STATUS = indexOf(({ status }) => status);
const HEADERS = indexOf(({ headers }) => headers);

const isMeaning = (name: string | undefined): name is Meaning => MEANINGS.some((each) => each === name);

/** Words of who was not there, or has left: each is `incomplete`. */
export const GONE = 'gone';

/** A longer text is prose. */
const MOST_CHARACTERS = 120;
const NO_ROLES: ReadonlySet<string> = new Set();

/** `date`, and `date (on time)`. */
export const isBareDate = (text: string): boolean =>
  /^date\b/.test(text) && (text === 'date' || saysTopic(plainText(text.slice(4)), 'remark'));

/**
 * The meaning of a text of a status; `undefined` if it is not known. Of a text of several parts, like `Completed - Failed`, a failure
 * beats everything, and what is not done beats what is. A part that is not known never makes a course completed.
 */
export function meaningOf(text: string): Meaning | undefined {
  if (text.length > MOST_CHARACTERS || NO_WORD.test(text) || saysMore(text)) return undefined;
  return rememberedMeaning(text);
}

export const meansDone = (text: string): boolean => ['completed', 'passed'].includes(meaningOf(text) ?? '');

export const isNotDone = (meaning: Meaning | undefined): boolean =>
  ['failed', 'in_progress', 'not_started', 'incomplete'].includes(meaning ?? '');

/** Remembered, because every row and many columns repeat the few words of a status. */
const rememberedMeaning = remembered(meaningIn);

function meaningIn(given: string): Meaning | undefined {
  const text = given.replace(VERB, '').replace(IN_PLACE_OF_DATE, ' ');
  const whole = phraseOf(plainText(text));
  if (whole !== undefined) return whole;
  const parts = partsOf(text);
  return parts.length < 2 && !DATE.test(text)
    ? undefined
    : joined(parts.filter((part) => !saysTopic(part, 'remark')).map(phraseOf));
}

/** `Course completed`, `Kurs abgeschlossen`, `研修修了`. */
const phraseOf = (plain: string): Meaning | undefined =>
  wordOf(plain) ?? wordOf(plain.replace(topicExpression('of_course'), ''));

const partsOf = (text: string): string[] =>
  text
    .replace(DATE, ' ')
    .split(/[-–—:/|(),;_]+/)
    .flatMap((part) => plainText(part) || []);

/** True of `Attended`. */
export const saysCame = (text: string): boolean => saysTopic(text.toLowerCase(), 'attended');

/** True of `Absent`, and of `Absent (excused)`. */
export const saysGone = (text: string): boolean =>
  [plainText(text), ...partsOf(text)].some((plain) => listOf(plain) === GONE);

/** A doubt, like `yes?` or `(✓)`, and a percentage beside a word, which is more than the word says. */
const saysMore = (text: string): boolean =>
  /[?？]/.test(text) || isInBrackets(text.trim()) || PERCENT.test(text.slice(text.search(/\p{L}|$/u)));
const isInBrackets = (text: string): boolean => /^[([（]/.test(text) && /[)\]）]$/.test(text);
const PERCENT = /\d\s*%/;

/** Words of a row that was taken back: no history, and it may have been begun. A person says what becomes of it. */
export const saysStopped = (text: string): boolean =>
  saysTopic(ASCII.test(text) ? text.toLowerCase() : plainText(text), 'stopped');

/** Numbers and dates. */
const NO_WORD = /^[\d\s.,:%/+-]*$/;

/** The day of a status, like `Completed (2024-01-02)`. */
const DATE = /(?<!\d)(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})(?!\d)/;

/** The address of a verb of xAPI, before its word. */
const VERB = /^https?:\/\/\S+\/(?=[a-z]+$)/i;

/** `(date)` of `Completed (date)`, and the preposition before it. */
const IN_PLACE_OF_DATE = /\b(?:(?:on|at|am|le|el|il|op|em|since)[\s:]+)?date\b/iu;

const DONE: readonly Meaning[] = ['passed', 'completed', 'yes'];
/** The most telling first: `In progress / Past due` is in progress. */
const NOT_DONE: readonly Meaning[] = ['not_started', 'in_progress', 'incomplete', 'no'];

function joined(parts: readonly (Meaning | undefined)[]): Meaning | undefined {
  const known = new Set(parts);
  if (parts[0] === undefined || known.has('failed')) return parts[0] && 'failed';
  const [done, notDone] = [DONE, NOT_DONE].map((some) => some.find((each) => known.has(each)));
  if (notDone !== undefined) return done === undefined ? notDone : undefined;
  return known.has(undefined) ? undefined : done;
}

/** Of other scripts nobody lists what says less. */
const LATIN = /^[\p{Script=Latin}\p{P}\s]+$/u;
/** More words are prose. */
const MOST_OF_PHRASE = 6;

/**
 * A phrase that begins with a word of a completion, like `Completed through RPL`, and says nothing else of how far a learner is: no other
 * state, no plan, no end, no number, nothing in part.
 */
export function beginsWithCompleted(text: string): boolean {
  if (!LATIN.test(text) || saysMore(text) || saysStopped(text)) return false;
  const words = plainText(text).replace(topicExpression('of_course'), '').split(' ');
  if (words.length > MOST_OF_PHRASE) return false;
  const length = words.findLastIndex((_, index) => saysCompleted(words.slice(0, index + 1).join(' '))) + 1;
  const rest = words.slice(length);
  return length > 0 && rest.every((_, index) => addsNothing(rest.slice(index)));
}

/** `Equivalent` is a remark of another word. */
const saysCompleted = (plain: string): boolean => wordOf(plain) === 'completed' && !saysTopic(plain, 'remark');

/** Neither the phrase nor any beginning of it. */
const addsNothing = (words: readonly string[]): boolean =>
  !LESS.some((topic) => saysTopic(words.join(' '), topic)) &&
  words.every((_, index) => wordOf(words.slice(0, index + 1).join(' ')) === undefined);

const LESS = ['less', 'negated', 'planned', 'expiry'] as const;

/** Codes may join their words: `INPROGRESS`. */
const JOINED = new Map([...STATUS].map(([plain, names]) => [plain.replaceAll(' ', ''), names]));

/** The ends of what is said of a woman, and of a man: a list may have only one of them. */
const ENDS = [
  [/(?<=\w{3})ee$/, 'e'],
  [/(?<=\w{2}[ai])da$/, 'do'],
  [/(?<=\w{2}[aiu])ta$/, 'to'],
  [/(?<=\w{4})na$/, 'ny'],
  [/(?<=\w{4})na$/, 'n'],
] as const;

/** The list that has a word. */
function listOf(plain: string): string | undefined {
  const others = ENDS.flatMap(([end, other]) => (end.test(plain) ? plain.replace(end, other) : []));
  const found = [plain, ...others].flatMap((text) => STATUS.get(text) ?? []);
  return [...(found[0] ?? JOINED.get(plain) ?? [])][0];
}

function wordOf(plain: string): Meaning | undefined {
  const list = listOf(plain);
  return list === GONE ? 'incomplete' : isMeaning(list) ? list : undefined;
}

/** `Score (80 to pass)` is a score. */
export function withoutRemark(header: string): string {
  const text = header.trimEnd();
  if (!/[)\]]$/.test(text)) return header;
  const before = Math.max(...[')', ']'].map((end) => text.lastIndexOf(end, text.length - 2)));
  const start = text.slice(before + 1).search(/[([]/);
  return start === -1 ? header : text.slice(0, before + 1 + start).trimEnd();
}

/** The roles that a column with this header may have, in any language. */
export function rolesOf(header: string): ReadonlySet<string> {
  if (header.length > MOST_CHARACTERS) return NO_ROLES;
  const plain = plainText(header);
  const bare = plainText(withoutRemark(header));
  return HEADERS.get(plain) ?? HEADERS.get(plain.replace(/ ?%$/, '')) ?? HEADERS.get(bare) ?? NO_ROLES;
}
