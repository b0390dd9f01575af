/** The references of the rows of a data file, repeats within the file, and the stored entities that they name. */
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
import type { DataFile, DataFileRows, KeyOf } from './data-file-schema.ts';
import { loadedUser, type LoadedKey } from './loaded-file-store.ts';
import type { PlatformDataStore, UserId } from './platform-data-store.ts';
import type { DirectoryStore } from '../catalog/directory-store.ts';
import { emailKey } from '../records/identifiers.ts';
import { isObject } from '../records/json.ts';
import type { Company, Course, User } from '../shared/model.ts';

/** Something that a row needs. `path` is the member that names it. */
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
  /** Companies, users and courses that rows name and the file does not contain: they must be stored already. */
  readonly companies: readonly CompanyReference[];
  readonly users: readonly UserReference[];
  readonly courses: readonly CourseReference[];
  /** Every address that the file gives to a user: it must not belong to another user in the stack. */
  readonly addresses: readonly AddressReference[];
}
export interface AddressReference extends UserReference {
  readonly user_id: number;
}

/** Entities that the rows need from outside the file. Rows whose own naming members are malformed need none. */
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
    addresses: rows.users.flatMap((row, index) => {
      const [company_id, email, id] = [companyOf(row), emailOf(row), userIdOf(row)];
      if (company_id === undefined || email === undefined || id === undefined) return [];
      return [{ path: `users.${index}.email`, company_id, email, user_id: Number(id) }];
    }),
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

/** The stores of the platform's entities. */
export interface PlatformStores {
  readonly platform: PlatformDataStore;
  readonly directory: DirectoryStore;
}

/** The stored entities that a data file refers to. */
export interface StoredFacts {
  readonly companies: ReadonlyMap<string, Company>;
  /** Users by company, then by e-mail address in lookup form. */
  readonly users: ReadonlyMap<string, ReadonlyMap<string, User>>;
  readonly courses: ReadonlyMap<string, ReadonlyMap<number, Course>>;
  /** The user that each address belongs to. */
  readonly owners: ReadonlyMap<string, UserId>;
}

/** Every read is strongly consistent. */
export async function storedFacts(references: DataFileReferences, stores: PlatformStores): Promise<StoredFacts> {
  const { directory, platform } = stores;
  const companyIds = [...new Set(references.companies.map(({ company_id }) => company_id))];
  const [companies, users, courses, owners] = await Promise.all([
    platform.companies(companyIds),
    inEachCompany(references.users, (id, rows) => directory.users(id, distinct(rows.map(({ email }) => email)), true)),
    inEachCompany(references.courses, (id, rows) =>
      directory.courses(id, distinct(rows.map((row) => row.platform_course_id)), true),
    ),
    platform.ownersOf(distinct(references.addresses.map(({ email }) => email))),
  ]);
  return { companies, users, courses, owners };
}

/** The entities that remain stored once the rows of the former file are deleted. */
export function without(former: readonly LoadedKey[], facts: StoredFacts): StoredFacts {
  const deleted = new Set(former.map(textOf));
  const inEach = <K, V>(
    groups: ReadonlyMap<string, ReadonlyMap<K, V>>,
    keyOf: (company_id: string, key: K, value: V) => LoadedKey,
  ) => new Map([...groups].map(([id, rows]) => [id, kept(rows, (key, row) => keyOf(id, key, row))]));
  const kept = <K, V>(rows: ReadonlyMap<K, V>, keyOf: (key: K, row: V) => LoadedKey) =>
    new Map([...rows].filter(([key, row]) => !deleted.has(textOf(keyOf(key, row)))));
  return {
    companies: kept(facts.companies, (id) => ['company', id]),
    users: inEach<string, User>(facts.users, (company, email, { user_id }) => loadedUser(company, user_id, email)),
    courses: inEach<number, Course>(facts.courses, (company, id) => ['course', company, id]),
    owners: kept(facts.owners, (email, { company_id, user_id }) => loadedUser(company_id, user_id, email)),
  };
}

export const textOf = (key: LoadedKey): string => JSON.stringify(key);

/** Every reference to something that is neither in the file nor stored, and every address that belongs to another user. */
export function unmetReferences(references: DataFileReferences, facts: StoredFacts): string[] {
  const known = ({ company_id, email }: UserReference) => facts.users.get(company_id)?.has(email) === true;
  const inCatalog = ({ company_id, platform_course_id }: CourseReference) =>
    facts.courses.get(company_id)?.has(platform_course_id) === true;
  const taken = ({ company_id, user_id, email }: AddressReference) => {
    const owner = facts.owners.get(email);
    return owner !== undefined && (owner.company_id !== company_id || owner.user_id !== user_id);
  };
  return [
    ...references.companies
      .filter(({ company_id }) => !facts.companies.has(company_id))
      .map(({ path }) => `${path}: there is no such company in this file or in the stack`),
    ...references.users.filter((user) => !known(user)).map(({ path }) => `${path}: the company has no such user`),
    ...references.courses
      .filter((course) => !inCatalog(course))
      .map(({ path }) => `${path}: the company has no such course`),
    ...references.addresses.filter(taken).map(({ path }) => `${path}: belongs to another user of the stack`),
  ];
}

/** Id of every user that a row of progress can name, by `company/address`: users of the file, then stored ones. */
export function usersOfProgress(data: DataFile, facts: StoredFacts): Map<string, number> {
  const ids = new Map<string, number>();
  for (const [company_id, users] of facts.users) {
    for (const [email, { user_id }] of users) ids.set(`${company_id}/${email}`, user_id);
  }
  for (const { company_id, email, id } of data.users) ids.set(`${company_id}/${emailKey(email)}`, id);
  return ids;
}

async function inEachCompany<Row extends { readonly company_id: string }, Found>(
  rows: readonly Row[],
  find: (company_id: string, rows: readonly Row[]) => Promise<Found>,
): Promise<Map<string, Found>> {
  const groups = Map.groupBy(rows, ({ company_id }) => company_id);
  return new Map(await Promise.all([...groups].map(async ([id, group]) => [id, await find(id, group)] as const)));
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
