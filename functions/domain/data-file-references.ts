import { companyOf, courseIdOf, courseKeyOf, emailOf, userKeyOf } from './data-file-keys.ts';
import type { DataFileRows } from './data-file.ts';

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
