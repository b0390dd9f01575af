import type { Company, Course, User } from '../domain/model.ts';
import type { Item } from './database.ts';
import { courseKey, type Key, userKey } from './keys.ts';
import { packJson, unpackJson } from './packed-json.ts';

export function unpackCompany(item: Item): Company {
  const { company_id, name, migrations_enabled, cursor_key } = item as unknown as Company;
  return { company_id, name, migrations_enabled, cursor_key };
}

export function packUser(user: User): Key & Item {
  return { ...userKey(user.company_id, user.email), ...user };
}

export function unpackUser(item: Item): User {
  const { company_id, user_id, email, name, role, avatar, license, password_hash } = item as unknown as User;
  const known = { company_id, user_id, email, name, role, avatar, license };
  return password_hash === undefined ? known : { ...known, password_hash };
}

export function packCourse(company_id: string, { classes, ...course }: Course): Key & Item {
  return { ...courseKey(company_id, course.platform_course_id), ...course, classes: packJson(classes) };
}

export function unpackCourse(item: Item): Course {
  const { platform_course_id, title, has_exam } = item as unknown as Course;
  return { platform_course_id, title, has_exam, classes: unpackJson(item['classes']) as Course['classes'] };
}
