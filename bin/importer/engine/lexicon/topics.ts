/** What a header or a word is about, in any language. Nothing else looks into a header with a list of words. */
import { LANGUAGES } from './languages.ts';

/** A new topic is a line here and its expressions in the languages, of texts as `plainText` writes them. */
export const TOPICS = [
  /** Until when a completion counts. */
  'expiry',
  /** When a course should be completed, or a message about it. */
  'planned',
  /** A day of a learner's life or employment. */
  'person_day',
  /** An enrolment, an assignment or a start. */
  'enrolment',
  /** When a row was written, exported or paid for. */
  'row_day',
  /** Facts about the learner, which say nothing of a course. */
  'person',
  /** Facts about the course, which say nothing of a learner. */
  'course_fact',
  /** The type of an item. */
  'item_type',
  /** As a text: a type of item that is no course. */
  'other_item',
  /** As a text: the row was taken back. */
  'stopped',
  'full_name',
  'first_name',
  'last_name',
] as const;
export type Topic = (typeof TOPICS)[number];

/** One expression of each topic, made when it is first asked for. */
const expressions = new Map<Topic, RegExp>();

function expressionOf(topic: Topic): RegExp {
  const known = expressions.get(topic);
  if (known !== undefined) return known;
  const made = new RegExp(
    Object.values(LANGUAGES)
      .flatMap(({ topics }) => topics[topic] ?? [])
      .join('|'),
  );
  expressions.set(topic, made);
  return made;
}

/** @param plain a text as it is compared */
export const saysTopic = (plain: string, topic: Topic): boolean => expressionOf(topic).test(plain);

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
