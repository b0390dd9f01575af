/** The day on which learners began: it tells who has, where nothing else does. */
import type { ActivityNames } from './activities.ts';
import { isNeverText } from '../dates/date-forms.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import { meaningOf } from '../lexicon/words.ts';
import type { Role } from '../lexicon/headers.ts';
import type { Topic } from '../lexicon/topics.ts';
import type { StateColumn } from '../language/findings.ts';

/** What a file says beside its state columns. */
export interface FileContext {
  /** The column of the last activity: the day of an outcome where the file has no other date. */
  readonly lastActivity?: string | undefined;
  /** Every row has a day of its start. */
  readonly areBegun?: boolean;
  /** The rows of the file. */
  readonly rows?: number;
  /** Nothing of the file but percentages says how far a learner is: neither words nor days. */
  readonly arePercentsAlone?: boolean;
  /** No column may have the day of an outcome. */
  readonly isDayless?: boolean;
  readonly activities?: ActivityNames | undefined;
  /** Each row is a certificate: what the header of its day says. */
  readonly daysOfRegister?: readonly Topic[];
  /** A column says until when certificates are valid. */
  readonly hasExpiry?: boolean;
  /** The column of the day of completion, if each row has one whose words say completed, and none whose words say that it is not. */
  readonly tellingDay?: string | undefined;
  readonly wordOfIssue?: WordOfIssue | undefined;
}

/** What a column says of who has a certificate. */
export interface WordOfIssue {
  readonly name: string;
  readonly is: string;
}

/** Not the day of an enrolment, which a list of words may take for the same. */
export const isStart = ({ topics }: ColumnProfile, role: Role | undefined): boolean =>
  role === 'progress.started_at' && topics.has('started');

/** Each row has a day, and not a text like `NULL` in place of one. */
export const isOfAll = ({ filled, values, nothings }: ColumnProfile, rows: number): boolean =>
  filled >= rows && nothings.length === 0 && !values.some(isNeverText);

/** Every row has a day of its start. */
export const areBegun = (start: ColumnProfile | undefined, rows: number): boolean =>
  start !== undefined && isStart(start, 'progress.started_at') && isOfAll(start, rows);

/** The day on which a learner was there last; not that of a login. */
const isLastAccess = ({ topics }: ColumnProfile, role: Role | undefined): boolean =>
  role === 'progress.last_activity_at' && !topics.has('row_activity');

/** A day that only who has begun has. */
export const saysBegunOn = (column: ColumnProfile, role: Role | undefined): boolean =>
  isStart(column, role) || isLastAccess(column, role);

/**
 * The column of the start, if only some rows have one, and no word and no percentage says who has begun; that of the last access
 * where nothing but the day of a completion says how far anybody is.
 */
export function startThatTells(
  roles: ReadonlyMap<ColumnProfile, Role>,
  rows: number,
  state: ReadonlyMap<ColumnProfile, StateColumn>,
): ColumnProfile | undefined {
  const isSaid = [...state].some(([{ values }, { read }]) => PERCENTS.has(read) || values.some(saysBegun));
  if (state.size === 0 || isSaid) return undefined;
  const some = [...roles].filter(([column]) => !isOfAll(column, rows));
  const isDayAlone = [...state].every(([column]) => roles.get(column) === 'progress.completed_at');
  const last = isDayAlone ? some.find(([column, role]) => isLastAccess(column, role)) : undefined;
  return (some.find(([column, role]) => isStart(column, role)) ?? last)?.[0];
}

/** Readings whose classes are percentages. */
export const PERCENTS: ReadonlySet<StateColumn['read']> = new Set(['percent', 'share', 'counted']);
const saysBegun = (text: string): boolean => ['in_progress', 'not_started'].includes(meaningOf(text) ?? '');
export const saysNotStarted = (text: string): boolean => meaningOf(text) === 'not_started';
