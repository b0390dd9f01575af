/** What the days and percentages of a kind say, whatever its words say. */
import type { ColumnProfile } from '../profile/table-profile.ts';
import { asks } from './asks.ts';
import { type Around, isStart, saysNotStarted } from './begun.ts';
import { percentIn } from '../language/classes.ts';
import { isOfWords } from './state-columns.ts';
import type { Role } from '../lexicon/headers.ts';
import { saysProgress } from './percentages.ts';
import type { StateColumn } from '../language/findings.ts';

export interface SuggestedBy {
  readonly column: ColumnProfile;
  readonly read: StateColumn;
  readonly role: Role | undefined;
}

export interface Part extends SuggestedBy {
  readonly name: string;
  readonly is: string;
}

export const datesIn = (parts: readonly Part[]): Part[] =>
  parts.filter(({ read, is }) => read.read === 'date' && is === 'a date');

export const saysDone = ({ column, role }: SuggestedBy): boolean =>
  role === 'progress.completed_at' || role === 'assessment.taken_at' || asks(column) !== undefined;

const named = (parts: readonly Part[], role: Role): string | undefined =>
  parts.find((each) => each.role === role)?.name;

/** None where two columns say it, as of a condition and of the course. */
function completionIn(filled: readonly Part[]): Part | undefined {
  const all = filled.filter(
    ({ column, role }) =>
      role === 'progress.completed_at' ||
      (asks(column) === 'completed' && !/^(first|original|initial) /.test(column.plain)),
  );
  return all.length > 1 ? undefined : all.find(({ role }) => role === 'progress.completed_at');
}

const hasDates = (parts: readonly Part[]): boolean => parts.some(({ read }) => read.read === 'date');

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
    percent: new Set(percents.map(({ is }) => is)).size > 1 ? 'mixed' : first?.is,
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

function daysOf(parts: readonly Part[], lastActivity: string | undefined) {
  const filled = datesIn(parts);
  const only = filled.length === 1 ? filled[0] : undefined;
  /** A column whose words have a date in them. */
  const dated = parts.find(({ read, is }) => read.read === 'dated' && /\bdate\b/.test(is))?.name;
  const completed = completionIn(filled);
  const completedAt = completed?.name;
  const completionDay = completedAt ?? dated ?? unnamedDay(parts, only, lastActivity);
  return {
    hasDate: filled.length > 0,
    /** There is a date of completion, by its header. */
    isDated: filled.some(saysDone),
    completedAt,
    isOfCertificate: completed !== undefined && CERTIFICATE.test(completed.column.plain),
    /** The only date that says of no completion: the learner was active then. */
    otherDate: only !== undefined && !saysDone(only) ? only.name : dated,
    /** The columns of the date of an outcome. */
    completionDay,
    examDay: named(filled, 'assessment.taken_at') ?? completionDay,
  };
}

/** Whoever has one has passed, if there is an exam. */
const CERTIFICATE = /\b(certif\w*|award\w*|issued?|badges?|licen[cs]es?)\b|zertifi|diplom/;

export function factsOf(all: readonly Part[], { lastActivity, areBegun, arePercentsAlone }: Around) {
  const start = all.find(({ column, role }) => isStart(column, role));
  const parts = all.filter((part) => part !== start);
  const percent = percentOf(parts);
  return {
    ...percent,
    ...daysOf(parts, lastActivity),
    lastActivity,
    isBegun: start?.is === 'a date',
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

export type Facts = ReturnType<typeof factsOf>;
