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

/** Something that a row needs to exist. `path` is the member that names it. */
export interface CompanyReference {
  readonly path: string;
  readonly company_id: string;
}
export interface UserReference extends CompanyReference {
  /** In lookup form. */
  readonly email: string;
}
export interface CourseReference extends CompanyReference {
  readonly platform_course_id: number;
}

export interface DataFileReferences {
  /** Companies, users and courses that rows name and the file itself does not hold: they must be stored already. */
  readonly companies: readonly CompanyReference[];
  readonly users: readonly UserReference[];
  readonly courses: readonly CourseReference[];
  /** Every address that the file gives to a company: it must not belong to another one in the stack. */
  readonly addresses: readonly UserReference[];
}

/** What the rows need from outside the file. Rows whose own naming members are malformed need nothing. */
export function referencesIn(rows: DataFileRows): DataFileReferences {
  const companies = new Set(rows.companies.map(companyOf));
  const users = new Set(rows.users.map(userKeyOf));
  const courses = new Set(rows.courses.map(courseKeyOf));
  return {
    companies: [
      ...companyReferences(rows.users, 'users'),
      ...companyReferences(rows.courses, 'courses'),
      ...companyReferences(rows.progress, 'progress'),
    ].filter(({ company_id }) => !companies.has(company_id)),
    users: userReferences(
      rows.progress.map((row) => (users.has(userKeyOf(row)) ? undefined : row)),
      'progress',
    ),
    courses: rows.progress.flatMap((row, index) => {
      const [company_id, id] = [companyOf(row), courseIdOf(row)];
      if (company_id === undefined || id === undefined || courses.has(courseKeyOf(row))) return [];
      return [{ path: `progress.${index}.platform_course_id`, company_id, platform_course_id: Number(id) }];
    }),
    addresses: userReferences(rows.users, 'users'),
  };
}

function companyReferences(rows: readonly unknown[], array: string): CompanyReference[] {
  return rows.flatMap((row, index) => {
    const company_id = companyOf(row);
    return company_id === undefined ? [] : [{ path: `${array}.${index}.company_id`, company_id }];
  });
}

function userReferences(rows: readonly unknown[], array: string): UserReference[] {
  return rows.flatMap((row, index) => {
    const [company_id, email] = [companyOf(row), emailOf(row)];
    return company_id === undefined || email === undefined
      ? []
      : [{ path: `${array}.${index}.email`, company_id, email }];
  });
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
