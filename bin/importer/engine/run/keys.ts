/** Keys are derived, not stored: any machine sends the same imports. A changed byte makes interrupted runs resend. */
import { Digest, sha256Hex } from '../ground/digest.ts';
import { stemOf } from '../read/bytes.ts';

/** If all are equal, sending the batch again finds the first import. `file`, `mapping` and `digest` are SHA-256. */
export interface ChunkIdentity {
  readonly company_id: string;
  /** See `Pass`. */
  readonly attempt: string;
  readonly run_id: string | null;
  readonly dry_run: boolean;
  readonly file: string;
  readonly mapping: string;
  /** Position in the file. */
  readonly index: number;
  readonly digest: string;
}

/** The Idempotency-Key of a batch of a file. */
export function chunkKey(identity: ChunkIdentity): string {
  const { company_id, attempt, run_id, dry_run, file, mapping, index, digest } = identity;
  return `cpm-${hashOf([company_id, attempt, run_id, dry_run, file, mapping, index, digest])}`;
}

/** The Idempotency-Key of a batch of a call. @param key of the caller */
export const callKey = (key: string, digest: string, position: number, run_id: string | null): string =>
  `${key}-${hashOf([digest, String(position), run_id ?? '']).slice(0, 40)}`;

const hashOf = (parts: readonly unknown[]): string => new Digest().update(JSON.stringify(parts)).base64url();

interface IdentifiedFile {
  readonly file: { readonly path: string; readonly hash: string };
  readonly mappingHash: string;
}

const hashesOf = (files: readonly IdentifiedFile[]): string[][] =>
  files.map(({ file, mappingHash }) => [file.hash, mappingHash]);

/** `history-1f2e3d4c`: the run of these files, named after the first. */
export function runName(files: readonly IdentifiedFile[], company_id: string, attempt: number): string {
  const hash = sha256Hex(JSON.stringify([company_id, hashesOf(files), attempt]));
  const words = stemOf(files[0]?.file.path ?? '').match(/[\p{L}\p{N}]+/gu) ?? ['import'];
  return `${words.join('-').slice(0, 60).toWellFormed()}-${hash.slice(0, 8)}`;
}

export function journalName(
  files: readonly IdentifiedFile[],
  service: { readonly base_url: string; readonly company_id: string },
  attempt: number | string,
): string {
  const hashes = hashesOf(files);
  // One file is identified as it always was, so that a run of an earlier version resumes.
  const identity = hashes.length === 1 ? (hashes[0] ?? []) : [sha256Hex(JSON.stringify(hashes)), ''];
  return sha256Hex(JSON.stringify([service.base_url, service.company_id, ...identity, String(attempt)])).slice(0, 32);
}
