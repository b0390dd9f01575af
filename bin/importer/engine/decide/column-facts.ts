/** What the rules ask of a column: how it is read, and whether it is a flag, a code, a measure or a text of few words. */
import { isNeverText, isNothing } from '../dates/date-forms.ts';
import { isCounted, isShare, withPercent } from '../language/classes.ts';
import type { StateColumn } from '../language/findings.ts';
import type { Role } from '../lexicon/headers.ts';
import { saysTopic } from '../lexicon/topics.ts';
import { isNotDone, meaningOf, plainText, saysStopped } from '../lexicon/words.ts';
import { isPlanned, isScoreHeader, isStatusHeader, saysSomeState, saysState, wordIn } from '../profile/roles.ts';
import { areFractions, ColumnProfile } from '../profile/table-profile.ts';
import { asks, asksAlone } from './asks.ts';
import { areUpTo100, FEW_TEXTS, isPercentage } from './percentages.ts';

/** More different texts are no words of a state. */
export const MOST_WORDS = 60;

/** Its classes are words, not dates or numbers. */
export const isOfWords = ({ read }: StateColumn): boolean => ['text', 'dated', 'counted', 'number'].includes(read);

/** Some of its words have a percentage in them. */
const areCounted = ({ values }: ColumnProfile): boolean =>
  values.filter(isCounted).length * 4 >= Math.max(values.length, 4);

export const percentageOf = (column: ColumnProfile): StateColumn => ({
  read: 'percent',
  ...(areFractions(column) ? { scale: 100 } : {}),
});

/** Numbers, with words like `Absent` in place of some. */
export const hasNotDone = (column: ColumnProfile): boolean =>
  column.isMostlyNumber && column.values.some((text) => saysStopped(text) || isNotDone(meaningOf(text)));

/** How numbers that decide are read: words in place of some say more than the numbers. */
export const numbersOf = (column: ColumnProfile): StateColumn =>
  hasNotDone(column) ? { read: 'number' } : percentageOf(column);

/** Numbers that measure something: neither flags nor codes. */
export const isMeasure = (column: ColumnProfile): boolean =>
  column.isMostlyNumber && !isFlag(column) && !isCode(column, undefined);

/** How the cells of a column would be read, by their form. */
export function readingOf(column: ColumnProfile, role: Role | undefined, format: string | undefined): StateColumn {
  const { values } = column;
  const dates = format === undefined || format === 'iso' ? {} : { dates: format };
  if (column.dated !== undefined) return { read: 'dated', ...dates };
  if (format !== undefined) return { read: 'date', ...dates };
  if (areCounted(column)) return { read: 'counted' };
  // Dates that mean never, or are of a notation that nobody knows.
  if (DATE_ROLES.has(role) && values.every((text) => /\d/.test(text) || isNeverText(text))) return { read: 'date' };
  return areShares(column) ? { read: 'share' } : ofNumbers(column, role);
}

/** `98/2026` may be the number of a certificate. */
const areShares = ({ values, topics }: ColumnProfile): boolean =>
  values.length > 0 && !topics.has('certificate') && values.filter(isShare).length >= values.length * 0.8;

const ofNumbers = (column: ColumnProfile, role: Role | undefined): StateColumn =>
  column.isMostlyNumber && !column.isFlag && !areCodes(column) && isPercentage(column, role)
    ? percentageOf(column)
    : { read: 'text' };

/** Roles whose columns have dates. */
export const DATE_ROLES: ReadonlySet<Role | undefined> = new Set<Role>([
  'progress.completed_at',
  'assessment.taken_at',
  'progress.started_at',
  'enrolled',
  'progress.last_activity_at',
]);

/** Numbers of one digit are codes, unless something says that they are percentages. */
const areCodes = (column: ColumnProfile): boolean =>
  !/%|percent|pct/.test(column.name.toLowerCase()) && column.values.every((text) => /^\d$/.test(text));

/** Without the dates and the percentages in its texts. */
export const wordsOf = (column: ColumnProfile, { read }: StateColumn): ColumnProfile =>
  read === 'counted' ? withoutPercents(column) : (column.dated?.words ?? column);

function withoutPercents({ name, reference, texts }: ColumnProfile): ColumnProfile {
  const words = new ColumnProfile(name, reference);
  for (const [text, times] of texts) words.add(isCounted(text) ? withPercent(text) : text, times);
  return words;
}

/** Few texts, which repeat, and most of them are words. */
export const isOfFewWords = (column: ColumnProfile): boolean =>
  areFew(column) &&
  column.values.filter((text) => !/\d/.test(text.replace(CODE_OF_WORD, ''))).length * 2 > column.values.length;

/** `4` of `4 Present`. */
const CODE_OF_WORD = /^\d{1,2}[\s.:)-]+(?=\p{L})/u;

/** The header says that it is a state column, whatever its words are. */
export const isByHeader = (column: ColumnProfile, role: Role | undefined): boolean =>
  isStatusHeader(column) ||
  column.topics.has('state') ||
  role === 'assessment.status' ||
  column.roles.has('deleted') ||
  (column.topics.has('completion') && !isPlanned(column));

/** Each row has a text of its own, like the numbers of certificates. */
export const differsInEveryRow = (column: ColumnProfile): boolean => {
  const { texts, filled, values } = column;
  return (
    (texts.size === Math.min(filled, 300) || areNumbers(column)) &&
    values.length > (values.every((text) => /\d{2}/.test(text)) ? 2 : 5) &&
    !values.some(saysSomeState)
  );
};

/** A few rows have the number of a certificate twice. */
const areNumbers = ({ topics, texts, filled, values }: ColumnProfile): boolean =>
  topics.has('certificate') &&
  texts.size * 3 > Math.min(filled, 300) * 2 &&
  values.every((text) => /\d{2}/.test(text) && !/[\s\p{Ll}]|^\d+[-/.]\d+[-/.]\d/u.test(text));

/** Every row has the same, which is no state; a header that asks for nothing but the completion is answered by it. */
export function isConstant(column: ColumnProfile, rows: number): boolean {
  const [text = ''] = column.values;
  if (!isSame(column, rows)) return false;
  return isNothing(text) || !maySayState(column, text);
}

/** Its header asks for a state, or its text says one. */
function maySayState(column: ColumnProfile, text: string): boolean {
  if (saysSomeState(text) || isStatusHeader(column) || saysStopped(column.plain)) return true;
  const asked = asks(column);
  if (asked !== undefined) return asked === 'taken back' || asksAlone(column);
  return column.topics.has('state') && (!isSentence(column) || saysNo(text));
}

const isSame = ({ texts, filled }: ColumnProfile, rows: number): boolean =>
  texts.size === 1 && rows > 1 && filled >= rows;

/** What a form asks each of its readers to confirm. */
const isSentence = ({ plain }: ColumnProfile): boolean => plain.split(' ').length > 6;
const saysNo = (text: string): boolean => meaningOf(text) === 'no' || saysTopic(plainText(text), 'less');

/** Texts that repeat; of a few rows some do. */
const areFew = ({ texts, filled }: ColumnProfile): boolean =>
  texts.size <= Math.min(FEW_TEXTS, Math.max(2, filled / 2, Math.min(filled - 1, 6)));

/** A price, or how long something takes: `Cost (€)`, `Süre (dk)`. */
const hasUnit = ({ name }: ColumnProfile): boolean => saysTopic(name.toLowerCase(), 'unit');

/** Columns about people and courses, whose words say nothing of how far a learner is. */
export const isHarmless = (column: ColumnProfile): boolean =>
  (column.topics.hasAny('person', 'course_fact') || hasUnit(column) || isOfPapers(column)) &&
  !saysOutcome(column) &&
  !asksState(column) &&
  !hasParticipants(column);

/** Links, and numbers of certificates, of which one may be of several courses; the verbs of statements are links, too. */
const isOfPapers = ({ topics, values }: ColumnProfile): boolean =>
  values.length > 0 &&
  (values.every((text) => /^https?:\/\/\S+$/.test(text) && !/\bverbs?\//.test(text)) ||
    (values.length > 1 && topics.has('certificate') && values.every((text) => /\d{5}/.test(text))));

/** Participants and others, like the speakers of a course. */
export const hasParticipants = ({ values, texts }: ColumnProfile): boolean =>
  texts.size > 1 && texts.size <= FEW_TEXTS && values.some(saysParticipant) && !values.some(saysSomeState);

/** One word of a state, or of participants. */
export const hasKnownWord = (column: ColumnProfile): boolean =>
  hasParticipants(column) || column.values.some(saysSomeState);

export const saysParticipant = (text: string): boolean => saysTopic(plainText(text), 'participant');

/** `Course passed`, `Attended the course`, over answers. */
const asksState = (column: ColumnProfile): boolean => isFlag(column) && isByHeader(column, undefined);

/** Whatever its header says: a third of its words are known, and one is an outcome. */
const saysOutcome = (column: ColumnProfile): boolean => saysState(column) && hasOutcome(column);

export const hasOutcome = (column: ColumnProfile): boolean =>
  column.values.some((text) => OUTCOMES.has(wordIn(column, text) ?? ''));

const OUTCOMES: ReadonlySet<string> = new Set(['completed', 'passed', 'failed']);

/** Every row says yes or no. */
export const isFlag = (column: ColumnProfile): boolean =>
  (column.isFlag && !column.topics.has('attempts')) ||
  column.values.every((text) => ['yes', 'no'].includes(meaningOf(text) ?? ''));

/** Numbers of two digits that do are a measure; so are many that are mostly above 20, like scores. */
const hardlyRepeats = ({ values, texts, filled }: ColumnProfile): boolean =>
  values.some((text) => /\d\d/.test(text)) &&
  (texts.size * 3 > filled ||
    (values.length > 5 && values.filter((text) => Number(text) > 20).length * 2 > values.length));

/** From 0 to 100 under any header: a percentage, if just the completed rows have 100. */
export const mayBeShare = (column: ColumnProfile, role: Role | undefined): boolean =>
  role === undefined &&
  column.texts.size > 2 &&
  areUpTo100(column) &&
  !isScoreHeader(column) &&
  !isHarmless(column) &&
  !isCode(column, role);

/** Whole numbers and short codes of few values. */
export function isCode(column: ColumnProfile, role: Role | undefined): boolean {
  const { values, plain } = column;
  if (!values.every((text) => /^-?\d{1,3}$|^\p{Lu}{1,3}\d?$/u.test(text)) || hardlyRepeats(column)) return false;
  // Results of two digits are scores.
  if (/\b(result|outcome)\b/.test(plain)) return !values.some((text) => Number(text) > 20);
  if (isStatusHeader(column) || /\b(status|state)\b/.test(plain)) return true;
  if (role === 'progress.completion_pct') return areCodes(column);
  // A number that all rows have does not tell rows apart.
  return values.length > 1 && role === undefined && !column.topics.has('no_percentage') && areFew(column);
}

/** A flag or a code whose header says nothing of a state. */
export const saysNoState = (column: ColumnProfile, role: Role | undefined): boolean =>
  role === undefined &&
  (isFlag(column) || isCode(column, role)) &&
  !isHarmless(column) &&
  !isByHeader(column, role) &&
  asks(column) === undefined &&
  !saysStopped(column.plain) &&
  !column.values.some(saysSomeState);
