import { createHash } from 'node:crypto';
import { hashPasswords } from '../auth/passwords.ts';
import type { PasswordHasher } from '../auth/passwords.ts';
import { parseDataFile } from './data-file.ts';
import type { DataFile } from './data-file.ts';
import type { PlatformDataStore } from './platform-data-store.ts';
import { storedFacts, unmetReferences, usersOfProgress } from './stored-facts.ts';
import { emailKey } from '../records/identifiers.ts';
import type { Random } from '../runtime/system.ts';
import type { PlatformStores } from './stored-facts.ts';
import type { Course, LearnerCourse, Progress } from '../shared/model.ts';

export interface LoadServices {
  readonly stores: PlatformStores;
  readonly passwords: Pick<PasswordHasher, 'hash'>;
  readonly random: Random;
}

export type LoadCounts = Readonly<Record<keyof DataFile, number>>;

export type LoadOutcome =
  | { readonly status: 'loaded'; readonly counts: LoadCounts }
  | { readonly status: 'already_loaded' }
  /** Nothing was written. One `path: rule` for each problem. */
  | { readonly status: 'refused'; readonly problems: readonly string[] };

/**
 * Loads a data file (UTF-8 JSON): an upsert of what it names, which removes nothing and never touches migrated progress.
 * A file with a problem is refused whole, with every problem named; one that was loaded before is skipped. A crash half-way
 * leaves it unmarked, so that the next run writes all of it again.
 */
export async function loadData(bytes: Uint8Array, services: LoadServices): Promise<LoadOutcome> {
  const { platform } = services.stores;
  const fileHash = createHash('sha256').update(bytes).digest('hex');
  if (await platform.isLoaded(fileHash)) return { status: 'already_loaded' };

  const value = parseJson(bytes);
  if (value === undefined) return { status: 'refused', problems: ['the file: must be well-formed JSON in UTF-8'] };
  const { data, problems, references } = parseDataFile(value);
  const facts = await storedFacts(references, services.stores);
  const all = [...problems, ...unmetReferences(references, facts)];
  if (all.length > 0) return { status: 'refused', problems: all };

  await write(data, usersOfProgress(data, facts), services);
  await platform.markLoaded(fileHash);
  const counts = {
    companies: data.companies.length,
    users: data.users.length,
    courses: data.courses.length,
    progress: data.progress.length,
  };
  return { status: 'loaded', counts };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Companies last but for the progress: a company that can be seen has its users and its catalog. */
async function write(
  data: DataFile,
  userIds: ReadonlyMap<string, number>,
  { stores, passwords, random }: LoadServices,
) {
  const hashes = await hashPasswords(
    data.users.flatMap(({ password }) => password ?? []),
    passwords,
  );
  await stores.platform.putUsers(
    data.users.map(({ id, password, ...user }) => {
      const password_hash = password === undefined ? undefined : hashes.get(password);
      return { ...user, user_id: id, ...(password_hash === undefined ? {} : { password_hash }) };
    }),
  );
  for (const [company_id, courses] of byCompany(data)) await stores.platform.putCourses(company_id, courses);
  await stores.platform.putNativeProgress(nativeProgress(data, userIds));
  await stores.platform.putCompanies(
    data.companies.map((company) => ({ ...company, cursor_key: newCursorKey(random) })),
  );
}

function byCompany(data: DataFile): Map<string, Course[]> {
  const courses = new Map<string, Course[]>();
  for (const { company_id, ...course } of data.courses) {
    const known = courses.get(company_id);
    if (known) known.push(course);
    else courses.set(company_id, [course]);
  }
  return courses;
}

type NativeRow = Parameters<PlatformDataStore['putNativeProgress']>[0][number];

function nativeProgress(data: DataFile, userIds: ReadonlyMap<string, number>): NativeRow[] {
  return data.progress.flatMap(({ company_id, email, platform_course_id, ...row }) => {
    const user_id = userIds.get(`${company_id}/${emailKey(email)}`);
    if (user_id === undefined) throw new Error('a progress row was loaded without its user being known');
    const pair: LearnerCourse = { user_id, platform_course_id };
    const progress: Progress = row;
    return [{ company_id, ...pair, progress }];
  });
}

/** 256 bits that authenticate the company's list cursors; the store keeps the key that a company has already. */
function newCursorKey(random: Random): string {
  return Buffer.from(random.hex(32), 'hex').toString('base64url');
}
