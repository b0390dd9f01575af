/** Suggests what the rows of a kind become. A suggestion writes nothing: a person confirms it. */
import { isNothing } from '../dates/date-forms.ts';
import { isBareDate, type STATES, meaningOf, meansDone, saysStopped } from '../lexicon/words.ts';
import type { Around } from './begun.ts';
import { BELOW, percentIn, REACHED, withoutPercent } from '../language/classes.ts';
import { answer, asks, asksAlone } from './asks.ts';
import { isFlag, isHarmless, isOfRemarks, isOfWords, isStateHeader } from './state-columns.ts';
import { datesIn, type Facts, factsOf, type Part, type SuggestedBy } from './facts.ts';
import { isOtherItem, namesItems } from './items.ts';
import { isScoreHeader } from '../profile/roles.ts';
import { isOfShape } from '../profile/shaped-rows.ts';
import { leaveOut, nothing, type Suggestion, suggestion } from './suggestion.ts';
import { isRevoked } from '../apply/revoked.ts';
import type { KindValues } from '../language/findings.ts';

type Said = (typeof STATES)[number] | 'not passed' | 'taken back';

/** @param by state columns by their name in the mapping */
export function suggestionFor(
  values: KindValues,
  by: ReadonlyMap<string, SuggestedBy>,
  around: Around = {},
): Suggestion {
  const parts = Object.entries(values).flatMap(([name, is]): Part[] => {
    const from = by.get(name);
    return from === undefined ? [] : [{ ...from, name, is }];
  });
  const cell = parts.find(isDateOfCourse);
  if (cell !== undefined && parts.length === 1) return suggestion('completed', NOT_OF_EXPIRY, cell.name);
  const item = parts.find(({ column, is }) => namesItems(column) && isOtherItem(is, column));
  if (item !== undefined) return nothing(`other rows of this name are courses, and ${item.name} = ${item.is} is none`);
  const words = parts.filter(
    (part) => hasWords(part) && !isEmpty(part) && !saysAccount(part) && !namesItems(part.column),
  );
  // Who is active or enrolled may have completed: only where nothing else is said, it is the state.
  const own = words.filter((each) => !isActive(each) && !saysEnrolment(each) && !isGoodGrade(each));
  const said = new Set(parts.flatMap(saidByMark));
  const open = addSaid(said, own.length === 0 ? words.filter((each) => !saysOnlyEnrolled(each, parts)) : own);
  if (open !== undefined) return nothing(`what ${open.name} = ${open.is} says of a row is not known here`);
  const doubt = doubtIn(parts, said);
  return doubt === undefined ? bySaid(said, factsOf(parts, around)) : nothing(doubt);
}

/** Whoever completed a course may have been there. */
const ATTENDED =
  /^(attended|present|teilgenommen|anwesend|presente?|pr[eé]sente?|asisti[oó]|aanwezig|deltaget|deltagit|obecn[ya])$/i;

/** Adds what the words say. @returns one of which nobody knows what it says */
function addSaid(said: Set<Said>, words: readonly Part[]): Part | undefined {
  const each = words.map((part) => ({ part, meaning: saidBy(part) }));
  for (const { meaning } of each) if (meaning !== undefined && meaning !== 'unknown') said.add(meaning);
  const isDone = said.has('completed') || said.has('passed');
  return each.find(({ part, meaning }) => meaning === 'unknown' && !(isDone && ATTENDED.test(part.is)))?.part;
}

const isEmpty = ({ is, role }: Part): boolean => is === 'empty' || (role === 'assessment.status' && isNothing(is));

/** Of a column of dates, one that stands in place of a date. */
const hasWords = ({ read, is }: Part): boolean =>
  isOfWords(read) || (read.read === 'date' && !['a date', 'never', 'impossible'].includes(is));

const saidByMark = ({ read, is }: Part): Said[] =>
  read.read !== 'mark' ? [] : is === REACHED ? ['passed'] : is === BELOW ? ['failed'] : [];

/** Why a person has to decide, whatever the words say. */
function doubtIn(parts: readonly Part[], said: ReadonlySet<Said>): string | undefined {
  if (parts.some(({ is }) => /\bimpossible\b/.test(is))) return 'a cell is no date: correct it, or leave the rows out';
  if (parts.some(({ read, is }) => (percentIn(read, is) ?? is) === 'no number'))
    return 'a cell is no percentage: correct it, or leave the rows out';
  const isRevoked = datesIn(parts).some(({ column }) => asks(column) === 'taken back');
  if (isRevoked || said.has('taken back')) return 'the row is marked as taken back';
  const results = said.has('passed') ? parts.filter(hasResults) : [];
  const open = results.length > 1 ? results.find(({ is }) => is === 'empty') : undefined;
  if (open !== undefined) return `${open.name} is empty, where other rows passed or failed`;
  const untaken = said.has('passed') ? parts.find(hasNoResult) : undefined;
  return untaken && `another column says passed, ${untaken.name} = ${untaken.is} does not`;
}

/** A word in the column of an exam that says neither passed nor failed. */
const hasNoResult = (part: Part): boolean =>
  part.role === 'assessment.status' && hasWords(part) && !isEmpty(part) && saidBy(part) === undefined;

/** Two of these, like theory and practice, are passed together. */
const hasResults = ({ read, column: { values } }: Part): boolean => {
  const meanings = isOfWords(read) ? values.map(meaningOf) : [];
  return meanings.includes('passed') && meanings.includes('failed');
};

const ENROLMENT = /\b(enrol\w*|regist\w*|assign\w*|subscri\w*|account|user|employ\w*|licen[cs]e)\b/;
/** A flag that says nothing of how far anybody is. */
const ENROLLED = /^(is |has been |was )?(re )?(enrolled|registered|assigned|subscribed)$/;
const saysEnrolment = ({ is, column }: Part): boolean =>
  ENROLMENT.test(column.plain)
    ? /^(approved|confirmed|delivered)$/i.test(is) || meaningOf(is) === 'not_started'
    : column.values.length === 1 && OF_ENROLMENT.test(is);
/** Said of every row, it says nothing of one. */
const OF_ENROLMENT = /^(enrol|regist|assign|subscri|inscri|iscrit|matricul|eingeschrieb|zugewies|ingeschrev)/i;
/** In a column that never says how far anybody is, beside a percentage that does. */
const saysOnlyEnrolled = (part: Part, parts: readonly Part[]): boolean =>
  saysEnrolment(part) &&
  !part.column.values.some((text) => meansDone(text) || meaningOf(text) === 'in_progress') &&
  parts.some(({ read, is }) => ['between', '100'].includes(percentIn(read, is) ?? ''));
const isActive = ({ is, column }: Part): boolean =>
  /^(active|enabled)$/i.test(is) || (/\bapprov/.test(column.plain) && /^approved$/i.test(is));
/** The account, or an order that was not taken back, not the course. */
const saysAccount = (part: Part): boolean =>
  (/^(is )?(active|enabled)$/.test(part.column.plain) && plainMeaning(part) === 'yes') ||
  (/\b(order|payment|purchase|invoice|billing)\b/.test(part.column.plain) && !saysStopped(part.is));
/** `Is suspended = No` in every row says nothing of one of them, and no more does a no in place of a date; `Valid = No` does. */
const saysNothing = (part: Part): boolean =>
  plainMeaning(part) === 'no' &&
  (part.read.read === 'date' || (part.column.values.length === 1 && !isStateHeader(part.column)));

/** The cell of a course, which is nothing but a date. */
const isDateOfCourse = ({ name, read, is }: Part): boolean => isOfShape(name) && read.read === 'dated' && is === 'date';
const isGoodGrade = ({ is, column }: Part): boolean => isScoreHeader(column) && /^[A-CP][+-]?$/.test(is);

const FLAGS: Readonly<Record<string, 'yes' | 'no'>> = { 0: 'no', 1: 'yes', '-1': 'yes' };

/** `undefined` for a word that says nothing of its row. */
export function saidBy(part: Part): Said | 'unknown' | undefined {
  if (part.role === 'status' || !isHarmless(part.column)) return saidByWord(part);
  if (saysStopped(part.is)) return 'taken back';
  return isOfRemarks(part.column) && !HARMLESS_REMARKS.has(meaningOf(part.is)) ? 'unknown' : undefined;
}

/** They take nothing from what other columns say. */
const HARMLESS_REMARKS: ReadonlySet<ReturnType<typeof meaningOf>> = new Set(['completed', 'passed', 'yes']);

function saidByWord(part: Part): Said | 'unknown' | undefined {
  // Where others of the column are completed, whoever is active is not.
  if (isActive(part) && part.column.values.some(meansDone)) return 'in_progress';
  const meaning = plainMeaning(part);
  if (meaning === undefined) return isRevoked(part.is) ? 'taken back' : 'unknown';
  if (meaning === 'yes' || meaning === 'no') return answerOf(meaning, part);
  if (meaning === 'incomplete' && saysStopped(part.is)) return 'taken back';
  return part.role === 'assessment.status' ? result(meaning) : meaning;
}

function answerOf(meaning: 'yes' | 'no', part: Part): Said | 'unknown' | undefined {
  const { column, read } = part;
  const asked = asks(column);
  if (asked === undefined && (saysNothing(part) || ENROLLED.test(column.plain))) return undefined;
  const isPlain = asked === 'taken back' || read.read !== 'text' || asksAlone(column);
  return isPlain ? answer(meaning, asked) : 'unknown';
}

/** A day alone says yes, as a flag may. */
function plainMeaning({ is, column, read }: Part): ReturnType<typeof meaningOf> {
  if (read.read === 'dated' && isBareDate(is)) return 'yes';
  return (isFlag(column) ? FLAGS[is] : undefined) ?? meaningOf(read.read === 'counted' ? withoutPercent(is) : is);
}

/** An exam that is not taken is no course that is not started; a completed one is no completed course. */
function result(meaning: Said): Said | 'unknown' | undefined {
  if (meaning === 'passed' || meaning === 'failed') return meaning;
  return meaning === 'completed' ? 'unknown' : undefined;
}

/** Whoever has not passed on a day was there. */
const isFailed = (said: ReadonlySet<Said>, { percent, hasDate, isDated }: Facts): boolean =>
  said.has('not passed') && said.size === 1 && hasDate && !isDated && percent !== '100';

function bySaid(said: ReadonlySet<Said>, facts: Facts): Suggestion {
  if (facts.percent === 'mixed' || facts.percent === 'above')
    return nothing('the percentages contradict each other, or exceed 100');
  if (said.has('failed') || isFailed(said, facts))
    return said.has('passed') ? nothing('passed and failed contradict each other') : failed(facts);
  const isOpen = (['in_progress', 'not_started', 'incomplete', 'not passed'] as const).some((each) => said.has(each));
  if (said.has('completed') || said.has('passed'))
    return isOpen ? nothing('one column says done, another one not') : done(said.has('passed'), facts);
  return isOpen ? open(said, facts) : withoutWords(facts);
}

function done(isPassed: boolean, { percent, hasDate, completionDay, examDay, lastActivity }: Facts): Suggestion {
  if (percent === '0' || percent === 'between') return nothing('the words say done, the percentage does not');
  const date = isPassed ? examDay : completionDay;
  if (date === undefined) return nothing(hasDate ? 'several dates may be the day' : 'there is no date to complete on');
  const on = date === lastActivity ? ', and the last activity is the only date' : '';
  return isPassed
    ? suggestion('certified', `the words say passed${on}`, date)
    : suggestion('completed', `the words say completed${on}`, date);
}

function failed({ percent, percentColumn, examDay, hasDate }: Facts): Suggestion {
  if (examDay === undefined) return nothing(hasDate ? 'several dates may be the day' : 'there is no date to fail on');
  return suggestion('failed', 'the words say failed', examDay, percent === 'between' ? percentColumn : null);
}

function open(said: ReadonlySet<Said>, facts: Facts): Suggestion {
  if (facts.isDated) return nothing('the words say not completed, but there is a date');
  if (facts.percent === '100') return nothing('the words say not completed, the percentage says 100');
  if (facts.percent === 'between' || said.has('in_progress')) return inProgress(facts, 'the words say in progress');
  if (facts.isBegun && !said.has('not_started')) return inProgress(facts, BEGUN);
  if (facts.percent !== '0' && facts.maySayBegun && !said.has('not_started'))
    return nothing('the words say not completed, and not whether it was begun');
  return leaveOut('not started: the words say not started or not completed');
}

function inProgress({ percent, percentColumn, otherDate }: Facts, reason: string): Suggestion {
  if (percent === 'between' && percentColumn === undefined)
    return nothing('of several percentages, none is known to be that of the course');
  return suggestion('in_progress', reason, otherDate, percent === 'between' || percent === '0' ? percentColumn : null);
}

const BEGUN = 'there is a day of start, and none of completion';

const NOT_OF_EXPIRY = 'its date is taken for the day of completion, not of expiry';

function withoutWords(facts: Facts): Suggestion {
  const { percent } = facts;
  if (facts.mayBeScore) return nothing('nothing says whether the percentage is that of the course or of an exam');
  if (percent === 'between')
    return facts.isDated ? nothing('there is a date, but less than 100 %') : inProgress(facts, 'between 0 and 100 %');
  if (percent === '100') {
    return facts.completionDay === undefined
      ? nothing('100 %, and no date to complete on')
      : suggestion('completed', '100 %, with a date', facts.completionDay);
  }
  if (facts.hasDate) return withDateAlone(facts);
  return facts.saysNothing ? nothing('no column says how far a learner is') : withoutDate(facts);
}

function withDateAlone({ percent, completedAt, isOfCertificate }: Facts): Suggestion {
  if (percent === '0') return nothing('0 %, and a date that may be of something else');
  if (completedAt === undefined) return nothing('a date alone does not say what it is of');
  if (isOfCertificate) return suggestion('certified', 'there is the date of a certificate', completedAt);
  return suggestion('completed', isOfShape(completedAt) ? NOT_OF_EXPIRY : 'there is a date of completion', completedAt);
}

function withoutDate(facts: Facts): Suggestion {
  if (facts.isBegun) return inProgress(facts, BEGUN);
  return facts.areBegun && facts.percent !== '0'
    ? nothing('every row has a day of start, and this one none of completion')
    : leaveOut('not completed: neither progress nor a day of completion');
}
