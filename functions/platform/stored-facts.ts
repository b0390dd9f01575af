import type { CourseReference, DataFileReferences, UserReference } from './data-file-references.ts';
import type { DataFile } from './data-file.ts';
import { emailKey } from '../records/identifiers.ts';
import type { AccessStore } from '../auth/access-store.ts';
import type { DirectoryStore } from '../catalog/directory-store.ts';
import type { PlatformDataStore } from './platform-data-store.ts';
import type { Company, Course, User } from '../shared/model.ts';

/** Look-ups of the login directory at work at the same time. */
const PARALLEL = 25;

/** What is stored already about the things that a data file refers to; everything strongly consistent. */
/** The stores that hold what the platform owns. */
export interface PlatformStores {
  readonly platform: PlatformDataStore;
  readonly directory: DirectoryStore;
  readonly access: AccessStore;
}

export interface StoredFacts {
  readonly companies: ReadonlyMap<string, Company>;
  /** By company, then by e-mail address in lookup form. */
  readonly users: ReadonlyMap<string, ReadonlyMap<string, User>>;
  readonly courses: ReadonlyMap<string, ReadonlyMap<number, Course>>;
  /** Company that each address belongs to. */
  readonly owners: ReadonlyMap<string, string>;
}

export async function storedFacts(references: DataFileReferences, stores: PlatformStores): Promise<StoredFacts> {
  const { directory } = stores;
  const companyIds = [...new Set(references.companies.map(({ company_id }) => company_id))];
  const [companies, users, courses, owners] = await Promise.all([
    stores.platform.companies(companyIds),
    inEachCompany(references.users, (id, rows) => directory.users(id, distinct(rows.map(({ email }) => email)), true)),
    inEachCompany(references.courses, (id, rows) =>
      directory.courses(id, distinct(rows.map((row) => row.platform_course_id)), true),
    ),
    ownersOf(distinct(references.addresses.map(({ email }) => email)), stores.access),
  ]);
  return { companies, users, courses, owners };
}

/** Every reference that neither the file nor the store meets, and every address that belongs to another company. */
export function unmetReferences(references: DataFileReferences, facts: StoredFacts): string[] {
  const known = ({ company_id, email }: UserReference) => facts.users.get(company_id)?.has(email) === true;
  const inCatalog = ({ company_id, platform_course_id }: CourseReference) =>
    facts.courses.get(company_id)?.has(platform_course_id) === true;
  const taken = ({ company_id, email }: UserReference) => (facts.owners.get(email) ?? company_id) !== company_id;
  return [
    ...references.companies
      .filter(({ company_id }) => !facts.companies.has(company_id))
      .map(({ path }) => `${path}: names no company of this file or of the stack`),
    ...references.users.filter((user) => !known(user)).map(({ path }) => `${path}: names no user of that company`),
    ...references.courses
      .filter((course) => !inCatalog(course))
      .map(({ path }) => `${path}: names no course of that company`),
    ...references.addresses.filter(taken).map(({ path }) => `${path}: belongs to another company of the stack`),
  ];
}

/** Id of every user that a row of progress can name, by `company/address`: those of the file, then those that are stored. */
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

async function ownersOf(emails: readonly string[], access: AccessStore): Promise<Map<string, string>> {
  const owners = new Map<string, string>();
  const waiting = emails.values();
  const worker = async () => {
    for (const email of waiting) {
      const login = await access.findLogin(email);
      if (login) owners.set(email, login.company_id);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return owners;
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
