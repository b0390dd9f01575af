/** The courses that the files name, with their counterparts in the catalog. */
import { columnOf } from '../../engine/mapping/named-columns.ts';
import type { Mapping } from '../../engine/mapping/schema.ts';
import { catalogOf } from '../../engine/match/catalog.ts';
import type { CatalogCourse, Match } from '../../engine/match/match.ts';
import { type CountedCourse, oldCourses } from '../../engine/match/old-courses.ts';
import { service } from './account.ts';
import { leavingOut, valuesOf } from './edit-mapping.ts';
import { useMapping, work } from './files.ts';

export type MatchedCourse = CountedCourse & Match;

export interface Courses {
  readonly courses: readonly MatchedCourse[];
  readonly catalog: readonly CatalogCourse[];
}

const COURSE = 'content.platform_course_id';

/** The column that gives the course, if one does. */
const courseColumn = (mapping: Mapping | undefined): string | undefined =>
  columnOf(mapping?.record[COURSE] ?? mapping?.record['content.external_course_id']);

/** The courses of all files, each once; none where no column names them. */
export async function matchCourses(): Promise<Courses> {
  const column = courseColumn(work.mapping);
  const catalog = await catalogOf(service());
  if (column === undefined) return { courses: [], catalog: catalog.courses };
  const before = valuesOf(work.mapping?.record[COURSE]);
  const found = new Map<string, CountedCourse>();
  for (const source of work.sources)
    for (const each of await oldCourses(source, { idColumn: column })) {
      const same = found.get(each.id);
      if (same === undefined) found.set(each.id, each);
      else same.rows += each.rows;
    }
  const isOfPlatform = work.mapping?.record['content.external_course_id'] === undefined;
  const courses = [...found.values()].map((each): MatchedCourse => {
    const chosen = catalog.courses.find(
      ({ platform_course_id }) =>
        platform_course_id === before[each.id] || (isOfPlatform && String(platform_course_id) === each.id),
    );
    if (chosen !== undefined) return { ...each, kind: 'registered', course: chosen, candidates: [] };
    // Where a file has no other name for a course, its id may be its title.
    const { id, title = id } = each;
    return { ...each, ...catalog.match({ id, title: title === id && /^\d+$/.test(id) ? undefined : title }) };
  });
  return { courses, catalog: catalog.courses };
}

/**
 * The mapping with the courses that were chosen. It stays as it is if the service knows all ids already.
 *
 * @param choices a course of the catalog by the id in the file; `null` leaves its rows out
 */
export async function chooseCourses(
  choices: Readonly<Record<string, number | null>>,
  needsValues: boolean,
): Promise<Mapping | undefined> {
  const { mapping } = work;
  const column = courseColumn(mapping);
  if (mapping === undefined || column === undefined || !needsValues) return mapping;
  const left = Object.keys(choices).filter((id) => choices[id] === null);
  const values = Object.fromEntries(Object.entries(choices).filter(([, course]) => course !== null));
  const { 'content.external_course_id': _, 'content.platform_course_id': __, ...others } = mapping.record;
  const record = Object.keys(values).length === 0 ? mapping.record : { ...others, [COURSE]: { column, values } };
  return useMapping({ ...leavingOut(mapping, column, left), record });
}
