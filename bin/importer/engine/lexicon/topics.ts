/** What a header or a word is about, in any language. Nothing else looks into a header with a list of words. */
import { inAll, writtenOut } from './languages.ts';

/** A new topic is a line here and its expressions in the languages. */
export const TOPICS = [
  // Of days.
  /** Until when a completion counts. */
  'expiry',
  /** When a course should be completed, or a message about it. */
  'planned',
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
