/** The references of the rows of a data file, and repeats within it. */
import {
  classIdOf,
  companyOf,
  courseIdOf,
  courseKeyOf,
  emailOf,
  joined,
  userIdOf,
  userKeyOf,
} from './data-file-schema.ts';
import type { DataFileRows, KeyOf } from './data-file-schema.ts';
import { isObject } from '../records/json.ts';

/** Names every row that refers to a company, a user or a course that is not in the file. A row with a problem of its own counts. */
export function unmetIn({ companies, users, courses, progress }: DataFileRows): string[] {
  const company = 'company_id: there is no such company in this file';
  const ofCompany = (rows: readonly unknown[], array: string) => unmet(rows, array, company, companyOf, companies);
  return [
    ...ofCompany(users, 'users'),
    ...ofCompany(courses, 'courses'),
    ...ofCompany(progress, 'progress'),
    ...unmet(progress, 'progress', 'email: the company has no such user in this file', userKeyOf, users),
    ...unmet(
      progress,
      'progress',
      'platform_course_id: the company has no such course in this file',
      courseKeyOf,
      courses,
    ),
  ];
}

function unmet(
  rows: readonly unknown[],
  array: string,
  rule: string,
  keyOf: KeyOf,
  named: readonly unknown[],
): string[] {
  const known = new Set(named.map(keyOf));
  return rows.flatMap((row, index) =>
    known.has(keyOf(row)) || keyOf(row) === undefined ? [] : [`${array}.${index}.${rule}`],
  );
}

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
