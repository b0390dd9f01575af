/** Validates a data file as a whole, by which a sandbox gets the platform's entities. */
import * as v from 'valibot';
import { MAX_ROW_BYTES } from './facts.ts';
import { ROWS } from './rows.ts';
import { emailKey, isClientId, isCompanyId, isEmailAddress, isPlatformId } from '../records/identifiers.ts';
import { isObject, jsonBytes } from '../records/json.ts';

const ARRAYS = ['companies', 'users', 'courses', 'progress', 'clients'] as const;
type Rows = Readonly<Record<(typeof ARRAYS)[number], readonly unknown[]>>;

/** The rows of a data file that are well-formed; all of them, if there are no problems. */
export type DataFile = ReturnType<typeof parseDataFile>['data'];

/**
 * Each row by its own rules, unique values, no reference to what is missing. One of the arrays suffices. `problems`: why the
 * file must not be loaded, one `path: rule` each (`users.3.email: must be …`). Values are never quoted.
 */
export function parseDataFile(value: unknown) {
  const members = isObject(value) ? value : {};
  const problems = ARRAYS.filter((name) => members[name] !== undefined && !Array.isArray(members[name])).map(
    (name) => `${name}: must be an array`,
  );
  if (!isObject(value)) problems.push('the file: must be a JSON object');
  else if (ARRAYS.every((name) => members[name] === undefined))
    problems.push(`the file: must have one of ${ARRAYS.join(', ')}`);
  const { companies, users, courses, progress, clients } = members;
  const rows = {
    companies: read(companies),
    users: read(users),
    courses: read(courses),
    progress: read(progress),
    clients: read(clients),
  };
  const data = {
    companies: parseRows(ROWS.company.whole, rows.companies, 'companies', problems),
    users: parseRows(ROWS.user.whole, rows.users, 'users', problems),
    courses: parseRows(ROWS.course.whole, rows.courses, 'courses', problems),
    progress: parseRows(ROWS.progress.whole, rows.progress, 'progress', problems),
    clients: parseRows(ROWS.client.whole, rows.clients, 'clients', problems),
  };
  return { data, problems: [...problems, ...repeatsIn(rows), ...unmetIn(rows)] };
}

const read = (array: unknown): readonly unknown[] => (Array.isArray(array) ? array : []);

function parseRows<Schema extends v.GenericSchema>(
  schema: Schema,
  rows: readonly unknown[],
  array: string,
  problems: string[],
): v.InferOutput<Schema>[] {
  return rows.flatMap((row, index) => {
    const { success, output, issues = [] } = v.safeParse(schema, row);
    const path = `${array}.${index}`;
    for (const issue of issues)
      problems.push(`${[path, ...(issue.path ?? []).map(({ key }) => key)].join('.')}: ${issue.message}`);
    if (success && jsonBytes(output) > MAX_ROW_BYTES)
      problems.push(`${path}: must be at most ${MAX_ROW_BYTES} bytes as JSON`);
    return success ? [output] : [];
  });
}

/** The text of a member that identifies a row, as sent, so that another bad member hides no problem; `undefined` if malformed. */
const MEMBERS = {
  company_id: (sent: unknown) => (isCompanyId(sent) ? sent : undefined),
  email: (sent: unknown) => (isEmailAddress(sent) ? emailKey(sent) : undefined),
  id: (sent: unknown) => (isPlatformId(sent) ? String(sent) : undefined),
  client_id: (sent: unknown) => (isClientId(sent) ? sent : undefined),
  platform_course_id: (sent: unknown) => (isPlatformId(sent) ? String(sent) : undefined),
} as const;

type RowKey = readonly (keyof typeof MEMBERS)[];

function keyOf(row: unknown, key: RowKey): string | undefined {
  const parts = key.map((member) => MEMBERS[member](isObject(row) ? row[member] : undefined));
  return parts.includes(undefined) ? undefined : JSON.stringify(parts);
}

/** What is unique in each array; a problem names the first member. An e-mail address is unique in a stack. */
const UNIQUE: Readonly<Record<(typeof ARRAYS)[number], readonly RowKey[]>> = {
  companies: [['company_id']],
  users: [['email'], ['id', 'company_id']],
  courses: [['platform_course_id', 'company_id']],
  progress: [['platform_course_id', 'company_id', 'email']],
  clients: [['client_id']],
};

const repeatsIn = (rows: Rows): string[] =>
  ARRAYS.flatMap((array) => UNIQUE[array].flatMap((key) => repeats(rows[array], array, key)));

function repeats(rows: readonly unknown[], path: string, key: RowKey): string[] {
  const first = new Map<string, number>();
  return rows.flatMap((row, index) => {
    const text = keyOf(row, key);
    const earlier = text === undefined ? undefined : first.get(text);
    if (text !== undefined && earlier === undefined) first.set(text, index);
    return earlier === undefined ? [] : [`${path}.${index}.${key[0]}: repeats ${path}.${earlier}.${key[0]}`];
  });
}

const OF_COMPANY = ['companies', ['company_id'], 'company_id: there is no such company in this file'] as const;

const REFERENCES: readonly (readonly [from: keyof Rows, to: keyof Rows, key: RowKey, rule: string])[] = [
  ['users', ...OF_COMPANY],
  ['courses', ...OF_COMPANY],
  ['progress', ...OF_COMPANY],
  ['clients', ...OF_COMPANY],
  ['progress', 'users', ['company_id', 'email'], 'email: the company has no such user in this file'],
  [
    'progress',
    'courses',
    ['company_id', 'platform_course_id'],
    'platform_course_id: the company has no such course in this file',
  ],
];

/** Names every row that refers to what is not in the file. A row with a problem of its own counts. */
const unmetIn = (rows: Rows): string[] =>
  REFERENCES.flatMap(([from, to, key, rule]) => {
    const known = new Set([undefined, ...rows[to].map((row) => keyOf(row, key))]);
    return rows[from].flatMap((row, index) => (known.has(keyOf(row, key)) ? [] : [`${from}.${index}.${rule}`]));
  });
