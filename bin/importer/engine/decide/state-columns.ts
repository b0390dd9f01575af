/** Which columns say what becomes of a row: found by their values; headers settle ties. */
import { isNeverText } from '../dates/date-forms.ts';
import { areFractions, ColumnProfile } from '../profile/table-profile.ts';
import { meaningOf, saysStopped } from '../lexicon/words.ts';
import { PERCENTS } from './begun.ts';
import { codesBesideTexts, markInHeader, partsOfWholes, passMarks } from './beside.ts';
import { isCounted, isShare, withPercent } from '../language/classes.ts';
import {
  areLasting,
  COMPLETED,
  isDayOfCompletion,
  isOtherDay,
  isPlanned,
  isScoreHeader,
  isStatusHeader,
  saysSomeState,
  saysState,
} from '../profile/roles.ts';
import { isBareShare, type Role } from '../lexicon/headers.ts';
import { namesItems } from './items.ts';
import { asks } from './asks.ts';
import { areUpTo100, FEW_TEXTS, isPercentage, NO_PERCENTAGE } from './percentages.ts';
import type { Choices, StateColumn } from '../language/findings.ts';

/** More different texts are no words of a state. */
export const MOST_WORDS = 60;

export interface StateCandidates {
  /** State columns, certain by their values, their header, or a person. */
  readonly state: Map<ColumnProfile, StateColumn>;
  /** Columns of few unknown words, which are state columns if they vary with the certain ones. */
  readonly maybe: Map<ColumnProfile, StateColumn>;
  /** State columns by their header with too many different texts. */
  readonly freeText: ColumnProfile[];
}

/** @param taken columns that say whose record it is. @param formatOf the date format of a column, `undefined` for no dates */
export function stateCandidates(
  columns: readonly ColumnProfile[],
  roles: ReadonlyMap<ColumnProfile, Role>,
  taken: ReadonlySet<ColumnProfile>,
  formatOf: (column: ColumnProfile) => string | undefined,
  { state, onlyState }: Choices,
): StateCandidates {
  const askedOf = ({ reference }: ColumnProfile): boolean | undefined =>
    state?.[reference] ?? (onlyState === true ? false : undefined);
  const found: StateCandidates = { state: new Map(), maybe: new Map(), freeText: [] };
  const parts = partsOfWholes(columns);
  const marks = passMarks(columns, roles);
  const isOther = isOtherPercentage(roles);
  const rows = Math.max(...columns.map(({ filled }) => filled));
  const beside = [...codesBesideTexts(columns), ...columns.filter((column) => isPlace(column, roles))];
  const aside = new Set([...parts.values(), ...marks.values(), ...taken, ...beside]);
  for (const column of columns) {
    const asked = askedOf(column);
    if (!(asked ?? !(aside.has(column) || isOther(column)))) continue;
    const [role, whole, mark] = [roles.get(column), parts.get(column), markOf(column, marks)];
    const read = readingOf(column, role, formatOf(column));
    if (whole !== undefined) found.state.set(column, { read: 'share', out_of: whole.reference });
    else if (mark !== undefined) found.state.set(column, { read: 'mark', out_of: mark });
    else if (asked === true) found.state.set(column, asAsked(column, read));
    else if (isOfWords(read)) addWords(found, column, role, read, rows);
    else if (isOutcome(column, role, read)) found.state.set(column, read);
  }
  const open = columns.filter((column) => !aside.has(column) && askedOf(column) !== false && !found.state.has(column));
  addOthers(found, open, roles);
  return found;
}

/** Ohio is a state of another kind, where another column is the status. */
const isPlace = (column: ColumnProfile, roles: ReadonlyMap<ColumnProfile, Role>): boolean =>
  column.plain === 'state' &&
  roles.get(column) !== 'status' &&
  [...roles.values()].includes('status') &&
  !column.values.some(saysSomeState);

const markOf = (column: ColumnProfile, marks: ReadonlyMap<ColumnProfile, ColumnProfile>): StateColumn['out_of'] =>
  marks.get(column)?.reference ?? (isScoreHeader(column) && column.isMostlyNumber ? markInHeader(column) : undefined);

/**
 * Numbers that may be percentages, and types of items, which count where they differ within a course; where nothing says how far a
 * learner is, any type may.
 */
function addOthers(
  { state, maybe }: StateCandidates,
  columns: readonly ColumnProfile[],
  roles: ReadonlyMap<ColumnProfile, Role>,
): void {
  const areKnown = [...state.values()].some(({ read }) => PERCENTS.has(read));
  for (const column of areKnown ? [] : columns.filter((each) => mayBeShare(each, roles.get(each))))
    maybe.set(column, percentageOf(column));
  for (const column of columns) if (namesItems(column)) maybe.set(column, { read: 'text' });
  if ([...state].some(([column, { read }]) => read !== 'date' || asks(column) !== undefined)) return;
  for (const column of columns)
    if (/\b(type|category)\b/.test(column.plain) && isOfFewWords(column)) maybe.set(column, { read: 'text' });
}

export const isOfWords = ({ read }: StateColumn): boolean => ['text', 'dated', 'counted'].includes(read);

/** Some of its words have a percentage in them. */
const areCounted = ({ values }: ColumnProfile): boolean =>
  values.filter(isCounted).length * 4 >= Math.max(values.length, 4);

/** Numbers that a person brings in are percentages; texts are compared as they are. */
const asAsked = (column: ColumnProfile, read: StateColumn): StateColumn =>
  read.read === 'text' && isMeasure(column) ? percentageOf(column) : read;

const percentageOf = (column: ColumnProfile): StateColumn => ({
  read: 'percent',
  ...(areFractions(column) ? { scale: 100 } : {}),
});

const isMeasure = (column: ColumnProfile): boolean =>
  column.isMostlyNumber && !isFlag(column) && !isCode(column, undefined);

export function readingOf(column: ColumnProfile, role: Role | undefined, format: string | undefined): StateColumn {
  const { values } = column;
  const dates = format === undefined || format === 'iso' ? {} : { dates: format };
  if (column.dated !== undefined) return { read: 'dated', ...dates };
  if (format !== undefined) return { read: 'date', ...dates };
  if (areCounted(column)) return { read: 'counted' };
  // Dates that mean never, or are of a notation that nobody knows.
  if (DATE_ROLES.has(role) && values.every((text) => /\d/.test(text) || isNeverText(text))) return { read: 'date' };
  if (values.length > 0 && values.filter(isShare).length >= values.length * 0.8) return { read: 'share' };
  return ofNumbers(column, role);
}

const ofNumbers = (column: ColumnProfile, role: Role | undefined): StateColumn =>
  column.isMostlyNumber && !column.isFlag && !areCodes(column) && isPercentage(column, role)
    ? percentageOf(column)
    : { read: 'text' };

/** A mere `Percentage` beside the progress of the course may be of the points of an exam. */
const isOtherPercentage = (roles: ReadonlyMap<ColumnProfile, Role>): ((column: ColumnProfile) => boolean) => {
  const hasProgress = [...roles].some(([{ plain }, role]) => role === 'progress.completion_pct' && !isBareShare(plain));
  return ({ plain }) => hasProgress && isBareShare(plain);
};

const DATE_ROLES: ReadonlySet<Role | undefined> = new Set<Role>([
  'progress.completed_at',
  'assessment.taken_at',
  'progress.started_at',
  'enrolled',
  'progress.last_activity_at',
]);

/** Numbers of one digit are codes, unless something says that they are percentages. */
const areCodes = (column: ColumnProfile): boolean =>
  !/%|percent|pct/.test(column.name.toLowerCase()) && column.values.every((text) => /^\d$/.test(text));

/** Dates and percentages that may decide; those of another meaning are named below the table. */
function isOutcome(column: ColumnProfile, role: Role | undefined, { read }: StateColumn): boolean {
  // `18 / 20` of a score are points.
  if (read !== 'date') return read !== 'share' || !(isScoreHeader(column) || NO_PERCENTAGE.test(column.plain));
  if (role === 'progress.completed_at' || role === 'assessment.taken_at') return true;
  if (DATE_ROLES.has(role)) return false;
  return column.roles.has('deleted') || isDayOfCompletion(column) || !isOtherDay(column);
}

function addWords(
  found: StateCandidates,
  column: ColumnProfile,
  role: Role | undefined,
  read: StateColumn,
  rows: number,
): void {
  if (!maySay(column, role, rows)) return;
  const words = wordsOf(column, read);
  const isState = words.values.length === 0 ? isByHeader(words, role) : isStateByValues(words, role);
  const isFew = role === undefined && isOfFewWords(words);
  if (words.texts.size <= MOST_WORDS) {
    if (isState || (isFew && words.values.some(saysSomeState))) found.state.set(column, read);
    else if (isFew) found.maybe.set(column, read);
  } else if (isState) found.freeText.push(column);
}

/** Without the dates and the percentages in its texts. */
const wordsOf = (column: ColumnProfile, { read }: StateColumn): ColumnProfile =>
  read === 'counted' ? withoutPercents(column) : (column.dated?.words ?? column);

function withoutPercents({ name, reference, texts }: ColumnProfile): ColumnProfile {
  const words = new ColumnProfile(name, reference);
  for (const [text, times] of texts) words.add(isCounted(text) ? withPercent(text) : text, times);
  return words;
}

/** The text of an object of JSON says nothing that its members do not say. */
const isOfObjects = ({ values }: ColumnProfile): boolean => values.some((text) => /^[{[].*[\]}]$/s.test(text));

/** A word of a column about people or courses may say that a row does not count; so may a remark in unknown words. */
const maySay = (column: ColumnProfile, role: Role | undefined, rows: number): boolean =>
  !isOfObjects(column) &&
  !areLasting(column) &&
  !(OF_TRIES.test(column.plain) && column.isMostlyNumber) &&
  (role === 'status' ||
    !isHarmless(column) ||
    (column.texts.size <= FEW_TEXTS &&
      (column.values.some(saysStopped) || (isOfRemarks(column) && column.filled * 2 <= rows))));

const isOfFewWords = (column: ColumnProfile): boolean =>
  areFew(column) &&
  column.values.filter((text) => !/\d/.test(text.replace(CODE_OF_WORD, ''))).length * 2 > column.values.length;

/** `4` of `4 Present`. */
const CODE_OF_WORD = /^\d{1,2}[\s.:)-]+(?=\p{L})/u;

const isByHeader = (column: ColumnProfile, role: Role | undefined): boolean =>
  isStatusHeader(column) ||
  (isStateHeader(column) && !areNumbered(column)) ||
  role === 'assessment.status' ||
  column.roles.has('deleted') ||
  (COMPLETED.test(column.plain) && !isPlanned(column));

/** The numbers of certificates: each row has one of its own. */
const areNumbered = ({ texts, filled, values }: ColumnProfile): boolean =>
  texts.size === Math.min(filled, 300) && values.length > 2 && values.every((text) => /\d{2}/.test(text));

const isStateByValues = (column: ColumnProfile, role: Role | undefined): boolean =>
  !isMeasure(column) &&
  (isHarmless(column) || isByHeader(column, role) || saysState(column) || isFlag(column) || isCode(column, role));

/** Texts that repeat; of a few rows some do. */
const areFew = ({ texts, filled }: ColumnProfile): boolean =>
  texts.size <= Math.min(FEW_TEXTS, Math.max(2, filled / 2, Math.min(filled - 1, 6)));

/** Headers that say that a row may not count, or what came of it. */
export const isStateHeader = ({ plain }: ColumnProfile): boolean =>
  /\b(status|state|result|outcome|passed|failed|complet\w*|finish\w*|certif\w*|revok\w*|valid|exempt\w*|waiv\w*|archiv\w*|delet\w*|void\w*|cancel\w*|withdr\w*|removed|attend(ed|ance)|success\w*|grade|standing|disposition)\b|\b(presence|presenza|presenca|asistencia|anwesen|teilnahme|aanwezig|obecnosc|katilim)|出席|참석/.test(
    plain,
  );

export const isOfRemarks = ({ plain }: ColumnProfile): boolean =>
  /\b(notes?|comments?|remarks?|annotations?)\b|bemerk|kommentar|anmerkung|commentaire|remarque|observa[cç]|coment|\bnot[ae]\b|opmerking|uwag|aciklama|備考|备注|비고/.test(
    plain,
  );

/** A price, or how long something takes: `Cost (€)`, `Süre (dk)`. */
const HAS_UNIT =
  /[€$£¥₩₽₹]|\((h|hrs?|hours?|years?|yrs?|months?|mins?|minut\w+|std|horas?|heures?|godz|dk|saat|мин|ч|分|時間|시간)\.?\)/i;

/** Columns about people and courses, whose words say nothing of how far a learner is. */
export const isHarmless = (column: ColumnProfile): boolean =>
  (column.topics.hasAny('person', 'course_fact') || HAS_UNIT.test(column.name)) && !saysOutcome(column);

/** Whatever its header says: a third of its words are known, and one is an outcome. */
const saysOutcome = (column: ColumnProfile): boolean =>
  saysState(column) && column.values.some((text) => OUTCOMES.has(meaningOf(text) ?? ''));

const OUTCOMES: ReadonlySet<string> = new Set(['completed', 'passed', 'failed']);

/** How often something was tried is no answer, nor are the bounds of a score. */
const OF_TRIES =
  /\bscore (min|max)$|\b(attempts?|tries|launches|visits|versuche?|intentos?|tentativ[eiao]s?|pogingen|poku[ds]\w*|proby|kiserlet\w*|deneme\w*|forsok)\b|попыт|спроб|回数|次数|횟수/;

export const isFlag = (column: ColumnProfile): boolean =>
  (column.isFlag && !OF_TRIES.test(column.plain)) ||
  column.values.every((text) => ['yes', 'no'].includes(meaningOf(text) ?? ''));

/** Numbers of two digits that do are a measure; so are many that are mostly above 20, like scores. */
const hardlyRepeats = ({ values, texts, filled }: ColumnProfile): boolean =>
  values.some((text) => /\d\d/.test(text)) &&
  (texts.size * 3 > filled ||
    (values.length > 5 && values.filter((text) => Number(text) > 20).length * 2 > values.length));

/** From 0 to 100 under any header: a percentage, if just the completed rows have 100. */
const mayBeShare = (column: ColumnProfile, role: Role | undefined): boolean =>
  role === undefined &&
  column.texts.size > 2 &&
  areUpTo100(column) &&
  !isScoreHeader(column) &&
  !isHarmless(column) &&
  !isCode(column, role);

/** Whole numbers and short codes of few values. */
function isCode(column: ColumnProfile, role: Role | undefined): boolean {
  const { values, plain } = column;
  if (!values.every((text) => /^-?\d{1,3}$|^\p{Lu}{1,3}\d?$/u.test(text)) || hardlyRepeats(column)) return false;
  // Results of two digits are scores.
  if (/\b(result|outcome)\b/.test(plain)) return !values.some((text) => Number(text) > 20);
  if (isStatusHeader(column) || /\b(status|state)\b/.test(plain)) return true;
  if (role === 'progress.completion_pct') return areCodes(column);
  // One number in all rows tells none of them from another.
  return values.length > 1 && role === undefined && !NO_PERCENTAGE.test(plain) && areFew(column);
}
