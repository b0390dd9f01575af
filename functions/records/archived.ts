/** Which records the archive keeps (§4.12): "nothing is left behind" of people and courses that are not on the platform. */
import { externalId } from './identifiers.ts';
import { isObject } from './json.ts';
import { spelledName } from './person.ts';
import type { Plan, Problem } from '../shared/model.ts';

/** A record as sent, and why it was rejected. */
export interface ArchivedRecord {
  readonly record: unknown;
  readonly errors: readonly Problem[];
}

/** What is kept of a chunk, by position in the import. */
export type Archived = Readonly<Record<number, ArchivedRecord>>;

/** The records of a chunk that its plan archives. */
export function archivedIn({ records, planned }: Plan): Archived {
  const kept = planned.flatMap(({ result }, offset) =>
    result.archived === true ? [[result.index, { record: records[offset], errors: result.errors }] as const] : [],
  );
  return Object.fromEntries(kept);
}

/**
 * The names by which a record names its person, in the form in which two spellings are equal; each once.
 *
 * @example
 * archivedNames({ user: { email: 'Ann@acme.test', external_user_id: 9101 } }); // => ['ann@acme.test', '9101']
 */
export function archivedNames(record: unknown): string[] {
  const user = isObject(record) && isObject(record['user']) ? record['user'] : {};
  const sent = [user['email'], externalId(user['external_user_id'])];
  return [...new Set(sent.filter((name) => typeof name === 'string').map(spelledName))];
}

/**
 * Whether a record names this course, by either identifier, as it was sent.
 *
 * @example
 * ['101', 'SEC-1', 'sec-1'].map((course) => isOfCourse({ content: { platform_course_id: 101, external_course_id: 'SEC-1' } }, course)); // => [true, true, false]
 */
export function isOfCourse(record: unknown, course: string): boolean {
  const content = isObject(record) && isObject(record['content']) ? record['content'] : {};
  return ['platform_course_id', 'external_course_id'].some((name) => externalId(content[name]) === course);
}

/** The positions of the records that name each person. */
export function positionsByName(archived: Archived): Map<string, number[]> {
  const named = Object.entries(archived).flatMap(([index, { record }]) =>
    archivedNames(record).map((name) => ({ name, index: Number(index) })),
  );
  const groups = Map.groupBy(named, ({ name }) => name);
  return new Map([...groups].map(([name, some]) => [name, some.map(({ index }) => index)]));
}
