/** The data file as it is deployed: no password in it, because an asset is kept for good and many may read it. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { scryptPasswords } from '../../functions/auth/passwords.ts';
import { parseDataFile } from '../../functions/platform/data-file.ts';
import type { UserRow } from '../../functions/platform/rows.ts';
import { inParallel } from '../../functions/runtime/batching.ts';
import { secureRandom } from '../../functions/runtime/system.ts';
import { SAMPLE } from '../../lib/sandbox/sample.ts';

/** Where hashes of generated passwords are kept, so that the next synthesis finds them. Git ignores it. */
const KEPT = resolve(import.meta.dirname, '../..', '.sandbox');

/**
 * The rows of a data file with hashes for passwords, strong ones, because an asset is kept for good. The same file gives the same
 * bytes: a password's salt comes from the stack and its first user. @throws Error with every problem of the file, one per line
 */
export async function deployableFile(
  bytes: Uint8Array,
  stack: string,
  onHashed: (done: number, of: number) => void = () => {},
): Promise<Uint8Array> {
  const { data, problems } = parseDataFile(parsed(bytes));
  if (problems.length > 0) throw new Error(['The data file breaks its rules:', ...problems].join('\n'));
  // The first user with a password comes last here, and so gives the seed.
  const seeds = new Map(
    data.users.toReversed().map((user) => [user.password, JSON.stringify([stack, user.company_id, user.email])]),
  );
  seeds.delete(undefined);
  const hashes = new Map<string | undefined, string>();
  await inParallel([...seeds], availableParallelism(), async ([password = '', seed]) => {
    const hex = () => createHash('sha256').update(seed).digest('hex').slice(0, 32);
    hashes.set(password, await scryptPasswords({ ...secureRandom, hex }).hash(password));
    onHashed(hashes.size, seeds.size);
  });
  const users = data.users.map(({ password, ...user }): UserRow => {
    const password_hash = hashes.get(password);
    return password_hash === undefined ? user : { ...user, password_hash };
  });
  return Buffer.from(JSON.stringify({ ...data, users }));
}

/** The sample with a password of this stack's own, shown once; delete the file of its hash to have another. */
export async function sampleFile(
  stack: string,
  show: (email: string, password: string) => void,
  kept = KEPT,
): Promise<Uint8Array> {
  const file = join(kept, `${stack}.json`);
  const sample = parsed(await readFile(SAMPLE)) as { users: (UserRow & { password?: string })[] };
  const admin = sample.users.find(({ role }) => role === 'admin')?.email ?? '';
  const known = await readFile(file, 'utf8').catch(() => undefined);
  const password_hash =
    known === undefined ? await generated() : (JSON.parse(known) as { password_hash: string }).password_hash;
  const users = sample.users.map(({ password, ...user }) =>
    password === undefined ? user : { ...user, password_hash },
  );
  return Buffer.from(JSON.stringify({ ...sample, users }));

  async function generated(): Promise<string> {
    const password = Buffer.from(secureRandom.hex(15), 'hex').toString('base64url');
    const hash = await scryptPasswords(secureRandom).hash(password);
    await mkdir(kept, { recursive: true, mode: 0o700 });
    await writeFile(file, `${JSON.stringify({ password_hash: hash })}\n`, { mode: 0o600 });
    show(admin, password);
    return hash;
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Error('The data file must be well-formed JSON in UTF-8.');
  }
}
