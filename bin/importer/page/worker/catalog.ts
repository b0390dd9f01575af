/** The courses that the files name, with their counterparts in the catalog. */
import { isObject, type JsonObject } from '../../engine/mapping/fields.ts';
import { columnOf } from '../../engine/mapping/named-columns.ts';
import type { Mapping } from '../../engine/mapping/schema.ts';
import { catalogOf } from '../../engine/match/platform.ts';
import type { Catalog, CatalogCourse, Match } from '../../engine/match/match.ts';
import { type CountedCourse, oldCourses } from '../../engine/match/old-courses.ts';
import { shapedSource } from '../../engine/shape/shaped-rows.ts';
import { service } from './account.ts';
import { work } from './files.ts';

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

export function valuesOf(source: unknown): JsonObject {
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

/** A course of the catalog by the id in the file; `null` leaves its rows out. */
export type CourseChoices = Readonly<Record<string, number | null>>;

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
  const { undecided = [], ...decided } = mapping;
  const others = undecided.filter((about) => about !== 'course');
  return {
    ...decided,
    ...(others.length === 0 ? {} : { undecided: others }),
    record: { ...record, [COURSE]: { constant: course } },
  };
}
