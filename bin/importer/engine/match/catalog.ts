import type { Service } from '../../wire/types.ts';
import { Catalog, type CatalogCourse } from './match.ts';

/** The catalog of the company, with the course ids that are registered. */
export async function catalogOf(client: Service): Promise<Catalog> {
  const courses: CatalogCourse[] = [];
  for await (const { platform_course_id, title } of client.courses()) courses.push({ platform_course_id, title });
  const registered = new Map<string, number>();
  for await (const { external_course_id, platform_course_id } of client.courseMappings())
    registered.set(external_course_id, platform_course_id);
  return new Catalog(courses, registered);
}
