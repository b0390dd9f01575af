/** What a header or a word is about, in any language. Nothing else looks into a header with a list of words. */
import { inAll, writtenOut } from './languages.ts';

/** A new topic is a line here and its expressions in the languages. */
export const TOPICS = [
  // Of days.
  /** Until when a completion counts. */
  'expiry',
  /** When a course should be completed, or a message about it. */
  'planned',
  /** When the report was made: `Status as of`. */
  'report_day',
  /** When a term is over, for all of its learners. */
  'term_end',
  /** A day of a learner's life or employment. */
  'person_day',
  /** An enrolment, an assignment or a start. */
  'enrolment',
  /** A start, which counts for more than an enrolment beside it. */
  'started',
  /** When a row was written, exported or paid for. */
  'row_day',
  /** A completion, which counts for more than an enrolment beside it. */
  'completion',
  /** The end of a course or of an enrolment, which the rows that are not done may have, too. */
  'ended',
  /** The day of a course, a session or an exam, which rows that are not done have, too. A mere `Date` is none. */
  'session_day',
  /** `Date`, and nothing else. */
  'bare_day',
  'status_day',
  // Of people and courses.
  /** Facts about the learner, which say nothing of a course. */
  'person',
  'other_person',
  'learner',
  'address',
  'full_name',
  'first_name',
  'last_name',
  /** Names in a list of people, where `Employee` is an id. */
  'whole_name',
  'given_name',
  'family_name',
  /** As a text: who takes part, where others organise or speak. */
  'participant',
  /** Facts about the course, which say nothing of a learner. */
  'course_fact',
  'course',
  'course_title',
  'title',
  /** The type of an item. */
  'item_type',
  // Of a status, and of numbers.
  'status',
  'of_status',
  'exam',
  /** `Not …`. */
  'negated',
  'bare_share',
  /** A grade in a grade book, as it is written: neither a course nor a part of one. */
  'grade',
  /** About the learner or a duty, not about a course or a part of one. */
  'aside',
  /** What is no course before `Status`: `Enrollment Status` is the header of a plain table. */
  'plain_part',
  // Of texts in cells, in lower case.
  /** The row was taken back. */
  'stopped',
  /** An account or an enrolment that rests: its course may have been completed before. */
  'paused',
  /** A completion was taken back. */
  'revoked',
  'never',
  /** What exports write into an empty cell, and where there is no date. */
  'nothing',
  'no_date',
  /** `Uhr` behind a time. */
  'clock',
  /** A remark beside a status that changes nothing. */
  'remark',
  /** A grade in words that no failure has. */
  'good_grade',
  /** A remark about the papers of a completion: a certificate, or a copy of it. */
  'papers',
  /** A remark with it may say that they are not in order, in the languages of `papers`. */
  'doubt',
  /** A phrase with it says less than its first words: `Completed in part`, `Completed, not signed`. */
  'less',
  /** `Course` before a status. */
  'of_course',
  /** A type of item that is no course. */
  'other_item',
  /** The first cell of a sum. */
  'sum',
  'shared_mailbox',
  // Of the titles of courses.
  'filler',
  'title_remark',
  /** A word before a number: `Level 2`. */
  'before_number',
  // Of columns that may say a state.
  /** A yes takes the row back. */
  'taken_back',
  /** A pass, as in a header. */
  'pass',
  /** With a pass, what a yes says of an exam. */
  'of_exam',
  /** One word that adds nothing to `Completed` and `Passed`. */
  'answer_filler',
  /** `Do curso` in a header that asks nothing else. */
  'of_the_course',
  /** A header of a language without blanks that asks nothing else. */
  'answer_alone',
  /** A share of something else than the course. */
  'other_share',
  /** A number that is no percentage. */
  'no_percentage',
  /** How far a learner is. */
  'progress',
  /** Parts of a course. */
  'part_of_course',
  /** That a row may not count, or its result. */
  'state',
  /** Remarks about a row. */
  'remarks',
  /** As written, in lower case: a price, or how long something takes. */
  'unit',
  /** How often something was tried. */
  'attempts',
  /** No part of a course. */
  'no_part',
  'pass_mark',
  /** As a text. */
  'attended',
  /** An enrolment, an account or a license. */
  'of_enrolment',
  /** The state of an enrolment, which is completed when its term is over. */
  'enrolment_state',
  /** As a text: nothing but an enrolment. */
  'enrolled',
  /** A flag of an enrolment. */
  'enrolled_flag',
  /** A purchase, not a course. */
  'order',
  /** Its holder has passed the exam, if the course has one. */
  'certificate',
  /** In the name of something else that is issued. */
  'other_certificate',
  /** As a text: a certificate that has not run out. */
  'valid',
  /** The day on which a certificate was issued, which completes where each row is one. */
  'obtained',
  /** A day, where numbers may be one. */
  'day',
  /** As written, in lower case. */
  'percent',
  /** When a row was written, or somebody signed in. */
  'row_activity',
] as const;
export type Topic = (typeof TOPICS)[number];

/** The expressions of each topic as one, made when it is first asked for. */
const expressions = new Map<Topic, RegExp>();

export function topicExpression(topic: Topic): RegExp {
  const known = expressions.get(topic);
  if (known !== undefined) return known;
  const made = new RegExp(writtenOut(inAll('topics', topic).join('|')));
  expressions.set(topic, made);
  return made;
}

/** @param plain a text as it is compared */
export const saysTopic = (plain: string, topic: Topic): boolean => topicExpression(topic).test(plain);

/** The topics of a header; each is looked for once, when it is first asked for. */
export class Topics {
  readonly #plain: string;
  readonly #found = new Map<Topic, boolean>();

  constructor(plain: string) {
    this.#plain = plain;
  }

  has(topic: Topic): boolean {
    const known = this.#found.get(topic) ?? saysTopic(this.#plain, topic);
    this.#found.set(topic, known);
    return known;
  }

  hasAny(...topics: readonly Topic[]): boolean {
    return topics.some((topic) => this.has(topic));
  }
}
