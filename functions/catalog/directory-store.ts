import { flag, maps, members, number, oneOf, storedMembers, text } from '../dynamodb/attributes.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { packJson, unpackJson } from '../dynamodb/encoding.ts';
import { found, batchGet } from '../dynamodb/items.ts';
import { querySharded } from '../dynamodb/queries.ts';
import { courseKey, factKey, paddedId, userKey, type Key } from '../dynamodb/table.ts';
import { LICENSES, ROLES } from '../shared/codes.ts';
import type { Company, Course, CourseClass, User } from '../shared/model.ts';

/** `undefined` if the company does not exist or was deleted. */
export function optionalCompany(item: Item | undefined): Company | undefined {
  return item === undefined || item['deleted'] === true ? undefined : unpackCompany(item);
}

export const unpackCompany = (item: Item): Company =>
  members(item, { company_id: text, name: text, migrations_enabled: flag, cursor_key: text });

export function packUser(user: User): Key & Item {
  return { ...userKey(user.company_id, user.email), ...user };
}

const USER = {
  company_id: text,
  user_id: number,
  email: text,
  name: text,
  avatar: text,
  role: oneOf(ROLES),
  license: oneOf(LICENSES),
};

export const unpackUser = (item: Item): User => ({
  ...members(item, USER),
  ...storedMembers(item, { password_hash: text, sessions_valid_from: text }),
});

/** Compressed, a hundred classes are read for one read unit (4 KB). */
const LONGEST_PLAIN_CLASSES = 1024;

/** The item of a course. Its classes are one attribute, compressed from 1 KB on. */
export function packCourse(company_id: string, { classes, ...course }: Course): Key & Item {
  return {
    ...courseKey(company_id, course.platform_course_id),
    ...course,
    classes: packJson(classes, LONGEST_PLAIN_CLASSES),
  };
}

export function unpackCourse(item: Item): Course {
  return {
    ...members(item, { platform_course_id: number, title: text, has_exam: flag }),
    classes: maps({ classes: unpackJson(item['classes']) }, 'classes').map(unpackClass),
  };
}

const unpackClass = (stored: Item): CourseClass => members(stored, { platform_class_id: number, title: text });

export type DirectoryStore = ReturnType<typeof directoryStore>;

/** The users and courses of a company, as the platform sent them (§13.1). */
export function directoryStore(database: Database) {
  return {
    /** Users by address as requested, whatever its letter case. */
    async users(company_id: string, emails: readonly string[], strong: boolean): Promise<Map<string, User>> {
      const keys = emails.map((email) => userKey(company_id, email));
      return found(emails, await batchGet(database, keys, strong), unpackUser);
    },

    /** Strongly consistent: by the item of the user's version, which names the address. */
    async userById(company_id: string, user_id: number): Promise<User | undefined> {
      const [fact] = await batchGet(database, [factKey(company_id, 'user', user_id)], true);
      if (fact?.['email'] === undefined) return undefined;
      const [user] = await batchGet(database, [userKey(company_id, text(fact, 'email'))], true);
      return user === undefined || number(user, 'user_id') !== user_id ? undefined : unpackUser(user);
    },

    async courses(company_id: string, ids: readonly number[], strong: boolean): Promise<Map<number, Course>> {
      const keys = ids.map((id) => courseKey(company_id, id));
      return found(ids, await batchGet(database, keys, strong), unpackCourse);
    },

    /** Ordered by id, strictly after `after`. */
    async listCourses(company_id: string, limit: number, after?: number): Promise<Course[]> {
      const position = after === undefined ? undefined : paddedId(after);
      const items = await querySharded(database, { company_id, kind: 'catalog', after: position, limit });
      return items.map(unpackCourse);
    },
  };
}
