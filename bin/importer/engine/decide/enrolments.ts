/** Words of enrolments, bookings and accounts, which say nothing of how far a learner is. */
import { percentIn } from '../language/classes.ts';
import { saysTopic } from '../lexicon/topics.ts';
import { meaningOf, meansDone, saysStopped } from '../lexicon/words.ts';
import { saysAttended } from './attendance.ts';
import type { Part } from './part.ts';
import { saysProgress } from './percentages.ts';
import { meantBy, plainMeaning } from './word-rules.ts';

/** It says nothing but that somebody is enrolled. */
export const saysEnrolment = ({ is, column }: Part): boolean =>
  column.topics.has('of_enrolment')
    ? /^(approved|confirmed|delivered)$/i.test(is) || meaningOf(is) === 'not_started'
    : column.values.length === 1 && saysTopic(is.toLowerCase(), 'enrolled');

/** In a column that never says how far anybody is, beside a percentage that does. */
export const saysOnlyEnrolled = (part: Part, parts: readonly Part[]): boolean =>
  saysEnrolment(part) &&
  !part.column.values.some((text) => meansDone(text) || meaningOf(text) === 'in_progress') &&
  parts.some(({ read, is }) => ['between', '100'].includes(percentIn(read, is) ?? ''));

/** 100 % of the course. */
export const isWholeCourse = ({ read, is, column, role }: Part): boolean =>
  percentIn(read, is) === '100' && saysProgress(column, role);

/** An enrolment may be over without a completion, but for who has done the whole course. */
export const saysOver = ({ is, column }: Part, parts: readonly Part[]): boolean =>
  column.topics.has('enrolment_state') && meansDone(is) && parts.some(isWholeCourse);

/** In a column that says of nobody how far they are, beside a yes to `Passed`, which does, or a word of who came. */
export const saysBooked = ({ is, column }: Part, words: readonly Part[]): boolean =>
  meaningOf(is) === 'not_started' &&
  column.values.every((text) => meaningOf(text) === 'not_started' || saysStopped(text)) &&
  words.some(
    (each) =>
      saysAttended(each) || (plainMeaning(each) === 'yes' && ['completed', 'passed'].includes(meantBy(each) ?? '')),
  );

/** The account, or an order that was not taken back, not the course. */
export const saysAccount = (part: Part): boolean =>
  (/^(is )?(active|enabled)$/.test(part.column.plain) && plainMeaning(part) === 'yes') ||
  (part.column.topics.has('order') && !saysStopped(part.is));
