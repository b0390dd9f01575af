/** The courses that the files name, with their counterparts in the catalog. */
import { isObject } from '../../importer/mapping/fields.ts';
import type { Mapping, Source as MappedSource } from '../../importer/mapping/schema.ts';
import { catalogOf } from '../../importer/match/catalog.ts';
import type { CatalogCourse, Match } from '../../importer/match/match.ts';
import { type CountedCourse, oldCourses } from '../../importer/match/old-courses.ts';
import { service } from './account.ts';
import { useMapping, work } from './files.ts';

export type MatchedCourse = CountedCourse & Match;

export interface Courses {
  readonly courses: readonly MatchedCourse[];
  readonly catalog: readonly CatalogCourse[];
}

const COURSE = 'content.platform_course_id';

/** The column that gives the course, if one does. */
function courseColumn({ record }: Mapping): string | undefined {
  const given = record['content.platform_course_id'] ?? record['content.external_course_id'];
  if (typeof given === 'string') return given;
  const column: unknown = isObject(given) && 'column' in given ? given.column : undefined;
  return typeof column === 'string' ? column : undefined;
}

const chosenBefore = (given: MappedSource | object | undefined): Readonly<Record<string, unknown>> =>
  isObject(given) && 'values' in given && isObject(given.values) ? given.values : {};

/** The courses of all files, each once; none where no column names them. */
export async function matchCourses(): Promise<Courses> {
  const column = work.mapping === undefined ? undefined : courseColumn(work.mapping);
  const client = service();
  const known: CatalogCourse[] = [];
  for await (const { platform_course_id, title } of client.courses()) known.push({ platform_course_id, title });
  if (column === undefined) return { courses: [], catalog: known };
  const catalog = await catalogOf(client);
  const before = chosenBefore(work.mapping?.record['content.platform_course_id']);
  const found = new Map<string, CountedCourse>();
  for (const source of work.sources)
    for (const each of await oldCourses(source, { idColumn: column })) {
      const same = found.get(each.id);
      if (same === undefined) found.set(each.id, each);
      else same.rows += each.rows;
    }
  const isOfPlatform = work.mapping?.record['content.external_course_id'] === undefined;
  const courses = [...found.values()].map((each): MatchedCourse => {
    const chosen = known.find(
      ({ platform_course_id }) =>
        platform_course_id === before[each.id] || (isOfPlatform && String(platform_course_id) === each.id),
    );
    if (chosen !== undefined) return { ...each, kind: 'registered', course: chosen, candidates: [] };
    // Where a file has no other name for a course, its id may be its title.
    const { id, title = id } = each;
    return { ...each, ...catalog.match({ id, title: title === id && /^\d+$/.test(id) ? undefined : title }) };
  });
  return { courses, catalog: known };
}

/** A course of the catalog by the id in the file; `null` leaves its rows out. */
export type CourseChoices = Readonly<Record<string, number | null>>;

/** The mapping with the courses that were chosen. It stays as it is if the service knows all ids already. */
export async function chooseCourses(choices: CourseChoices, needsValues: boolean): Promise<Mapping | undefined> {
  const { mapping } = work;
  const column = mapping === undefined ? undefined : courseColumn(mapping);
  if (mapping === undefined || column === undefined || !needsValues) return mapping;
  const left = Object.keys(choices).filter((id) => choices[id] === null);
  const values = Object.fromEntries(Object.entries(choices).filter(([, course]) => course !== null));
  const { 'content.external_course_id': _, 'content.platform_course_id': __, ...others } = mapping.record;
  const record = Object.keys(values).length === 0 ? mapping.record : { ...others, [COURSE]: { column, values } };
  const rules = (mapping.skip ?? []).filter((rule) => rule.column !== column);
  const skip = left.length === 0 ? rules : [...rules, { column, is: left }];
  const { skip: ___, ...rest } = mapping;
  return useMapping({ ...rest, ...(skip.length === 0 ? {} : { skip }), record }, 'of this page');
}
