import { createHash } from 'node:crypto';

/** Everything that makes a chunk this chunk: with all of it equal, sending it again must find the first import. */
export interface ChunkIdentity {
  readonly company_id: string;
  /** Of a dry run the id of the run: a dry run made anew must look anew. Of an import its `--attempt`. */
  readonly run: string;
  readonly dry_run: boolean;
  /** SHA-256 of the file. */
  readonly file: string;
  /** SHA-256 of the mapping. */
  readonly mapping: string;
  /** Position in the file. */
  readonly index: number;
  /** SHA-256 of its records. */
  readonly digest: string;
}

/** The Idempotency-Key of a chunk: derived, never stored, so that any machine that runs the same command sends the same. */
export function chunkKey({ company_id, run, dry_run, file, mapping, index, digest }: ChunkIdentity): string {
  const parts = [company_id, run, dry_run, file, mapping, index, digest];
  return `cpm-${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`;
}
