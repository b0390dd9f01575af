/** Which column names the learner and which the course: those whose texts the platform knows; headers settle ties. */
import { bareAddress } from '../dates/convert-value.ts';
import { saysId, stemOfId } from './beside.ts';
import { SHEET_COLUMN } from '../ground/columns.ts';
import { isNumberFormat } from '../dates/date-forms.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import { meaningOf } from '../lexicon/words.ts';
import type { Role } from '../lexicon/headers.ts';
import { saysState } from '../profile/roles.ts';
import type { ColumnChoice, FoundColumn, Platform } from '../language/findings.ts';

const SAMPLE = 100;
/** Columns whose texts are looked up. */
const MOST_ASKED = 12;
const MOST_UNKNOWN = 10;

/** The column that names the learner or the course. */
export interface Identity {
  readonly column: ColumnProfile | undefined;
  readonly found: FoundColumn;
  /** The texts are old ids that the platform has registered, or that have to be. */
  readonly isId: boolean;
}

interface Known extends Omit<ColumnChoice, 'column'> {
  readonly column: ColumnProfile;
  readonly unknown: readonly string[];
}

type Roles = ReadonlyMap<Role, ColumnProfile>;

/** @param asked the column that a person chose */
export async function findLearner(
  columns: readonly ColumnProfile[],
  roles: Roles,
  platform: Platform | undefined,
  asked: string | undefined,
): Promise<Identity> {
  const id = roles.get('user.external_user_id');
  const short = platform === undefined || id !== undefined ? new Set<ColumnProfile>() : shortIds(columns);
  const known = await askedOf(platform, mayNameLearners(columns, id, short, platform !== undefined));
  const isUsable = (each: Known): boolean => platform === undefined || isThirdKnown(each);
  const isSomeKnown = known.some((each) => isUsable(each) && !isOfOther(each.column));
  const names = isSomeKnown || platform === undefined ? [] : await knownNames(columns, platform);
  known.push(...names);
  const chosen = columns.find(({ reference }) => reference === asked);
  if (chosen !== undefined) return identity(chosen, known, false);
  const usable = known.filter(isUsable);
  const best = usable.length > 0 ? usable : known.filter(({ column }) => column.isAddress || column === id);
  const [first, second] = ownAmong(best, id);
  if (first === undefined) return identity(undefined, [...known, ...(await offered(columns, known, platform))], false);
  const isDoubtful = [
    isTie(first, second),
    isShared(first.column, id),
    isShortId(first, short, columns),
    isOfOther(first.column) && columns.some(isOfOwnName),
    names.includes(first) && columns.some((column) => mayBeLearners(column, first, id, platform)),
  ];
  return identity(first.column, known, isDoubtful.includes(true));
}

/** Where no column names learners, a person chooses among names and ids that nobody knows yet, or else among all texts. */
function offered(
  columns: readonly ColumnProfile[],
  known: readonly Known[],
  platform: Platform | undefined,
): Promise<readonly Known[]> {
  const others = columns.filter((column) => column.values.length > 1 && !known.some((each) => each.column === column));
  const some = others.filter((column) => isOfOwnName(column) || isOfNumbers(column));
  const texts = known.length + some.length > 0 ? [] : others.filter(mayBeNames);
  return askedOf(platform, [...some, ...texts].slice(0, MOST_ASKED));
}

/** `ID` and `Order ID`, whichever they are of. */
const isOfNumbers = ({ isNumber, plain }: ColumnProfile): boolean => isNumber && saysId(`own ${plain}`);

/** The columns of which the platform is asked. */
function mayNameLearners(
  columns: readonly ColumnProfile[],
  id: ColumnProfile | undefined,
  short: ReadonlySet<ColumnProfile>,
  isLoggedIn: boolean,
): readonly ColumnProfile[] {
  const some = new Set([
    ...columns.filter(({ isAddress }) => isAddress),
    ...(id === undefined ? [] : [id]),
    // Without a platform, staff numbers and logins are those of many learners.
    ...columns.filter((column) => isIdLike(column) && (isLoggedIn || column.texts.size >= 5)),
    // Of a header that names learners, the platform says whether `7` is one; where none does, of ids that rows repeat: a person chooses.
    ...columns.filter((column) => isLoggedIn && column.isNumber && column.topics.has('learner')),
    ...short,
  ]);
  return [...some].slice(0, MOST_ASKED);
}

/**
 * The best known first. Beside a header that names learners, numbers of courses and of their parts may be those of learners by chance.
 */
function ownAmong(known: readonly Known[], id: ColumnProfile | undefined): readonly Known[] {
  const hasId = known.some(({ column }) => column === id);
  const isByChance = (column: ColumnProfile): boolean =>
    hasId && column !== id && column.topics.hasAny('course', 'part_of_course');
  const own = known.filter(({ column }) => !isOfOther(column) && !isByChance(column));
  return (own.length > 0 ? own : known).toSorted(
    (a, b) => (b.found ?? 0) - (a.found ?? 0) || Number(b.column.isAddress) - Number(a.column.isAddress),
  );
}

const isOfOther = ({ topics }: ColumnProfile): boolean => topics.has('other_person');
/** Beside the name of a learner, a manager is not meant; the owner of a record alone is. */
const isOfOwnName = (column: ColumnProfile): boolean =>
  !isOfOther(column) && column.topics.hasAny('full_name', 'whole_name', 'first_name', 'last_name');
const isOfNames = ({ topics, values }: ColumnProfile): boolean =>
  topics.hasAny('full_name', 'whole_name') && values.length > 0;

const isThirdKnown = ({ found, of }: Known): boolean => (found ?? 0) * 3 >= of && of > 0;

/** A system may have had names for ids; where no header says so, they are those texts of which the platform knows nearly all. */
async function knownNames(columns: readonly ColumnProfile[], platform: Platform): Promise<readonly Known[]> {
  const named = (await askedOf(platform, columns.filter(isOfNames))).filter(isThirdKnown);
  if (named.length > 0) return named;
  const some = columns.filter((column) => mayBeNames(column) && !isOfOther(column)).slice(0, MOST_ASKED);
  // A header that is itself a learner is that of a file without a header.
  const isLearner = await learnersAmong(
    some.map(({ name }) => name),
    platform,
  );
  const headed = some.filter(({ name }) => !isLearner(name));
  const known = await askedOf(platform, headed);
  return known.filter(({ found, of }) => of > 2 && (found ?? 0) * 10 >= of * 9);
}

const mayBeNames = (column: ColumnProfile): boolean =>
  !column.isAddress && !column.isNumber && column.dateFormats.length === 0 && !saysState(column);

/** Beside texts that may be those of managers: addresses, a header of names, or more texts without digits that are no courses. */
function mayBeLearners(
  column: ColumnProfile,
  { column: known }: Known,
  id: ColumnProfile | undefined,
  platform: Platform | undefined,
): boolean {
  if (column === known || isOfNames(known) || isOfOther(column)) return false;
  if (column === id || column.isAddress || (isOfOwnName(column) && !isOfOwnName(known))) return true;
  const texts = column.values.slice(0, SAMPLE);
  const own = texts.filter((text) => !/\d/.test(text) && platform?.courseOf(text) === undefined);
  return mayBeNames(column) && column.texts.size > known.texts.size && own.length * 2 > texts.length;
}

/** How many texts of each column are learners of the platform. */
const askedOf = (platform: Platform | undefined, columns: readonly ColumnProfile[]): Promise<Known[]> =>
  Promise.all(
    columns.map(async (column) => {
      const texts = column.values.slice(0, SAMPLE).map((text) => bareAddress(text));
      return counted(column, texts, platform && (await learnersAmong(texts, platform)));
    }),
  );

/** Which texts are learners of the platform, in any case. */
async function learnersAmong(texts: readonly string[], platform: Platform): Promise<(text: string) => boolean> {
  const known = new Set([...(await platform.knownLearners(texts))].map((text) => text.toLowerCase()));
  return (text) => known.has(text.toLowerCase());
}

/** Two columns of addresses, or two of ids, that the platform knows alike. */
function isTie(first: Known, second: Known | undefined): boolean {
  if (second === undefined || first.column.isAddress !== second.column.isAddress) return false;
  if (haveSameTexts(first.column, second)) return false;
  return second.found === null || second.found * 2 > (first.found ?? 0);
}

/** The same texts in the same rows, but for those that the platform does not know: a few logins are no addresses. */
function haveSameTexts({ texts }: ColumnProfile, { column, unknown }: Known): boolean {
  const own = [...texts].map((each) => each.join().toLowerCase());
  const others = [...column.texts].map(
    (each, index) => each.join().toLowerCase() === own[index] || unknown.includes(each[0]),
  );
  return own.length === others.length && !others.includes(false);
}

/** True if several people share an address: the file has more ids than addresses. */
const isShared = (column: ColumnProfile, id: ColumnProfile | undefined): boolean =>
  id !== undefined && column.isAddress && id.texts.size > column.texts.size * 1.3 + 1 && id.texts.size < 300;

/** Columns of short ids, where the file has no address. */
const shortIds = (columns: readonly ColumnProfile[]): ReadonlySet<ColumnProfile> =>
  new Set(columns.some(({ isAddress }) => isAddress) ? [] : columns.filter(mayBeShortId));

/** `emp_id`, with texts that rows repeat: neither that of the row nor that of a course. */
const mayBeShortId = ({ isNumber, plain, topics, texts }: ColumnProfile): boolean =>
  isNumber &&
  saysId(plain) &&
  !topics.hasAny('course', 'part_of_course') &&
  texts.size > 1 &&
  [...texts.values()].some((rows) => rows > 1);

/** Of several digits, none is known by chance. */
const isAllKnown = ({ found, of, column }: Known): boolean =>
  found === of && of > 2 && column.values.every((text) => text.length > 3);

const isShortId = (known: Known, short: ReadonlySet<ColumnProfile>, columns: readonly ColumnProfile[]): boolean =>
  short.has(known.column) && !isOfPersonsNamed(known, columns);

/** The platform knows all of `Operative ID` beside `Operative Name`, and no other column names persons. */
function isOfPersonsNamed(known: Known, columns: readonly ColumnProfile[]): boolean {
  const stem = isAllKnown(known) ? stemOfId(known.column.plain) : undefined;
  const names = columns.filter((column) => isOfOwnName(column) || isName(column, `${stem} `));
  return stem !== undefined && names.length === 1 && names.every((column) => isName(column, `${stem} `));
}

const isName = ({ plain, topics }: ColumnProfile, start: string): boolean =>
  plain.startsWith(start) && topics.has('person') && !saysId(plain) && !topics.hasAny('other_person', 'course_title');

/** Texts without blanks: staff numbers, logins. */
const isIdLike = ({ dateFormats, isNumber, values }: ColumnProfile): boolean =>
  values.length > 0 &&
  dateFormats.every(isNumberFormat) &&
  (!isNumber || values.every((text) => /^\d{3,}$/.test(text))) &&
  values.every((text) => /^\S{3,60}$/.test(text)) &&
  values.some((text) => meaningOf(text) === undefined);

/** @param isKnown absent without a platform */
function counted(column: ColumnProfile, texts: readonly string[], isKnown?: (text: string) => boolean): Known {
  const unknown = isKnown === undefined ? [] : texts.filter((text) => !isKnown(text));
  const found = isKnown === undefined ? null : texts.length - unknown.length;
  const isSample = isKnown !== undefined && column.texts.size > texts.length;
  return { column, found, of: texts.length, ...(isSample && { isSample }), unknown: unknown.slice(0, MOST_UNKNOWN) };
}

function identity(column: ColumnProfile | undefined, known: readonly Known[], isUndecided: boolean): Identity {
  const own: Omit<Known, 'column'> & { readonly column?: ColumnProfile } = known.find(
    (each) => each.column === column,
  ) ?? { found: null, of: column?.texts.size ?? 0, unknown: [] };
  const { column: _, ...counts } = own;
  const others = known
    .filter((each) => each !== own)
    .map(({ column: { reference }, unknown: _, ...each }) => ({ ...each, column: reference }));
  const isOpen = isUndecided || column === undefined;
  return {
    column,
    isId: column?.isAddress === false,
    found: { ...counts, column: column?.reference ?? null, isUndecided: isOpen, others },
  };
}

/** Activities of xAPI have addresses. */
const mayNamePart = (column: ColumnProfile | undefined, platform: Platform | undefined): boolean =>
  platform !== undefined &&
  column?.topics.has('part_of_course') === true &&
  !column.values.every((text) => /^https?:/.test(text));

/** A mere `Title` that many rows have not is that of a learner at work: each row has a course. */
function courseByHeader(columns: readonly ColumnProfile[], roles: Roles): ColumnProfile | undefined {
  const column = roles.get('content.platform_course_id') ?? roles.get('content.external_course_id');
  const rows = Math.max(...columns.map(({ filled }) => filled));
  return column?.topics.has('title') === true && column.filled < rows * 0.6 ? undefined : column;
}

const shareOf = ({ found, of }: Known): number => (found ?? 0) / of;

/** @param learner the column of the learner, which cannot name courses */
export function findCourse(
  columns: readonly ColumnProfile[],
  roles: Roles,
  platform: Platform | undefined,
  { learner, asked }: { readonly learner: ColumnProfile | undefined; readonly asked: string | undefined },
): Identity {
  const byHeader = courseByHeader(columns, roles);
  const known = columns
    .filter((column) => column !== learner && !column.isAddress && column.values.length > 0)
    // A number may be the id of a course by chance.
    .filter((column) => column === byHeader || (!column.isNumber && column.dateFormats.length === 0))
    .map((column) => {
      const isKnown = platform && ((text: string) => platform.courseOf(text) !== undefined);
      return counted(column, column.values.slice(0, SAMPLE), isKnown);
    });
  const good = known.filter((each) => shareOf(each) > 0 && (each.found ?? 0) * 3 >= each.of);
  const [best, second] = good.toSorted(
    (a, b) => shareOf(b) - shareOf(a) || Number(b.column === byHeader) - Number(a.column === byHeader),
  );
  const chosen = columns.find(({ reference }) => reference === asked) ?? best?.column ?? byHeader;
  const isTie = best !== undefined && second !== undefined && shareOf(best) === shareOf(second);
  // A module that the platform does not know may be a course of its own, or a part of one.
  const isOpen = best === undefined ? mayNamePart(chosen, platform) : isTie && byHeader !== best.column;
  const isShown = (each: Known): boolean =>
    each.column === chosen || good.includes(each) || (chosen === undefined && each.column.reference === SHEET_COLUMN);
  const shown = known.filter(isShown);
  return identity(chosen, shown, asked === undefined && isOpen);
}
