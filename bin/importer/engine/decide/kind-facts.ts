/** What the rules ask of a kind: its words, its days and its percentages. */
import { BELOW, percentIn, REACHED } from '../language/classes.ts';
import type { KindValues } from '../language/findings.ts';
import type { Role } from '../lexicon/headers.ts';
import { saysTopic } from '../lexicon/topics.ts';
import { meaningOf, plainText } from '../lexicon/words.ts';
import { isOfShape } from '../profile/shaped-rows.ts';
import { isRevoked } from '../apply/revoked.ts';
import { doneIn } from './activities.ts';
import { isOfFirstTime } from '../profile/roles.ts';
import { asks, asksAlone } from './asks.ts';
import { type FileContext, isOfAll, saysBegunOn, saysNotStarted } from './begun.ts';
import { isOfGone, saysAttended, soleDay } from './attendance.ts';
import { isAgreeingGrade, isGoodGrade, isGradeOfCompletion } from './grades.ts';
import { isWholeCourse, saysAccount, saysBooked, saysEnrolment, saysOnlyEnrolled, saysOver } from './enrolments.ts';
import { isOtherItem, namesItems } from './items.ts';
import { saidWithoutDays } from './dayless.ts';
import { withNotDone } from './not-done.ts';
import { datesIn, hasWords, isEmpty, type Part, partsIn, saysDone, type SuggestedBy } from './part.ts';
import { saysProgress } from './percentages.ts';
import { dayOfCertificate, isEarned } from './register.ts';
import { isAboutPapers, withoutRemarks } from './remarks.ts';
import { areSpans, isEnd } from './spans.ts';
import { isOfWords } from './column-facts.ts';
import { isActive, type Meant, plainMeaning, meantBy, wordRuleFor } from './word-rules.ts';

const named = (parts: readonly Part[], role: Role): string | undefined =>
  parts.find((each) => each.role === role)?.name;

/** None where two columns say it, as of a condition and of the course; the dates of `Completion`, a header of a status, are one. */
function completionIn(filled: readonly Part[]): Part | undefined {
  const all = filled.filter(
    ({ column, role }) => role === 'progress.completed_at' || (asks(column) === 'completed' && !isOfFirstTime(column)),
  );
  // `End date` is then that of the course.
  const own = all.filter((part) => !isEnd(part));
  const [only, ...others] = own.length === 1 ? own : all;
  const isDay =
    only?.role === 'progress.completed_at' || (only !== undefined && isBare(only.role) && asksAlone(only.column));
  return isDay && others.length === 0 ? only : undefined;
}

const isBare = (role: Role | undefined): boolean => role === undefined || role === 'status';

const hasDates = (parts: readonly Part[]): boolean => parts.some(({ read }) => read.read === 'date');

/** Of no quiz and some lessons, something is done. */
function classOf(classes: ReadonlySet<string>): string | undefined {
  const isBelow = classes.size === 2 && classes.has('0') && classes.has('between');
  const [only] = isBelow ? ['between'] : classes;
  return classes.size > 1 && !isBelow ? 'mixed' : only;
}

function percentOf(parts: readonly Part[]) {
  const all = parts.flatMap(({ read, is, ...part }) => {
    const percent = percentIn(read, is);
    return percent === undefined ? [] : [{ ...part, read, is: percent }];
  });
  // Of no parts, none are done.
  const some = all.filter(({ is }) => is !== 'none');
  const percents = some.length === 0 ? all : some;
  const [first, ...others] = percents;
  const ofCourse = percents.find(({ column, role }) => saysProgress(column, role));
  return {
    /** The class of every percentage; `undefined` if there is none, `mixed` if they contradict each other. */
    percent: classOf(new Set(percents.map(({ is }) => is))),
    /** Of several columns, one that says so: none of the others is known to be that of the course. */
    percentColumn:
      named(percents, 'progress.completion_pct') ?? ofCourse?.name ?? (others.length === 0 ? first?.name : undefined),
    saysProgress: ofCourse !== undefined,
  };
}

/** Where no header says it, the only column that has a date. Beside an empty day of completion it is of something else. */
function unnamedDay(parts: readonly Part[], only: Part | undefined, lastActivity: string | undefined) {
  if (!hasDates(parts)) return lastActivity;
  return named(parts, 'progress.completed_at') === undefined ? only?.name : undefined;
}

/** Of fewer rows, a day in each of them may be that of an outcome. */
export const LEAST_OF_ALL = 10;

/** `End date` in every row, also of those that are not done, is of the course. */
const isDayOfCourse = ({ column }: Part, rows: number): boolean =>
  rows >= LEAST_OF_ALL && isOfAll(column, rows) && !column.topics.has('completion');

function ownDays(parts: readonly Part[], { rows = 0 }: FileContext) {
  const own = datesIn(parts).filter((part) => !isDayOfCourse(part, rows));
  return { hasOwnDate: own.length > 0, isDatedItself: own.some(saysDone) };
}

function daysOf(parts: readonly Part[], context: FileContext) {
  const filled = datesIn(parts);
  const only = filled.length === 1 ? filled[0] : undefined;
  /** A column whose words have a date in them. */
  const dated = parts.find(({ read, is }) => read.read === 'dated' && /\bdate\b/.test(is))?.name;
  const { completed, ...ofCertificate } = dayOfCertificate(filled, completionIn(filled), context);
  const completedAt = completed?.name;
  const completionDay = completedAt ?? dated ?? unnamedDay(parts, only, context.lastActivity);
  return {
    hasDate: filled.length > 0,
    /** There is a date of completion, by its header. */
    isDated: filled.some(saysDone),
    ...ownDays(parts, context),
    completedAt,
    ...ofCertificate,
    /** The only date that says of no completion, nor of an end: the learner was active then. */
    otherDate:
      only !== undefined && !saysDone(only) ? (only.column.topics.has('ended') ? undefined : only.name) : dated,
    /** The columns of the date of an outcome. */
    completionDay,
    examDay: named(filled, 'assessment.taken_at') ?? completionDay,
  };
}

/** What the days and percentages of a kind say. */
function measuresOf(all: readonly Part[], context: FileContext) {
  const { lastActivity, areBegun, arePercentsAlone } = context;
  const start = all.find(({ column, role }) => saysBegunOn(column, role));
  const parts = all.filter((part) => part !== start);
  const percent = percentOf(parts);
  return {
    ...percent,
    ...daysOf(parts, context),
    lastActivity,
    isBegun: start?.is === 'a date',
    areSpans: areSpans(all, context),
    areBegun: areBegun === true,
    mayBeScore: arePercentsAlone === true && !percent.saysProgress && (percent.percent ?? 'none') !== 'none',
    /** The rows may say that they were begun, or other words that they were not. */
    maySayBegun:
      start === undefined &&
      (areBegun === true ||
        lastActivity !== undefined ||
        parts.some(({ read, column }) => isOfWords(read) && column.values.some(saysNotStarted))),
    saysNothing: !hasDates(parts) && percent.percent === undefined,
  };
}

type Measures = ReturnType<typeof measuresOf>;

/** What the words of a kind say, and the first of which nobody knows what it says. */
function wordsOf(parts: readonly Part[], context: FileContext) {
  const words = parts.filter(
    (part) => hasWords(part) && !isEmpty(part) && !saysAccount(part) && !namesItems(part.column),
  );
  // Who is active or enrolled may have completed: only where nothing else is said, it is the state.
  const own = words.filter(
    (each) => !isActive(each) && !saysEnrolment(each) && !isGoodGrade(each) && !saysBooked(each, words),
  );
  const isSaid = (each: Part): boolean => saysOnlyEnrolled(each, parts) || isGradeOfCompletion(each, parts);
  const counting = own.length === 0 ? words.filter((each) => !isSaid(each)) : own;
  const telling = counting.filter((each) => !saysOver(each, parts));
  const each = telling.map((part) => ({ part, meaning: meantBy(part) }));
  const meant = new Set(parts.flatMap(meantByMark));
  for (const { meaning } of each) if (meaning !== undefined && meaning !== 'unknown') meant.add(meaning);
  const isFinished = meant.has('completed') || meant.has('passed');
  const said = saidBeside(parts, meant, context);
  const isExplicit = isFinished || isEarned(parts, context);
  const addsNothing = (part: Part): boolean =>
    addsNoResult(part, meant) || addsNoCertificate(part, said) || (isExplicit && isAboutPapers(part));
  const unknownWords = each.flatMap(({ part, meaning }) => (meaning === 'unknown' && !addsNothing(part) ? part : []));
  return { meant, isFinished, isPassed: meant.has('passed'), unknownWords, unknownWord: unknownWords[0] };
}

/** What is said of a kind beside a certificate: that it is done, or something. */
function saidBeside(parts: readonly Part[], meant: ReadonlySet<Meant>, context: FileContext) {
  const isDone =
    meant.has('completed') || meant.has('passed') || datesIn(parts).some(saysDone) || parts.some(isWholeCourse);
  const isDated = datesIn(parts).some((part) => saysDone(part) && part.column.topics.has('certificate'));
  const isSaid = meant.size > 0 || parts.some((part) => saysHowFar(part, context.rows ?? 0));
  return { isDone, isEarned: isDated || isEarned(parts, context), isSaid, hasExpiry: context.hasExpiry === true };
}

/** A column of the day of completion, also an empty one, or a percentage of the course. */
const saysHowFar = (part: Part, rows: number): boolean =>
  part.read.read === 'date'
    ? saysDone(part) && !isDayOfCourse(part, rows)
    : (percentIn(part.read, part.is) ?? 'none') !== 'none' && saysProgress(part.column, part.role);

/** A yes or a no under `Certificate earned`. */
const saysCertificate = (part: Part): boolean =>
  part.column.topics.has('certificate') && ['yes', 'no'].includes(plainMeaning(part) ?? '');

/**
 * Beside a completion a certificate says nothing more; who has none is as far as another column says. `Expired` says no more than the day
 * until which it was valid.
 */
const addsNoCertificate = (
  part: Part,
  { isDone, isEarned, isSaid, hasExpiry }: ReturnType<typeof saidBeside>,
): boolean =>
  (isEarned &&
    (saysTopic(plainText(part.is), 'valid') ||
      (hasExpiry && isBare(part.role) && saysTopic(plainText(part.is), 'expiry')))) ||
  (saysCertificate(part) && (plainMeaning(part) === 'no' ? isSaid : isDone));

/** `Not passed` with a day is a failed exam: the learner was there. */
const isFailed = (meant: ReadonlySet<Meant>, { percent, hasDate, isDated }: Measures): boolean =>
  meant.has('failed') || (meant.has('not passed') && meant.size === 1 && hasDate && !isDated && percent !== '100');

const NOT_DONE: readonly Meant[] = ['in_progress', 'not_started', 'incomplete', 'not passed'];

/** The rules that say what the words of a kind mean, by their columns. */
export const wordRulesOf = (
  values: KindValues,
  by: ReadonlyMap<string, SuggestedBy>,
  context: FileContext,
): Record<string, string> =>
  Object.fromEntries(
    partsIn(values, by, context).flatMap((part) =>
      hasWords(part) && !isEmpty(part) ? [[part.name, wordRuleFor(part).name]] : [],
    ),
  );

/** Everything that the rules ask of a kind. @param by state columns by their name in the mapping */
export function kindFacts(values: KindValues, by: ReadonlyMap<string, SuggestedBy>, context: FileContext) {
  const { activities } = context;
  const all = partsIn(values, by, context).filter(({ name }) => activities?.parts.has(name) !== true);
  const parts = withoutRemarks(all);
  const measures = measuresOf(parts, context);
  const words = withNotDone(wordsOf(parts, context), parts, measures);
  const results = words.isPassed ? parts.filter(hasResults) : [];
  return {
    ...measures,
    ...words,
    parts,
    activities: activities && doneIn(values, activities),
    isWholeKnown: activities?.whole !== undefined,
    cellOfCourse: parts.find(isDateOfCourse)?.name,
    otherItem: parts.find(({ column, is }) => namesItems(column) && isOtherItem(is, column)),
    hasNoDate: parts.some(({ is }) => /\bimpossible\b/.test(is)),
    hasNoNumber: parts.some(({ read, is }) => (percentIn(read, is) ?? is) === 'no number'),
    ended: partBy(parts, 'incomplete_and_stopped') ?? partBy(parts, 'stopped_beside_done'),
    stoppedBeside: partBy(parts, 'stopped_beside_courses'),
    gone: parts.find(isOfGone),
    attended: wordBy(words, saysAttended),
    attendedOn: soleDay(parts),
    certificate: wordBy(words, saysCertificate),
    takenBack: takenBackIn(parts, words.meant),
    /** Theory and practice are passed together: one of them is empty. */
    emptyResult: results.length > 1 ? results.find(({ is }) => is === 'empty') : undefined,
    untakenExam: words.isPassed ? parts.find(hasNoResult) : undefined,
    isFailed: isFailed(words.meant, measures),
    ...saidWithoutDays(parts, context),
    isUnfinished: NOT_DONE.some((each) => words.meant.has(each)),
  };
}

/** The first unknown word, if it says that. */
const wordBy = ({ unknownWord }: ReturnType<typeof wordsOf>, says: (part: Part) => boolean): Part | undefined =>
  unknownWord !== undefined && says(unknownWord) ? unknownWord : undefined;

/** The word, or the day, that takes the row back. */
const takenBackIn = (parts: readonly Part[], meant: ReadonlySet<Meant>): Part | undefined =>
  (meant.has('taken back') ? parts.find((part) => hasWords(part) && meantBy(part) === 'taken back') : undefined) ??
  datesIn(parts).find(({ column }) => asks(column) === 'taken back');

/** The part whose word means something by a rule; a completion that was revoked had been one. */
const partBy = (parts: readonly Part[], rule: string): Part | undefined =>
  parts.find((part) => hasWords(part) && !isEmpty(part) && wordRuleFor(part).name === rule && !isRevoked(part.is));

/** What the rules ask of a kind. */
export type KindFacts = ReturnType<typeof kindFacts>;

const meantByMark = ({ read, is }: Part): Meant[] =>
  read.read !== 'mark' ? [] : is === REACHED ? ['passed'] : is === BELOW ? ['failed'] : [];

/** Beside a completion or a failure `Attended` says nothing more, nor does a grade that agrees with it, nor that an exam is over beside its result. */
const addsNoResult = (part: Part, meant: ReadonlySet<Meant>): boolean =>
  ((['completed', 'passed', 'failed'] as const).some((each) => meant.has(each)) && saysAttended(part)) ||
  ((meant.has('passed') || meant.has('failed')) && wordRuleFor(part).name === 'exam_completed') ||
  isAgreeingGrade(part, meant);

/** A word in the column of an exam that says neither passed nor failed. */
const hasNoResult = (part: Part): boolean =>
  part.role === 'assessment.status' && hasWords(part) && !isEmpty(part) && meantBy(part) === undefined;

/** The column has results of an exam. Several such columns, like theory and practice, are passed together. */
const hasResults = ({ read, column: { values } }: Part): boolean => {
  const meanings = isOfWords(read) ? values.map(meaningOf) : [];
  return meanings.includes('passed') && meanings.includes('failed');
};

/** The cell of a course, which is nothing but a date. */
const isDateOfCourse = ({ name, read, is }: Part): boolean => isOfShape(name) && read.read === 'dated' && is === 'date';
