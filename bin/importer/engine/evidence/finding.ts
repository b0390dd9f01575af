import type { EvidenceCode } from './words.ts';

/**
 * `differs`: something is not what was signed. `changed`: it no longer matches, and something that the service does says why: a
 * revert, an erasure, or a later import of the run.
 */
export type FindingStatus = 'holds' | 'differs' | 'changed' | 'unchecked';

/** One thing that a verification found. */
export interface Finding {
  readonly check: 'signature' | 'imports' | 'counts' | 'results' | 'records';
  readonly status: FindingStatus;
  readonly code: EvidenceCode;
  readonly import_id?: string;
  /** What the sentence of the code is filled with. */
  readonly values: Readonly<Record<string, string | number>>;
}
