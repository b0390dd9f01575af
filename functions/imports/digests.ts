/** The digests of what an import was sent and what became of it (§4.10), made once, when it ends. */
import { createHash } from 'node:crypto';
import { readResults } from './results.ts';
import { canonicalJson } from '../records/canonical.ts';
import type { Digests, ImportItem } from '../shared/model.ts';

/**
 * SHA-256, in hexadecimal, of these values: each as canonical JSON and a line feed.
 *
 * @example
 * digestOf([]); // => 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
 */
export function digestOf(values: Iterable<unknown>): string {
  const hash = createHash('sha256');
  for (const value of values) hash.update(`${canonicalJson(value)}\n`);
  return hash.digest('hex');
}

/**
 * The digests of an import whose chunks are all done: of its results as `runs/{run_id}/records` lists them, and of its records as
 * `include=record` shows them. None for an import that is part of no run: evidence is of runs.
 */
export async function digestsOf(
  item: ImportItem,
  services: Parameters<typeof readResults>[1],
): Promise<Digests | undefined> {
  const reported = item.run_id === null ? undefined : await readResults(item, services);
  if (reported === undefined) return undefined;
  const { import_id } = item;
  return {
    records_digest: digestOf(reported.map(({ record }) => record ?? null)),
    results_digest: digestOf(reported.map(({ result }) => ({ import_id, ...result }))),
  };
}
