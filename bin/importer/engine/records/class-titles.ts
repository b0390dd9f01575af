/** Class ids by title, from the catalog of the platform. */
import type { Service } from '../../wire/types.ts';
import type { ClassTitles } from '../mapping/compile.ts';
import { isObject, type JsonObject } from '../mapping/fields.ts';

/** Titles are compared without case, blanks around them and double blanks. */
const comparable = (title: string): string => title.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();

export type CatalogClient = Pick<Service, 'courses' | 'courseMappings'>;

/** Reads the catalog and the registered course ids. */
export async function classTitles(client: CatalogClient): Promise<ClassTitles> {
  const counts = new Map<number, number>();
  const classes = new Map<number, Map<string, number | undefined>>();
  for await (const { platform_course_id, classes: listed } of client.courses()) {
    const titles = new Map<string, number | undefined>();
    for (const { title, platform_class_id } of listed) {
      const key = comparable(title);
      // A title that two classes of a course have names neither.
      titles.set(key, titles.has(key) ? undefined : platform_class_id);
    }
    classes.set(platform_course_id, titles);
    counts.set(platform_course_id, listed.length);
  }
  const courses = new Map<string, number>();
  for await (const { external_course_id, platform_course_id } of client.courseMappings())
    courses.set(external_course_id, platform_course_id);
  const courseOf = (content: unknown): number => {
    const { platform_course_id, external_course_id }: JsonObject = isObject(content) ? content : {};
    const course =
      typeof platform_course_id === 'number' ? platform_course_id : courses.get(String(external_course_id));
    return course ?? -1;
  };
  return {
    idOf: (content, title) => classes.get(courseOf(content))?.get(comparable(title)),
    countOf: (content) => counts.get(courseOf(content)),
  };
}
