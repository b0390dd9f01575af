/** The courses and the people that the files name, with their counterparts on the platform. */
import { EngineError } from '../../engine/ground/errors.ts';
import { isObject, type JsonObject } from '../../engine/ground/fields.ts';
import { columnOf, withDecided } from '../../engine/language/named-columns.ts';
import type { Mapping, MemberSource } from '../../engine/language/schema.ts';
import { findUsers } from '../../engine/match/find-users.ts';
import type { Catalog, CatalogCourse, Match } from '../../engine/match/match.ts';
import { type CountedCourse, oldCourses } from '../../engine/match/old-courses.ts';
import { type CountedUser, oldUsers } from '../../engine/match/old-users.ts';
import { catalogOf } from '../../engine/match/platform.ts';
import { shapedSource } from '../../engine/profile/shaped-rows.ts';
import { service } from './account.ts';
import { type CourseChoices, type PeopleChoices, work } from './files.ts';

export type MatchedCourse = CountedCourse & Match;

const COURSE = 'content.platform_course_id';
const OLD_COURSE = 'content.external_course_id';

let catalog: Promise<Catalog> | undefined;

/** The catalog of the company, read once for the files that are open. */
export const knownCourses = (): Promise<Catalog> => (catalog ??= catalogOf(service()));

export const courseTitles = async (): Promise<readonly CatalogCourse[]> => (await knownCourses()).courses;

export const forgetCourses = (): void => {
  catalog = undefined;
};

function valuesOf(source: unknown): JsonObject {
  const values = isObject(source) ? source['values'] : undefined;
  return isObject(values) ? values : {};
}

export const courseColumn = ({ record }: Mapping): string | undefined => columnOf(record[COURSE] ?? record[OLD_COURSE]);

/** The courses of all files, each once; none where no column names them. */
export async function matchedCourses(mapping: Mapping): Promise<MatchedCourse[]> {
  const column = courseColumn(mapping);
  const known = await knownCourses();
  if (column === undefined) return [];
  const found = new Map<string, CountedCourse>();
  for (const source of work.sources)
    for (const each of await oldCourses(shapedSource(source, mapping), { idColumn: column })) {
      const same = found.get(each.id);
      if (same === undefined) found.set(each.id, each);
      else same.rows += each.rows;
    }
  const before = valuesOf(mapping.record[COURSE]);
  const isOfPlatform = mapping.record[OLD_COURSE] === undefined;
  return [...found.values()].map((each): MatchedCourse => {
    const course = known.courses.find(
      ({ platform_course_id }) =>
        platform_course_id === before[each.id] || (isOfPlatform && String(platform_course_id) === each.id),
    );
    if (course !== undefined) return { ...each, kind: 'registered', course, candidates: [] };
    // Where a file has no other name for a course, its id may be its title.
    const { id, title = id } = each;
    return { ...each, ...known.match({ id, title: title === id && /^\d+$/.test(id) ? undefined : title }) };
  });
}

/** The mapping with the courses that are certain or were chosen. It stays as it is if the service knows all ids already. */
export function withCourses(mapping: Mapping, courses: readonly MatchedCourse[], chosen: CourseChoices): Mapping {
  const column = courseColumn(mapping);
  const isRegistered = courses.every(({ id, kind }) => kind === 'registered' && chosen[id] === undefined);
  if (column === undefined || isRegistered) return mapping;
  const certain = courses.flatMap(({ id, course }) => (course === undefined ? [] : [[id, course.platform_course_id]]));
  const choices: CourseChoices = { ...Object.fromEntries(certain), ...chosen };
  const out = Object.keys(choices).filter((id) => choices[id] === null);
  const values = Object.fromEntries(Object.entries(choices).filter(([, course]) => course !== null));
  const { [OLD_COURSE]: _, [COURSE]: __, ...others } = mapping.record;
  const record = Object.keys(values).length === 0 ? mapping.record : { ...others, [COURSE]: { column, values } };
  const skip = (mapping.skip ?? []).filter((rule) => rule.column !== column || rule.is === undefined);
  const rules = out.length === 0 ? skip : [...skip, { column, is: out }];
  return { ...mapping, ...(rules.length === 0 ? {} : { skip: rules }), record };
}

export function ofOneCourse(mapping: Mapping, course: number): Mapping {
  const { [OLD_COURSE]: _, ...record } = mapping.record;
  return { ...withDecided(mapping, ['course']), record: { ...record, [COURSE]: { constant: course } } };
}

const addressColumn = (mapping: Mapping | undefined): string | undefined => columnOf(mapping?.record['user.email']);
const idColumn = (mapping: Mapping | undefined): string | undefined =>
  columnOf(mapping?.record['user.external_user_id']);

/** A mapping names other addresses only where it has the address from one column. */
export const canMatch = (mapping: Mapping | undefined): boolean => addressColumn(mapping) !== undefined;

/**
 * Who may be meant, by the text in the file in lower case, the likeliest address first; empty for a file whose people cannot be matched.
 *
 * @param unknown those whom the platform does not know, or who are not active
 */
export async function suggestPeople(unknown: readonly string[]): Promise<Readonly<Record<string, readonly string[]>>> {
  const open = new Set(unknown.map((name) => name.toLowerCase()));
  const people: CountedUser[] = [];
  try {
    const columns = { emailColumn: addressColumn(work.mapping), idColumn: idColumn(work.mapping) };
    for (const source of work.sources) for (const each of await oldUsers(source, columns)) people.push(each);
  } catch (error) {
    if (error instanceof EngineError) return {};
    throw error;
  }
  // The dry runs have told of everybody else.
  const asked = new Map(people.map(({ email = '' }) => [email.toLowerCase(), !open.has(email.toLowerCase())]));
  const found: Record<string, readonly string[]> = {};
  for (const { email, id, candidates } of await findUsers(service(), people, { moved: new Map(), asked }))
    for (const name of [email, id].map((each) => each?.toLowerCase()))
      if (name !== undefined && open.has(name))
        found[name] = candidates.map((each) => each.email).filter((each) => each.toLowerCase() !== name);
  return found;
}

/** The mapping with other addresses in place of those of the file, and without the rows of those who are left out. */
export function withPeople(mapping: Mapping, chosen: PeopleChoices): Mapping {
  const column = addressColumn(mapping) ?? idColumn(mapping);
  const entries = Object.entries(chosen);
  if (column === undefined || entries.length === 0) return mapping;
  const out = entries.flatMap(([name, email]) => (email === null ? [name] : []));
  const skip = out.length === 0 ? {} : { skip: [...(mapping.skip ?? []), { column, is: out }] };
  const given = mapping.record['user.email'];
  const before = isObject(given) && !Array.isArray(given) ? given : {};
  const values = { ...valuesOf(given), ...Object.fromEntries(entries.filter(([, email]) => email !== null)) };
  if (Object.keys(values).length === 0) return { ...mapping, ...skip };
  const source = { ...before, column, values } as MemberSource;
  return { ...mapping, ...skip, record: { ...mapping.record, 'user.email': source } };
}
