/** Keys are derived from the attempt and the batch, so that an interrupted run sends the same ones. A changed byte makes it resend. */
import { Digest, sha256Hex } from '../ground/digest.ts';
import { stemOf } from '../read/bytes.ts';

/** If all are equal, sending the batch again finds the first dry run. `file`, `mapping` and `digest` are SHA-256. */
export interface ChunkIdentity {
  readonly company_id: string;
  /** See `Pass`. */
  readonly attempt: string;
  readonly run_id: string | null;
  readonly file: string;
  readonly mapping: string;
  /** Position in the file. */
  readonly index: number;
  readonly digest: string;
}

/** The Idempotency-Key of a batch of a file. */
export function chunkKey(identity: ChunkIdentity): string {
  const { company_id, attempt, run_id, file, mapping, index, digest } = identity;
  return `cpm-${hashOf([company_id, attempt, run_id, file, mapping, index, digest])}`;
}

/** The Idempotency-Key of a batch of a call. @param key of the caller */
export const callKey = (key: string, digest: string, position: number, run_id: string | null): string =>
  `${key}-${hashOf([digest, String(position), run_id ?? '']).slice(0, 40)}`;

const hashOf = (parts: readonly unknown[]): string => new Digest().update(JSON.stringify(parts)).base64url();

interface IdentifiedFile {
  readonly file: { readonly path: string; readonly hash: string };
  readonly mappingHash: string;
}

/** `history-1f2e3d4c`: the run of an attempt at files, named after the first. */
export function runName(files: readonly IdentifiedFile[], attempt: string): string {
  const words = stemOf(files[0]?.file.path ?? '').match(/[\p{L}\p{N}]+/gu) ?? ['import'];
  return `${words.join('-').slice(0, 60).toWellFormed()}-${sha256Hex(attempt).slice(0, 8)}`;
}

/** By what a file of the same form is known again (§4.11): the names of its columns. */
export function shapeOf(sources: readonly { readonly columns: readonly string[] }[]): string {
  const columns = sources.map((source) => JSON.stringify(source.columns));
  return sha256Hex([...new Set(columns)].toSorted().join('\n'));
}

/** @param sent one that replaces is not resumed by one that does not */
export function journalName(
  files: readonly IdentifiedFile[],
  { base_url, company_id }: { readonly base_url: string; readonly company_id: string },
  { replace = false }: { readonly replace?: boolean | undefined } = {},
): string {
  const hashes = files.map(({ file, mappingHash }) => [file.hash, mappingHash]);
  return sha256Hex(JSON.stringify([base_url, company_id, hashes, replace])).slice(0, 32);
}
