/** What is found where evidence is verified, and what evidence cannot show. */
import { type Said, say } from '../ground/codes.ts';

/** `changed`: no longer what was signed, and a revert, an erasure or a later import of the run says why. */
export type FindingStatus = 'holds' | 'differs' | 'changed' | 'unchecked';

/** The outcome of one check. */
export interface Finding {
  readonly check: 'signature' | 'imports' | 'counts' | 'results' | 'records';
  readonly status: FindingStatus;
  readonly said: Said;
  readonly import_id?: string;
}

/** What evidence cannot show, whatever holds. */
export const EVIDENCE_LIMITS: readonly Said[] = [
  say('limit_of_service', {}),
  say('limit_of_statement', {}),
  say('limit_of_day', {}),
  say('limit_of_key', {}),
];
