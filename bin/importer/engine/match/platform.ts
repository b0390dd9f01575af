/** What the platform knows of the learners and courses of a file. */
import { MAX_EMAILS_PER_RESOLVE } from '../../wire/values.ts';
import type { Service } from '../../wire/types.ts';
import type { Platform } from '../language/findings.ts';
import { remembered } from '../ground/remembered.ts';
import { Catalog, type CatalogCourse } from './match.ts';

/** The catalog of the company, with the course ids that are registered. */
export async function catalogOf(client: Service): Promise<Catalog> {
  const courses: CatalogCourse[] = [];
  for await (const { platform_course_id, title, has_exam } of client.courses())
    courses.push({ platform_course_id, title, has_exam });
  const registered = new Map<string, number>();
  for await (const { external_course_id, platform_course_id } of client.courseMappings())
    registered.set(external_course_id, platform_course_id);
  return new Catalog(courses, registered);
}

/** Reads the catalog, unless it is given, and the registered ids once; addresses are looked up as they are asked for. */
export async function platformOf(client: Service, given?: Catalog): Promise<Platform> {
  const catalog = given ?? (await catalogOf(client));
  const ids = new Set<string>();
  for await (const { external_user_id } of client.userMappings()) ids.add(external_user_id.toLowerCase());
  const courseOf = remembered((text) => {
    const title = /\p{L}/u.test(text) ? text : undefined;
    return catalog.match({ id: text, title }).course?.platform_course_id;
  });
  return {
    courseOf,
    knownLearners: async (texts) => {
      const known = new Set(texts.map((text) => text.toLowerCase()).filter((text) => ids.has(text)));
      const emails = [...new Set(texts.filter((text) => text.includes('@')))].slice(0, MAX_EMAILS_PER_RESOLVE);
      if (emails.length === 0) return known;
      const { users } = await client.resolveUsers(emails);
      for (const { email, status } of users)
        if (email !== null && status !== 'not_found' && status !== 'invalid') known.add(email.toLowerCase());
      return known;
    },
  };
}
