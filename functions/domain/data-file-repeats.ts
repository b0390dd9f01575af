import type { DataFileRows } from './data-file.ts';
import {
  classIdOf,
  companyOf,
  courseIdOf,
  courseKeyOf,
  emailOf,
  joined,
  userIdOf,
  userKeyOf,
  type KeyOf,
} from './data-file-keys.ts';
import { isObject } from './json-object.ts';

/**
 * Names every row that repeats an earlier one: a company, an e-mail address (unique in a stack), a user id or a course of a
 * company, the progress of a user in a course, a class within its course.
 */
export function repeatsIn(rows: DataFileRows): string[] {
  return [
    ...repeats(rows.companies, 'companies', 'company_id', companyOf),
    ...repeats(rows.users, 'users', 'email', emailOf),
    ...repeats(rows.users, 'users', 'id', joined(companyOf, userIdOf)),
    ...repeats(rows.courses, 'courses', 'platform_course_id', courseKeyOf),
    ...rows.courses.flatMap((course, index) => repeatedClasses(course, `courses.${index}.classes`)),
    ...repeats(rows.progress, 'progress', 'platform_course_id', joined(courseIdOf, userKeyOf)),
    ...rows.progress.flatMap((row, index) => repeatedClasses(row, `progress.${index}.classes`)),
  ];
}

function repeatedClasses(row: unknown, path: string): string[] {
  const classes = isObject(row) ? row['classes'] : undefined;
  return Array.isArray(classes) ? repeats(classes, path, 'platform_class_id', classIdOf) : [];
}

function repeats(rows: readonly unknown[], path: string, member: string, keyOf: KeyOf): string[] {
  const first = new Map<string, number>();
  return rows.flatMap((row, index) => {
    const key = keyOf(row);
    const earlier = key === undefined ? undefined : first.get(key);
    if (key !== undefined && earlier === undefined) first.set(key, index);
    return earlier === undefined ? [] : [`${path}.${index}.${member}: repeats ${path}.${earlier}.${member}`];
  });
}
