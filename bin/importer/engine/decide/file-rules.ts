/** What the rest of a file says of the suggestion for a kind: an ordered table. Where no rule fits, the suggestion stays. */
import { ownValue } from '../ground/own-value.ts';
import { meaningOf, saysStopped } from '../lexicon/words.ts';
import { isDayOfStatus } from '../profile/roles.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import { isOfShape } from '../profile/shaped-rows.ts';
import { IMPORT_DAY } from '../language/findings.ts';
import { isVoided } from './base.ts';
import type { DateFacts } from './date-facts.ts';
import { BEGUN_ON_A_DAY_OF_ALL, isBegunOnDayOfAll, noBeside } from './day-of-all.ts';
import { type KindFacts, LEAST_OF_ALL } from './kind-facts.ts';
import { saysNoMore } from './ended-rules.ts';
import { hasNotPassed } from './not-passed.ts';
import { isEndToCome } from './spans.ts';
import { datesIn, type Part, saysDone, type SuggestedBy } from './part.ts';
import { type Rule, rowsOf } from './rule.ts';
import type { SuggestedKind } from './suggest.ts';
import type { CountedKind } from './tally.ts';
import { completed, leftOut, nothing, type Suggested } from './suggested.ts';
import type { Meant } from './word-rules.ts';

/** A kind of the file, with its rows. */
type KindOfFile = SuggestedKind & Pick<CountedKind, 'rows' | 'toCome'>;

export interface FileFacts extends SuggestedKind {
  /** All kinds of the file. */
  readonly kinds: readonly KindOfFile[];
  /** State columns by their name in the mapping. */
  readonly by: ReadonlyMap<string, SuggestedBy>;
  readonly dates: readonly DateFacts[];
  readonly isSomeDone: boolean;
  readonly tellingDay: string | undefined;
  /** The column of who signed, if these are all who came. */
  readonly signature: string | undefined;
  /** The column of the verbs, where some statement takes another one back. */
  readonly verb: string | undefined;
  /** The mapping knows which statements are taken back. */
  readonly isVoidingRead: boolean;
  /** The descriptor of a system says what the days are. */
  readonly isKnown: boolean;
  /** Each learner came once to a course, and nothing measures them. */
  readonly mayBeAttended: boolean;
  readonly rows: number;
  /** Every row has a day of its start. */
  readonly areBegun: boolean;
}

/** What the file says of the day that is suggested. */
const dayIn = ({ suggestion, dates }: FileFacts): DateFacts | undefined =>
  dates.find(({ column }) => column.reference === suggestion.date);

/** A day that rows in progress have, too, and whose header says of no completion, may be that of the start; in a log it is of its row. */
function isDayOfStart(facts: FileFacts): boolean {
  const {
    suggestion: { outcome, date },
    kinds,
    by,
    isKnown,
  } = facts;
  if (isKnown || dayIn(facts)?.events.areThey === true) return false;
  const of = by.get(date ?? '');
  if (outcome === 'in_progress' || of?.read.read !== 'date' || saysDone(of) || isDayOfStatus(of.column)) return false;
  return kinds.some(
    ({ values, suggestion }) => ownValue(values, date ?? '') === 'a date' && suggestion.outcome === 'in_progress',
  );
}

/** Rules after which nothing is suggested for a row that says that the learner was not there, or has left. */
const BESIDE_GONE: ReadonlySet<string | undefined> = new Set([
  'ended_beside_more',
  'not_done_with_a_day',
  'not_done_maybe_begun',
  'words_say_not_started',
]);

/** The days beside it are of a session, or of an end: rows that are done have them, too, or nearly every row. */
function areDaysOfAll({ facts: { parts }, kinds, rows }: FileFacts): boolean {
  const days = datesIn(parts);
  const isOfDone = (name: string): boolean =>
    kinds.some(({ facts, values }) => facts.isFinished && !facts.isUnfinished && ownValue(values, name) === 'a date');
  const isOfMost = ({ filled }: ColumnProfile): boolean => rows >= LEAST_OF_ALL && filled * 10 >= rows * 9;
  return (
    days.length > 0 &&
    days.every(
      (part) => saysStopped(part.column.plain) || (isDayOfAny(part) && (isOfMost(part.column) || isOfDone(part.name))),
    )
  );
}

/** Its header does not say that it is of a completion, or of a certificate: `Exam date` is of an exam that one may miss. */
const isDayOfAny = (part: Part): boolean =>
  !part.column.topics.has('certificate') &&
  (!saysDone(part) || part.column.topics.hasAny('ended', 'session_day', 'bare_day', 'status_day') || isOfExam(part));

const isOfExam = ({ role, column: { topics } }: Part): boolean =>
  role === 'assessment.taken_at' && topics.has('exam') && !topics.has('pass');

/** No result of an exam says of the day of a course that nobody completed it. */
const isOfMissedExam = ({ suggestion, facts: { parts } }: FileFacts): boolean =>
  suggestion.reason?.code === 'day_beside_not_done' && datesIn(parts).every(isOfExam);

const wasNotThere = (file: FileFacts): boolean =>
  file.facts.gone !== undefined && (BESIDE_GONE.has(file.suggestion.reason?.code) || isOfMissedExam(file));

/**
 * Who attended a training of one session has completed it: nothing else says how far they are, and there is one day, or none in the
 * whole file.
 */
const haveAttended = (file: FileFacts): boolean =>
  file.suggestion.reason?.code === 'attended_is_no_completion' &&
  file.mayBeAttended &&
  saysNothingElse(file) &&
  !file.kinds.some(({ facts }) => facts.isFinished || facts.isFailed || saysMore(facts)) &&
  isOnItsDay(file);

const saysNothingElse = ({ facts: { unknownWords, meant, percent }, signature }: FileFacts): boolean =>
  unknownWords.filter(({ name }) => name !== signature).length === 1 && meant.size === 0 && percent === undefined;

/** A word that nobody knows: `Partially attended`. */
const saysMore = ({ unknownWord, attended }: KindFacts): boolean =>
  unknownWord !== undefined && unknownWord !== attended;

function isOnItsDay({ values, facts: { attendedOn }, kinds, dates }: FileFacts): boolean {
  const toCome = kinds.find((kind) => kind.values === values)?.toCome;
  return attendedOn === undefined ? dates.length === 0 : (toCome?.get(attendedOn) ?? 0) === 0;
}

/** The header names the day of a course, a session or an exam, or its end: who is done with it is done on that day. */
const isOfSession = (file: FileFacts): boolean =>
  file.by.get(file.suggestion.date ?? '')?.column.topics.has('session_day') === true || isEndToCome(file);

/**
 * How many dates are in the column of the suggested day, and how many of them are to come. Of a day of completion or of a session, those of rows that
 * are to be done count for nothing: they are plans.
 */
function daysIn(facts: FileFacts): Pick<DateFacts, 'filled' | 'future'> {
  const { kinds, by, suggestion } = facts;
  const { column: { reference } = { reference: '' }, filled = 0, future = 0 } = dayIn(facts) ?? {};
  const of = by.get(reference);
  if (of === undefined || isOfShape(reference) || !(saysDone(of) || isOfSession(facts))) return { filled, future };
  const done = kinds.filter((kind) => kind.suggestion.date === suggestion.date);
  return {
    filled: done.reduce((sum, { rows }) => sum + rows, 0),
    future: done.reduce((sum, { toCome }) => sum + (toCome.get(reference) ?? 0), 0),
  };
}

/** Many dates to come are an expiry or a plan, a few are mistakes. Where no header says what they are, one will do. */
function areToCome(facts: FileFacts): boolean {
  const { filled, future } = daysIn(facts);
  return isOfShape(facts.suggestion.date ?? '') ? future > 0 : future >= 2 && future * 5 >= filled;
}

/** A day, or the whole. */
const hasEvidence = ({ facts: { hasDate, percent } }: SuggestedKind): boolean => hasDate || percent === '100';

/** Rules after which nothing is suggested, and nothing speaks of a completion. */
const OPEN: ReadonlySet<string | undefined> = new Set([
  'word_unknown',
  'not_done_maybe_begun',
  'not_done_where_all_began',
]);
const MORE: readonly Meant[] = ['completed', 'passed', 'in_progress'];

/** The day of completion is missing, which each row has that is done; rows that are not done have the other days of this one, too. */
function isOffTellingDay({ facts, values, kinds, tellingDay }: FileFacts): boolean {
  const isOfOther = (name: string): boolean =>
    kinds.some((kind) => kind.facts.isUnfinished && !kind.facts.isFinished && ownValue(kind.values, name) === 'a date');
  const isMissing = tellingDay !== undefined && ownValue(values, tellingDay) === 'empty';
  return isMissing && datesIn(facts.parts).every(({ name }) => isOfOther(name));
}

/** By a word, or a day: one that every row has ends none, but beside an unknown word it may complete. */
function maySayCompleted(kind: FileFacts): boolean {
  const { unknownWords, meant, hasDate, hasOwnDate, hasNoDate, hasNoNumber } = kind.facts;
  const hasDay = unknownWords.length > 0 ? hasDate && !isOffTellingDay(kind) : hasOwnDate;
  return hasDay || hasNoDate || hasNoNumber || MORE.some((each) => meant.has(each));
}

/** True if other rows of the file are completed with a day or 100 %, and this kind has neither, nor an unknown word of theirs. */
function isNoCompletion(kind: FileFacts): boolean {
  const { facts, suggestion, kinds, isSomeDone } = kind;
  const { percent = 'none', unknownWords } = facts;
  const isBelow = ['none', '0', 'between'].includes(percent);
  if (!isSomeDone || !OPEN.has(suggestion.reason?.code) || maySayCompleted(kind) || !isBelow) return false;
  // A code may be that of a completion without a day.
  return unknownWords.every(
    ({ name, is }) =>
      (/\p{L}{2}/u.test(is) || meaningOf(is) === 'no') &&
      !kinds.some(
        (other) => ownValue(other.values, name) === is && hasEvidence(other) && !isOffTellingDay({ ...kind, ...other }),
      ),
  );
}

/** Some of the file is completed on a day that is one of completion, or with 100 %. */
export const areSomeDone = (file: Omit<FileFacts, keyof SuggestedKind | 'isSomeDone'>): boolean =>
  file.kinds.some((kind) => {
    const facts = { ...kind, ...file, isSomeDone: true };
    const isDone = kind.suggestion.outcome === 'completed' || kind.suggestion.outcome === 'certified';
    return isDone && hasEvidence(kind) && (!isDayOfStart(facts) || isOfSession(facts)) && !areToCome(facts);
  });

const row = rowsOf<FileFacts, Suggested>(nothing);

/** The first that fits decides in place of the suggestion. */
export const FILE_RULES: readonly Rule<FileFacts, Suggested>[] = [
  row({
    name: 'statement_takes_another_back',
    example: '@table: items that take others back by their ids leave both out',
    needs: ({ values, verb }) => verb !== undefined && isVoided(ownValue(values, verb)),
    says: leftOut,
  }),
  row({
    name: 'statements_taken_back_unnamed',
    example: '@table: items that take others back and do not say which leave nothing certain',
    needs: ({ verb, isVoidingRead }) => verb !== undefined && !isVoidingRead,
  }),
  row(
    {
      name: 'done_on_its_day',
      example: 'Status: Completed; Training date: 2024-01-02 / Status: In progress; Training date: 2024-01-03',
      needs: (facts) => isOfSession(facts) && isDayOfStart(facts) && !areToCome(facts),
      says: ({ suggestion }) => suggestion,
    },
    ({ suggestion }) => ({ column: suggestion.date ?? '' }),
  ),
  row(
    {
      name: 'day_of_rows_in_progress',
      example: 'Status: Completed; When: 2024-01-02 / Status: In progress; When: 2024-01-03',
      needs: isDayOfStart,
    },
    ({ suggestion }) => ({ column: suggestion.date ?? '' }),
  ),
  row(
    {
      name: 'days_to_come',
      example: '@table: dates under the names of courses are asked about, if one of them is still to come',
      needs: areToCome,
    },
    (facts) => {
      const { filled: dates, future } = daysIn(facts);
      return { column: facts.suggestion.date ?? '', dates, future };
    },
  ),
  row(
    {
      name: 'attended_once',
      example: 'Attendance: Attended; Date: 2024-01-02 / Attendance: Absent; Date: 2024-01-02',
      needs: haveAttended,
      says: ({ facts: { attendedOn } }) => completed(attendedOn ?? IMPORT_DAY),
    },
    ({ facts: { attended } }) => ({ text: attended?.is ?? '' }),
  ),
  row({
    name: 'failed_on_no_day',
    example: 'Status: Failed; Completion date: / Status: Completed; Completion date: 2024-01-02',
    needs: (file) =>
      file.isSomeDone && (file.suggestion.reason?.code === 'failed_without_a_day' || hasNotPassed(file, file.kinds)),
    says: leftOut,
  }),
  row({
    name: 'no_completion',
    example: 'Status: Frobnicated; Completion date: / Status: Completed; Completion date: 2024-01-02',
    needs: isNoCompletion,
    says: leftOut,
  }),
  row({
    name: 'words_say_in_progress',
    example: BEGUN_ON_A_DAY_OF_ALL,
    needs: isBegunOnDayOfAll,
    says: () => ({ ...nothing(), outcome: 'in_progress' }),
  }),
  row(
    {
      name: 'was_not_there',
      example: 'Status: Absent; End date: 2024-01-02 / Status: Completed; End date: 2024-01-02',
      needs: (file) =>
        saysNoMore(file.facts) && ((wasNotThere(file) && areDaysOfAll(file)) || noBeside(file) !== undefined),
      says: leftOut,
    },
    (file) => {
      const { name = noBeside(file) ?? '' } = file.facts.gone ?? {};
      return { column: name, text: ownValue(file.values, name) ?? '' };
    },
  ),
];
