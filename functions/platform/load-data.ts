import { createHash } from 'node:crypto';
import { applyFacts } from './apply-facts.ts';
import { parseDataFile, type DataFile } from './data-file.ts';
import type { Fact, FactServices } from './facts.ts';
import { loadedUser, type LoadedFile, type LoadedFileStore, type LoadedKey } from './loaded-file-store.ts';
import { emailKey } from '../records/identifiers.ts';

interface LoadProgress {
  readonly step: 'deleting' | 'applying';
  readonly done: number;
  readonly of: number;
}

export interface LoadServices extends FactServices {
  /** Called at the start of each step, and after every 500 facts of it. */
  readonly onProgress?: (progress: LoadProgress) => void;
  readonly stores: FactServices['stores'] & { readonly loadedFile: LoadedFileStore };
}

type LoadCounts = Readonly<Record<keyof DataFile | 'deleted', number>>;

type LoadOutcome =
  | { readonly status: 'loaded'; readonly counts: LoadCounts }
  | { readonly status: 'already_loaded' }
  /** Nothing was written. One `path: rule` for each problem. */
  | { readonly status: 'refused'; readonly problems: readonly string[] };

/**
 * Applies the rows of a data file, and deletes what only the former file has. One with a problem is refused whole; the file loaded
 * last is skipped. After a crash the next load repairs the data.
 */
export async function loadData(bytes: Uint8Array, services: LoadServices): Promise<LoadOutcome> {
  const { loadedFile } = services.stores;
  const file_hash = createHash('sha256').update(bytes).digest('hex');
  const former = await loadedFile.read();
  if (former.file_hash === file_hash) return { status: 'already_loaded' };

  const value = parseJson(bytes);
  if (value === undefined) return { status: 'refused', problems: ['the file: must be well-formed JSON in UTF-8'] };
  const parsed = parseDataFile(value);
  const { data } = parsed;
  const problems =
    parsed.problems.length > 0 ? parsed.problems : await takenAddresses(data, former, services.stores.platform);
  if (problems.length > 0) return { status: 'refused', problems };

  // The deletions come first, with a version of their own: an address may pass from one user to another.
  // Each step has two of four: a write that the database repeated, because its response was lost, meets its own version.
  const version = Math.max(services.clock.nowMs(), former.version + 4);
  const named = keyed(data, version + 2);
  const dropped = former.keys.filter((key) => !named.has(textOf(key)));
  const keys = [...named.values()].map(({ key }) => key);
  await loadedFile.remember({ version, keys: [...keys, ...dropped] });
  const deletions = dropped.map((key) => deletionOf(key, version));
  const facts = [...named.values()].map(({ fact }) => fact);
  await applyAll('deleting', deletions, services);
  await applyAll('applying', facts, services);
  await loadedFile.remember({ version: version + 3, keys, file_hash });
  return { status: 'loaded', counts: { ...countsOf(data), deleted: dropped.length } };
}

const textOf = (key: LoadedKey): string => JSON.stringify(key);

/** Names every address that the platform has given to another user; those of the former file alone are deleted. */
async function takenAddresses(
  { users }: DataFile,
  former: LoadedFile,
  platform: FactServices['stores']['platform'],
): Promise<string[]> {
  const owners = await platform.ownersOf(users.map(({ email }) => emailKey(email)));
  const deleted = new Set(former.keys.map(textOf));
  return users.flatMap(({ company_id, id, email }, index) => {
    const owner = owners.get(emailKey(email));
    if (owner === undefined || (owner.company_id === company_id && owner.user_id === id)) return [];
    if (deleted.has(textOf(loadedUser(owner.company_id, owner.user_id, email)))) return [];
    return [`users.${index}.email: belongs to another user of the stack`];
  });
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

const countsOf = ({ companies, users, courses, progress, clients }: DataFile) => ({
  clients: clients.length,
  companies: companies.length,
  users: users.length,
  courses: courses.length,
  progress: progress.length,
});

const FACTS_SHOWN = 500;

/** File versions are timestamps in ms; the intake may have stored higher ones. */
async function applyAll(
  step: LoadProgress['step'],
  facts: readonly Fact[],
  { onProgress, ...services }: LoadServices,
): Promise<void> {
  if (facts.length === 0) return;
  let done = 0;
  const show = () => onProgress?.({ step, done, of: facts.length });
  show();
  const refusedOf = async (some: readonly Fact[]): Promise<Fact[]> => {
    const outcomes = await applyFacts(some, services, () => {
      done += 1;
      if (done % FACTS_SHOWN === 0) show();
    });
    return some.filter((_, at) => outcomes[at]?.status !== 'applied');
  };
  const again = await refusedOf(facts);
  const refused = again.length === 0 ? [] : await refusedOf(again.map(withNextVersion));
  if (refused.length === 0) return;
  const kinds = [...new Set(refused.map(({ kind }) => kind))].join(', ');
  throw new Error(
    `${refused.length} facts of the data file (${kinds}) could not be applied: the intake was given the same entities, or an address of theirs, with a higher version.`,
  );
}

const withNextVersion = (fact: Fact): Fact => ('version' in fact ? { ...fact, version: fact.version + 1 } : fact);

function keyed({ companies, courses, users, progress, clients }: DataFile, version: number) {
  const userIds = new Map(users.map(({ company_id, email, id }) => [`${company_id}/${emailKey(email)}`, id]));
  const rows: { readonly key: LoadedKey; readonly fact: Fact }[] = [
    ...users.map((row) => ({
      key: loadedUser(row.company_id, row.id, row.email),
      fact: { kind: 'user', version, of: row, row } as const,
    })),
    ...courses.map((row) => ({
      key: ['course', row.company_id, row.platform_course_id] as const,
      fact: { kind: 'course', version, of: row, row } as const,
    })),
    ...progress.map(({ email, ...row }) => {
      const user_id = userIds.get(`${row.company_id}/${emailKey(email)}`);
      if (user_id === undefined) throw new Error('A progress row has no known user.');
      const of = { company_id: row.company_id, user_id, platform_course_id: row.platform_course_id };
      return {
        key: ['progress', of.company_id, user_id, of.platform_course_id] as const,
        fact: { kind: 'progress', version, of, row: { ...row, user_id } } as const,
      };
    }),
    ...clients.map((row) => ({
      key: ['client', row.company_id, row.client_id] as const,
      fact: { kind: 'client', version, of: { company_id: row.company_id, client_id: row.client_id }, row } as const,
    })),
    ...companies.map((row) => ({
      key: ['company', row.company_id] as const,
      fact: { kind: 'company', version, of: row, row } as const,
    })),
  ];
  return new Map(rows.map((row) => [textOf(row.key), row]));
}

function deletionOf(key: LoadedKey, version: number): Fact {
  const [kind, company_id, id] = key;
  if (kind === 'company') return { kind, version, of: { company_id } };
  if (kind === 'client') return { kind, version, of: { company_id, client_id: id } };
  if (kind === 'course') return { kind, version, of: { company_id, platform_course_id: id } };
  if (kind === 'user') return { kind, version, of: { company_id, id } };
  return { kind, version, of: { company_id, user_id: id, platform_course_id: key[3] } };
}
