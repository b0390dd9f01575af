/** Loads a data file into the stores: what a sandbox has instead of a platform. */
import { createHash } from 'node:crypto';
import { hashPasswords } from '../auth/passwords.ts';
import type { PasswordHasher } from '../auth/passwords.ts';
import { storedFacts, unmetReferences, usersOfProgress } from './data-file-references.ts';
import type { PlatformStores } from './data-file-references.ts';
import type { DataFile } from './data-file-schema.ts';
import { parseDataFile } from './data-file.ts';
import type { NativeRow } from './platform-data-store.ts';
import { emailKey } from '../records/identifiers.ts';
import type { Random } from '../runtime/system.ts';
import type { Course } from '../shared/model.ts';

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
 * A file with a problem is refused whole, with every problem named; a file that was loaded before is skipped. After a crash
 * half-way the next run writes all of it again.
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

/** Companies come last: a company that can be seen has its users, its catalog and its progress. */
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

function byCompany({ courses }: DataFile): Map<string, Course[]> {
  const groups = Map.groupBy(courses, ({ company_id }) => company_id);
  return new Map([...groups].map(([id, rows]) => [id, rows.map(({ company_id, ...course }) => course)]));
}

function nativeProgress(data: DataFile, userIds: ReadonlyMap<string, number>): NativeRow[] {
  return data.progress.map(({ company_id, email, platform_course_id, ...row }) => {
    const user_id = userIds.get(`${company_id}/${emailKey(email)}`);
    if (user_id === undefined) throw new Error('A progress row has no known user.');
    return { company_id, user_id, platform_course_id, progress: row };
  });
}

/** 256 bits that authenticate the company's list cursors; the store keeps the key of a stored company. */
function newCursorKey(random: Random): string {
  return Buffer.from(random.hex(32), 'hex').toString('base64url');
}
