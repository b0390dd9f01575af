/** The courses and the people that the files name, with their counterparts on the platform. */
import { EngineError } from '../../engine/ground/errors.ts';
import { isObject, type JsonObject, memberOf } from '../../engine/ground/fields.ts';
import { columnOf, withDecided } from '../../engine/language/named-columns.ts';
import type { Mapping, MemberSource } from '../../engine/language/schema.ts';
import { findUsers, resolvedUsers } from '../../engine/match/find-users.ts';
import type { Catalog, CatalogCourse, Match } from '../../engine/match/match.ts';
import { type CountedCourse, oldCourses } from '../../engine/match/old-courses.ts';
import { type CountedUser, oldUsers } from '../../engine/match/old-users.ts';
import { catalogOf } from '../../engine/match/platform.ts';
import type { UserMatch } from '../../engine/match/users.ts';
import { increment } from '../../engine/run/summary.ts';
import { type RecordTaker, surveyOf } from '../../engine/run/survey.ts';
import { shapedSource } from '../../engine/profile/shaped-rows.ts';
import { service } from './account.ts';
import { type CourseChoices, recordSet, work } from './files.ts';

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

export type People = Awaited<ReturnType<typeof findPeople>>;

/** Reads the files, and asks the platform for each address and id once. */
export async function findPeople() {
  const emails = new Map<string, number>();
  const ids = new Map<string, number>();
  const people: RecordTaker = {
    addRecord(record) {
      const email = memberOf(record, 'user.email');
      const id = memberOf(record, 'user.external_user_id');
      if (typeof email === 'string') increment(emails, email);
      else if (typeof id === 'string') increment(ids, id);
    },
    clear() {
      emails.clear();
      ids.clear();
    },
  };
  await surveyOf(await recordSet(), { preview: people });
  const asked = new Map<string, boolean>();
  const unknown = [...(await unusable(emails, asked)), ...(await unregistered(ids))].toSorted(
    (a, b) => b.records - a.records,
  );
  const total = emails.size + ids.size;
  const known = unknown.length === 0 ? new Map<string, readonly string[]>() : await candidatesOf(asked);
  /** Those that the platform does not know, or whose license is not active; the most frequent first. */
  const others = unknown.map((each) => ({ ...each, candidates: known.get(each.name.toLowerCase()) ?? [] }));
  // A mapping can name other addresses: it has the address from one column.
  return { total, active: total - others.length, canChoose: addressColumn(work.mapping) !== undefined, others };
}

interface Unusable {
  /** The address, or the id of the old system. */
  readonly name: string;
  readonly status: 'inactive' | 'not_found' | 'invalid';
  readonly records: number;
}

const addressColumn = (mapping: Mapping | undefined): string | undefined => columnOf(mapping?.record['user.email']);

/** Addresses of users who may be meant, the likeliest first, by the address or the id in the file, in lower case; empty for a file whose people cannot be matched. */
async function candidatesOf(asked: ReadonlyMap<string, boolean>): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const match of await matchedPeople(asked))
    for (const name of [match.email, match.id])
      if (name !== undefined)
        found.set(
          name.toLowerCase(),
          match.candidates.map(({ email }) => email).filter((email) => email.toLowerCase() !== name.toLowerCase()),
        );
  return found;
}

async function matchedPeople(asked: ReadonlyMap<string, boolean>): Promise<(CountedUser & UserMatch)[]> {
  const emailColumn = addressColumn(work.mapping);
  const idColumn = columnOf(work.mapping?.record['user.external_user_id']);
  const people: CountedUser[] = [];
  try {
    for (const source of work.sources)
      for (const each of await oldUsers(source, { emailColumn, idColumn })) people.push(each);
  } catch (error) {
    if (error instanceof EngineError) return [];
    throw error;
  }
  return findUsers(service(), people, { moved: new Map(), asked });
}

/** The mapping with the addresses that a person has chosen in place of those of the file. */
export function withAddresses(mapping: Mapping, addresses: Readonly<Record<string, string>>): Mapping {
  const column = addressColumn(mapping);
  if (column === undefined || Object.keys(addresses).length === 0) return mapping;
  const given = mapping.record['user.email'];
  const before = isObject(given) && !Array.isArray(given) ? given : {};
  const values = { ...valuesOf(given), ...addresses };
  return { ...mapping, record: { ...mapping.record, 'user.email': { ...before, column, values } as MemberSource } };
}

async function unusable(emails: ReadonlyMap<string, number>, asked: Map<string, boolean>): Promise<Unusable[]> {
  const found: Unusable[] = [];
  for await (const [[name, records], { status }] of resolvedUsers(service(), emails, ([email]) => email)) {
    asked.set(name.toLowerCase(), status === 'active');
    if (status !== 'active') found.push({ name, status, records });
  }
  return found;
}

async function unregistered(ids: ReadonlyMap<string, number>): Promise<Unusable[]> {
  if (ids.size === 0) return [];
  const unknown = new Map(ids);
  for await (const { external_user_id } of service().userMappings()) unknown.delete(external_user_id);
  return [...unknown].map(([name, records]) => ({ name, status: 'not_found', records }));
}
