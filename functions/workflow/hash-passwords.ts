import type { PasswordHasher } from './passwords.ts';

/** Hashes at work at the same time; each takes tens of megabytes. */
const PARALLEL = 4;

/** Hashes each distinct password once: a sandbox whose thousand learners share a sample password loads in seconds. */
export async function hashPasswords(
  passwords: readonly string[],
  hasher: Pick<PasswordHasher, 'hash'>,
): Promise<Map<string, string>> {
  const waiting = new Set(passwords).values();
  const hashes = new Map<string, string>();
  const worker = async () => {
    for (const password of waiting) hashes.set(password, await hasher.hash(password));
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return hashes;
}
