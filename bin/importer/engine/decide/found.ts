/** What one pass over the columns of a file shows. */
import { ownValue } from '../ground/own-value.ts';
import { type ColumnProfile, isDayFirst, isMonthFirst, monthIsFirst } from '../profile/table-profile.ts';
import { SHEET_COLUMN } from '../ground/columns.ts';
import { isNumberFormat } from '../dates/date-forms.ts';
import type { Source } from '../read/open-source.ts';
import { type Activities, activitiesIn, rolesBeside } from './activities.ts';
import { asks } from './asks.ts';
import { readingOf } from './column-facts.ts';
import type { FoundSystem, KnownSystems } from './system.ts';
import { knownOf } from './ids-of-system.ts';
import { stateCandidates, type StateCandidates } from './state-columns.ts';
import { startThatTells } from './begun.ts';
import { findCourse, findLearner, type Identity } from './identity.ts';
import { namesOf } from '../apply/names.ts';
import { guessColumns, saysSomeState, saysState } from '../profile/roles.ts';
import type { Role } from '../lexicon/headers.ts';
import { SECTION } from '../profile/shaped-rows.ts';
import { isOfFile } from '../read/nested-rows.ts';
import { findTable, type FoundTable } from '../profile/table.ts';
import { type Said, say } from '../ground/codes.ts';
import { type Choices, type KnownKind, LEAVE_OUT, type Platform, type StateColumn } from '../language/findings.ts';

export interface FindOptions {
  readonly platform?: Platform | undefined;
  readonly choices?: Choices | undefined;
  /** The kinds of an earlier mapping. */
  readonly confirmed?: readonly KnownKind[] | undefined;
  /** Called after each row of the second pass, to show progress. */
  readonly onRow?: (() => void) | undefined;
  readonly systems?: KnownSystems | undefined;
}

/** The columns of a file with their roles, and those that may be of state. */
export interface FoundColumns extends FoundTable {
  readonly files: readonly string[];
  readonly system: FoundSystem | undefined;
  /** The choices of a person, completed by those of the known system. */
  readonly choices: Choices;
  readonly roles: ReadonlyMap<Role, ColumnProfile>;
  readonly roleOf: ReadonlyMap<ColumnProfile, Role>;
  readonly learner: Identity;
  readonly course: Identity;
  readonly candidates: StateCandidates;
  readonly activities: Activities | undefined;
  /** The columns of the table, and the names of its sheets. */
  readonly named: readonly ColumnProfile[];
  readonly formatOf: (column: ColumnProfile) => string | undefined;
  /** Day and month may be swapped, and nothing settles it. */
  readonly isAmbiguous: (column: ColumnProfile) => boolean;
}

/** @throws EngineError for a file without rows, without a header, or with other columns than the first */
export async function foundColumns(
  sources: readonly Source[],
  { platform, choices: given = {}, systems }: FindOptions,
): Promise<FoundColumns> {
  const isCourse = platform && ((title: string) => /\p{L}/u.test(title) && platform.courseOf(title) !== undefined);
  const { table, system } = await knownTable(sources, isCourse, given, systems);
  const choices = system?.choicesWith(given) ?? given;
  const columns = table.profile.columns.filter(({ reference }) => ownValue(choices.dates, reference) !== LEAVE_OUT);
  const sheets = sheetIn(table, choices);
  const named = [...columns, ...sheets];
  const guessed = system?.roles ?? guessColumns(columns);
  const learnerBy = (asked?: string) => findLearner(named, guessed, platform, asked);
  const learner = await knownOf('learner', choices, given, learnerBy);
  const courseBy = (asked?: string) => findCourse(named, guessed, platform, { learner: learner.column, asked });
  const course = await knownOf('course', choices, given, courseBy);
  const isOuter = isAround(table, learner, course);
  const activities = system === undefined ? activitiesIn(columns) : undefined;
  const ofRows = new Map([...guessed].filter(([role, column]) => !(OF_COURSE.has(role) && isOuter(column))));
  const roles = rolesBeside(ofRows, activities);
  const roleOf = new Map([...roles].map(([role, column]) => [column, role]));
  const dates = dateFormats(columns, roleOf, { ...choices.formats, ...choices.dates });
  const ids = IDS.map((role) => roles.get(role));
  const people = namesOf(columns, learner.column).filter((column) => !saysState(column));
  const around = [...attributesAround(table, columns, isOuter), ...behindGap(table), ...people];
  const taken = new Set([learner.column, course.column, ...ids, ...around].filter((each) => each !== undefined));
  const sections = columns.filter(({ reference }) => reference === SECTION);
  const names = [...sheets, ...sections].filter((column) => !taken.has(column));
  const candidates =
    system?.candidates(columns, dates.formatOf, choices) ??
    guessedCandidates({ table, columns, roleOf, taken, names, formatOf: dates.formatOf, choices });
  unscale(candidates, choices.fractions);
  sayWhy(candidates, learner, choices.learner);
  sayWhy(candidates, course, choices.course);
  const says = [...table.says, ...sheetsSay(table, learner, course)];
  const files = sources.map(({ path }) => path);
  return {
    ...table,
    files,
    system,
    choices,
    named,
    says,
    roles,
    roleOf,
    learner,
    course,
    candidates,
    activities,
    ...dates,
  };
}

interface Guessed extends Pick<FoundColumns, 'roleOf' | 'formatOf' | 'choices'> {
  readonly table: FoundTable;
  readonly columns: readonly ColumnProfile[];
  readonly taken: ReadonlySet<ColumnProfile>;
  readonly names: readonly ColumnProfile[];
}

/** The columns of state of a file that no descriptor knows. */
function guessedCandidates({ table, columns, roleOf, taken, names, formatOf, choices }: Guessed): StateCandidates {
  const candidates = stateCandidates(columns, roleOf, taken, formatOf, choices);
  addStart(candidates, table, roleOf, formatOf, choices);
  addNames(candidates, names, choices.state);
  return candidates;
}

/** The table, as the descriptor of a system reads it where one knows it. */
async function knownTable(
  sources: readonly Source[],
  isCourse: Parameters<typeof findTable>[1],
  { system: asked, shape }: Choices,
  systems: KnownSystems | undefined,
): Promise<{ readonly table: FoundTable; readonly system?: FoundSystem | undefined }> {
  const [first] = sources;
  const isShaped = shape !== false;
  const read = (asShaped: boolean): Promise<FoundTable> => findTable(sources, isCourse, asShaped);
  if (systems === undefined || asked === false || !mayKnow(systems, first)) return { table: await read(isShaped) };
  const isTable = first?.format === 'csv';
  // The descriptor names columns as they are in the file.
  const table = await read(!isTable && isShaped);
  const system = systems.find(table.profile.columns, asked);
  if (system === undefined) return { table: isTable && isShaped ? await read(true) : table };
  const skip = [table.settings.skip, system.skip].flatMap((each) => each ?? []);
  const settings = skip.length === 0 ? table.settings : { ...table.settings, skip };
  return { table: { ...table, settings, says: [] }, system };
}

/** The columns of a table are known before its rows are read. */
const mayKnow = (systems: KnownSystems, first: Source | undefined): boolean =>
  first?.format !== 'csv' || systems.mayKnow(first.columns);

/** The day of a start, where nothing else says that a learner began. */
function addStart(
  candidates: StateCandidates,
  { profile: { rows } }: FoundTable,
  roleOf: FoundColumns['roleOf'],
  formatOf: FoundColumns['formatOf'],
  choices: Choices,
): void {
  const start = startThatTells(roleOf, rows, candidates.state);
  if (start !== undefined && ownValue(choices.state, start.reference) !== false && choices.onlyState !== true)
    addState(candidates, start, readingOf(start, 'progress.started_at', formatOf(start)));
}

function addState({ state, why }: StateCandidates, start: ColumnProfile, read: StateColumn): void {
  state.set(start, read);
  why.set(start.reference, say('day_of_start_tells', {}));
}

/** @param asked the column that a person chose */
function sayWhy({ why }: StateCandidates, identity: Identity, asked: string | undefined): void {
  const { column } = identity;
  if (column !== undefined) why.set(column.reference, whyIdentity(identity, asked));
}

function whyIdentity({ found }: Identity, asked: string | undefined): Said {
  const { column, found: known, of, isUndecided, others } = found;
  if (asked === column) return say('column_chosen', {});
  if (isUndecided && others.length > 0) return say('column_in_a_tie', { others: others.map((other) => other.column) });
  return known === null || known === 0 ? say('column_by_its_form', {}) : say('column_known', { found: known, of });
}

/** The names of the sheets, unless a person said that they are nothing. */
const sheetIn = ({ sheet }: FoundTable, { shape, learner, course }: Choices): readonly ColumnProfile[] =>
  sheet !== undefined && (shape !== false || learner === SHEET_COLUMN || course === SHEET_COLUMN) ? [sheet] : [];

/** Numbers that a person said are no fractions are read as they are. */
function unscale({ state }: StateCandidates, fractions: Choices['fractions'] = {}): void {
  for (const [column, { scale: _, ...read }] of state)
    if (ownValue(fractions, column.reference) === false) state.set(column, read);
}

/** @param names of sheets, and of sections, which a state may have, like Completed and Revoked */
function addNames(
  { state, maybe, why }: StateCandidates,
  names: readonly ColumnProfile[],
  asked: Choices['state'] = {},
): void {
  const open = names.filter(
    ({ reference, dateFormats: formats }) => ownValue(asked, reference) === undefined && formats.length === 0,
  );
  for (const column of open) {
    const isNameOfState = column.values.some(saysSomeState);
    if (!isNameOfState && !areWords(column)) continue;
    (isNameOfState ? state : maybe).set(column, { read: 'text' });
    why.set(column.reference, say(isNameOfState ? 'name_of_a_state' : 'names_in_words', {}));
  }
}

/** More names are no states. */
const MOST_NAMES = 12;

/** Not `2023` and `2024`, or `Sheet1` and `Sheet2`. */
const areWords = ({ values }: ColumnProfile): boolean =>
  values.length <= MOST_NAMES && values.filter((text) => !/\d/.test(text)).length * 2 > values.length;

function sheetsSay({ sheets, sheet }: FoundTable, learner: Identity, course: Identity): Said[] {
  const names = sheets.flatMap(({ name, isImported }) => (isImported ? [name] : []));
  const named = (what: 'learners' | 'courses', { column }: Identity): Said[] =>
    sheet === undefined || column !== sheet ? [] : [say('sheets_name', { what, names })];
  return [...named('learners', learner), ...named('courses', course)];
}

/** Columns that describe the whole file, or all courses of a learner: a day or a state in them is not of one course. */
const attributesAround = (
  { settings: { rows } }: FoundTable,
  columns: readonly ColumnProfile[],
  isOuter: (column: ColumnProfile) => boolean,
): readonly ColumnProfile[] =>
  columns.filter((column) => (rows === undefined ? isOfFile(column.reference) : isOuter(column)));

/**
 * Columns around the rows: in a file of learners with lists of courses, a member of the learner says nothing of one course, and the
 * other way round; a member of the file says nothing of one row.
 */
function isAround(
  { settings: { rows, repeat } }: FoundTable,
  { column: learner }: Identity,
  { column: course }: Identity,
): (column: ColumnProfile) => boolean {
  const inner = rows === undefined ? ':' : `${rows}.`;
  const isInner = (column: ColumnProfile | undefined): boolean => column?.reference.startsWith(inner) === true;
  const isApart = (rows ?? repeat) !== undefined && isInner(learner) !== isInner(course);
  return (column) => isOfFile(column.reference) || (isApart && !isInner(column));
}

/** Days that a learner may have, too: the first and the last of all courses. */
const OF_COURSE: ReadonlySet<Role> = new Set(['progress.started_at', 'enrolled', 'progress.last_activity_at']);

/** Beyond an empty column is another table, like a legend, if it is shorter. */
function behindGap({ profile: { columns, rows }, settings }: FoundTable): readonly ColumnProfile[] {
  const gap = columns.findIndex(({ name, filled }, index) => index > 0 && name === '' && filled === 0);
  return gap === -1 || settings.repeat !== undefined
    ? []
    : columns.slice(gap).filter(({ filled }) => filled * 2 <= rows);
}

const IDS: readonly Role[] = [
  'user.external_user_id',
  'external_record_id',
  'content.external_ref',
  'content.external_course_id',
];

function dateFormats(
  columns: readonly ColumnProfile[],
  roleOf: ReadonlyMap<ColumnProfile, Role>,
  asked: Readonly<Record<string, string>>,
): Pick<FoundColumns, 'formatOf' | 'isAmbiguous'> {
  const monthFirst = monthIsFirst(columns);
  const isOther = monthFirst === true ? isDayFirst : isMonthFirst;
  const fitting = ({ dateFormats: formats, dated }: ColumnProfile): readonly string[] => {
    const all = dated?.dates.dateFormats ?? formats;
    const same = all.filter((each) => monthFirst === undefined || !isOther(each));
    return same.length > 0 ? same : all;
  };
  return {
    formatOf: (column) => {
      const [format] = fitting(column);
      // Any number may be a day since 1900, or a second since 1970.
      const isPlainNumber = format !== undefined && isNumberFormat(format);
      const isUnsaid = isPlainNumber && !saysDate(column, roleOf.get(column));
      const said = ownValue(asked, column.reference) ?? (isUnsaid ? undefined : format);
      return said === LEAVE_OUT ? undefined : said;
    },
    isAmbiguous: (column) =>
      ownValue(asked, column.reference) === undefined &&
      fitting(column).some(isDayFirst) &&
      fitting(column).some(isMonthFirst),
  };
}

const saysDate = (column: ColumnProfile, role: Role | undefined): boolean =>
  (role !== undefined && /_at$|^enrolled$/.test(role)) || column.topics.has('day') || asks(column) !== undefined;
