/** Validates a data file as a whole. */
import * as v from 'valibot';
import {
  ARRAYS,
  companyRow,
  courseRow,
  progressRow,
  userRow,
  type DataFile,
  type DataFileRows,
  companyOf,
  courseIdOf,
  courseKeyOf,
  emailOf,
  joined,
  userIdOf,
  userKeyOf,
  type KeyOf,
} from './data-file-schema.ts';
import { MAX_ROW_BYTES } from './facts.ts';
import { isObject, jsonBytes } from '../records/json.ts';

export interface ParsedDataFile {
  readonly data: DataFile;
  /** The reasons why the file must not be loaded, one `path: rule` each (`users.3.email: must be …`). Values are never quoted. */
  readonly problems: readonly string[];
}

/** Each row by its own rules, unique values, no reference to what is missing. One of the four arrays suffices. */
export function parseDataFile(value: unknown): ParsedDataFile {
  const { rows, problems } = readArrays(value);
  const data = {
    companies: parseRows(companyRow, rows.companies, 'companies', problems),
    users: parseRows(userRow, rows.users, 'users', problems),
    courses: parseRows(courseRow, rows.courses, 'courses', problems),
    progress: parseRows(progressRow, rows.progress, 'progress', problems),
  };
  return { data, problems: [...problems, ...repeatsIn(rows), ...unmetIn(rows)] };
}

function readArrays(value: unknown): { rows: DataFileRows; problems: string[] } {
  const members = isObject(value) ? value : {};
  const problems = ARRAYS.filter((name) => members[name] !== undefined && !Array.isArray(members[name])).map(
    (name) => `${name}: must be an array`,
  );
  if (!isObject(value)) problems.push('the file: must be a JSON object');
  else if (ARRAYS.every((name) => members[name] === undefined))
    problems.push(`the file: must have one of ${ARRAYS.join(', ')}`);
  const { companies, users, courses, progress } = members;
  const rows = { companies: read(companies), users: read(users), courses: read(courses), progress: read(progress) };
  return { rows, problems };
}

const read = (array: unknown): readonly unknown[] => (Array.isArray(array) ? array : []);

function parseRows<Schema extends v.GenericSchema>(
  schema: Schema,
  rows: readonly unknown[],
  array: string,
  problems: string[],
): v.InferOutput<Schema>[] {
  const parsed: v.InferOutput<Schema>[] = [];
  for (const [index, row] of rows.entries()) {
    const result = v.safeParse(schema, row);
    if (!result.success) {
      problems.push(...result.issues.map((issue) => `${[array, index, ...pathOf(issue)].join('.')}: ${issue.message}`));
    } else if (jsonBytes(result.output) > MAX_ROW_BYTES) {
      problems.push(`${array}.${index}: must be at most ${MAX_ROW_BYTES} bytes as JSON`);
    } else {
      parsed.push(result.output);
    }
  }
  return parsed;
}

function pathOf(issue: v.BaseIssue<unknown>): unknown[] {
  return (issue.path ?? []).map(({ key }) => key);
}

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

/** Names every row that repeats an earlier one; an e-mail address is unique in a stack. */
export function repeatsIn(rows: DataFileRows): string[] {
  return [
    ...repeats(rows.companies, 'companies', 'company_id', companyOf),
    ...repeats(rows.users, 'users', 'email', emailOf),
    ...repeats(rows.users, 'users', 'id', joined(companyOf, userIdOf)),
    ...repeats(rows.courses, 'courses', 'platform_course_id', courseKeyOf),
    ...repeats(rows.progress, 'progress', 'platform_course_id', joined(courseIdOf, userKeyOf)),
  ];
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
