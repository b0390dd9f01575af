/** What a column is, by its header and its values: the roles of columns, and which days, scores and words complete nothing. */
import { isShare } from '../language/classes.ts';
import { STATES, type Meaning, meaningOf, meansDone, plainText, rolesOf, saysStopped } from '../lexicon/words.ts';
import type { Field } from '../ground/fields.ts';
import { type Headed, namedByIds, namesRole, patternsOf, type Role, ROLES, WORD_ROLES } from '../lexicon/headers.ts';
import { isNumberFormat } from '../dates/date-forms.ts';
import { saysTopic, topicExpression } from '../lexicon/topics.ts';
import { ColumnProfile } from './table-profile.ts';

/** The column of each role; a column has one role at most, and an empty column none. */
export function guessColumns(columns: readonly ColumnProfile[]): Map<Role, ColumnProfile> {
  const found = new Map<Role, ColumnProfile>();
  const free = new Set(columns);
  const take = (role: Role, column: ColumnProfile | undefined): void => {
    if (column === undefined) return;
    free.delete(column);
    found.set(role, column);
  };
  take('user.email', addressColumn(columns));
  for (const role of ROLES)
    take(
      role,
      byHeader(free, role).find((column) => column.values.length > 0 && mayFill(role, column)),
    );
  const exam = found.get('assessment.status');
  // A result that says completed or in progress is that of the course, where nothing else says its state.
  if (exam !== undefined && !found.has('status') && !exam.topics.has('exam') && saysCourse(exam)) {
    found.delete('assessment.status');
    found.set('status', exam);
  }
  // `Progress` may be a state in words.
  if (!found.has('status')) take('status', byHeader(free, 'progress.completion_pct').find(saysStateAlone));
  if (!found.has('progress.completed_at'))
    take('progress.completed_at', dateOfCompletion(columns, found.get('status')));
  return found;
}

/** The column of a list of ids that fills each member, by its header alone. */
export function columnsByHeader(names: readonly string[]): Map<Field, string> {
  const found = new Map<Field, string>();
  const free = new Set(names.map((name) => new ColumnProfile(name, name)));
  for (const role of ['user.email', ...ROLES] as const) {
    const [column] = byHeader(free, role);
    if (column === undefined) continue;
    free.delete(column);
    found.set(role as Field, column.name);
  }
  return found;
}

/** The columns whose headers name a role, the best first. `Completion date (target)` is no day of completion. */
function byHeader(free: ReadonlySet<ColumnProfile>, role: Headed): ColumnProfile[] {
  const some = [...free];
  const patterns = patternsOf(role);
  const english = patterns.flatMap((pattern) => some.filter(({ plain }) => pattern.test(plain)));
  const others = /\.(completed|taken)_at$/.test(role) ? some.filter((column) => !isPlanned(column)) : some;
  const bare = patterns.flatMap((pattern) => others.filter((column) => pattern.test(column.bare)));
  const inWords = (WORD_ROLES[role] ?? []).flatMap((word) => others.filter(({ roles }) => roles.has(word)));
  const starts = role === 'progress.started_at' ? inWords.filter(({ topics }) => topics.has('started')) : [];
  const ends = role === 'progress.completed_at' ? some.filter(isDayOfCompletion).toSorted(firstLast) : [];
  const ids = some.filter(({ plain }) => namedByIds(plain) === role);
  return [...english, ...bare, ...starts, ...inWords, ...ends, ...ids];
}

/** `First completion date` behind `Last completion date`. */
const firstLast = (a: ColumnProfile, b: ColumnProfile): number => Number(isOfFirstTime(a)) - Number(isOfFirstTime(b));

/** The day by which a course should be completed, until which it counts, or of a message, a report or a term: none completes it. */
export const isPlanned = ({ topics }: Pick<ColumnProfile, 'topics'>): boolean =>
  topics.hasAny('planned', 'expiry', 'report_day', 'term_end');
/** The day on which a status changed is one of each status. */
export const isOtherDay = (column: ColumnProfile): boolean =>
  isPlanned(column) || (!column.topics.has('of_status') && column.topics.hasAny('person_day', 'enrolment', 'row_day'));

/** Any header that says so, over dates; a number may be one by chance. */
export const isDayOfCompletion = (column: ColumnProfile): boolean =>
  column.topics.has('completion') &&
  !column.topics.has('negated') &&
  !isPlanned(column) &&
  !isStatusHeader(column) &&
  column.dateFormats.some((format) => !isNumberFormat(format) || /\b(date|at|on)\b/.test(column.plain));

/** The day of the first of several completions. */
export const isOfFirstTime = ({ plain }: ColumnProfile): boolean => {
  const [, rest] = /^(?:first|original|initial) (.+)/.exec(plain) ?? [];
  return rest !== undefined && topicExpression('completion').exec(rest)?.index === 0;
};

/** The day on which the status was set, whichever status it is. */
export const isDayOfStatus = (column: ColumnProfile): boolean => column.topics.hasAny('bare_day', 'of_status');

/** A mere `Date` counts if as many rows have it as are completed; that of a status if the status says completed. */
function dateOfCompletion(
  columns: readonly ColumnProfile[],
  status: ColumnProfile | undefined,
): ColumnProfile | undefined {
  const done = (status?.values ?? []).filter(meansDone);
  const rows = done.reduce((sum, text) => sum + (status?.texts.get(text) ?? 0), 0);
  return columns.find(
    (column) =>
      ((column.topics.has('bare_day') && column.filled === rows) || (rows > 0 && column.topics.has('status_day'))) &&
      !isPlanned(column) &&
      column.dateFormats.length > 0,
  );
}

/** An address is an address under any header. */
function addressColumn(columns: readonly ColumnProfile[]): ColumnProfile | undefined {
  const some = columns.filter(({ isAddress }) => isAddress);
  const own = some.filter(({ topics }) => !topics.has('other_person'));
  return own.find(({ topics, roles }) => topics.has('address') || roles.has('email')) ?? own[0] ?? some[0];
}

/** A header alone is not enough if the values contradict it. */
function mayFill(role: Role, column: ColumnProfile): boolean {
  if (role.endsWith('_at') || role === 'enrolled') return looksDated(column);
  if (role === 'progress.completion_pct') return column.isNumber || column.values.some(isShare);
  if (role === 'assessment.score_pct') return column.isMostlyNumber && !column.isFlag;
  if (role === 'assessment.status' || role === 'status') return saysStatus(column);
  // Words of a state name neither a learner nor a course.
  return !saysState(column);
}

/** How long something took: `1:10:00`, `PT1H10M`, `1 h 10 min`. */
export const areLasting = ({ values }: ColumnProfile): boolean => values.length > 0 && values.every(isLasting);

const isLasting = (text: string): boolean =>
  /^\d{1,4}:\d{2}(:\d{2}([.,]\d+)?)?$|^P(\d+[YMWD])*(T([\d.]+[HMS])+)?$/.test(text) || hasUnits(text);

/** Each number has a unit, of which the first is a known one. */
function hasUnits(text: string): boolean {
  const [, unit = ''] = /^\d{1,4} ?(\p{L}{1,8})\.?(?: \d{1,2} ?\p{L}{1,8}\.?)*$/u.exec(text) ?? [];
  return unit !== '' && saysTopic(`(${unit.toLowerCase()})`, 'unit');
}

/** Dates, or texts with digits that may be dates of an unknown format. */
function looksDated(column: ColumnProfile): boolean {
  const { dateFormats, values, isNumber } = column;
  if (dateFormats.length > 0) return true;
  if (areLasting(column)) return false;
  return !isNumber && values.filter((text) => /\d{2}/.test(text)).length * 2 > values.length;
}

/** A header that names a role in any language. */
export const saysRole = (header: string): boolean => {
  const plain = plainText(header);
  return ROLES.some((role) => namesRole(plain, role)) || rolesOf(header).size > 0;
};

/** A header of a status. */
export const isStatusHeader = ({ plain, roles, topics }: ColumnProfile): boolean =>
  namesRole(plain, 'status') || roles.has('status') || topics.has('status');

/** A header of a score. */
export const isScoreHeader = ({ plain, bare, roles }: ColumnProfile): boolean =>
  [plain, bare].some((header) => namesRole(header, 'assessment.score_pct')) || roles.has('score');

const saysCourse = ({ values }: ColumnProfile): boolean =>
  values.some((text) => ['completed', 'in_progress'].includes(meaningOf(text) ?? ''));

const KNOWN: ReadonlySet<string> = new Set(STATES);
const isWordOfState = (text: string): boolean => KNOWN.has(meaningOf(text) ?? '');

/** The meaning of a text of the column, or of what stands behind the beginning of its codes. */
export const wordIn = ({ prefix }: ColumnProfile, text: string): Meaning | undefined =>
  meaningOf(text) ?? (prefix === '' ? undefined : meaningOf(text.slice(prefix.length)));

/** A word of a state, or one that stops a row. */
export const saysSomeState = (text: string): boolean => isWordOfState(text) || saysStopped(text);

/** A third of its words are known. */
export const saysState = (column: ColumnProfile): boolean =>
  !column.isNumber &&
  column.values.filter((text) => KNOWN.has(wordIn(column, text) ?? '')).length * 3 >= column.values.length;

/** No cell is a number. */
const saysStateAlone = (column: ColumnProfile): boolean =>
  saysState(column) && !column.values.some((text) => /\d/.test(text));

/** Words of which one is known, or a flag. */
const saysStatus = (column: ColumnProfile): boolean =>
  column.isFlag || (!column.isNumber && column.values.some((text) => meaningOf(text) !== undefined));
