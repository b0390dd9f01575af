import type { Problem } from './codes.ts';
import { dominates } from './join.ts';
import { jsonBytes } from './json-bytes.ts';
import type { Contribution } from './model.ts';

/** Rule 12: "A pair keeps at most 50 contributions and 300 KB". */
const MAX_CONTRIBUTIONS = 50;
const MAX_BYTES = 300 * 1024;
/** While a pair's history is shorter than this, nothing of it is replaced: it is there for the audit read. */
const CONTRIBUTIONS_BEFORE_REPLACING = 25;

/** What a pair holds before a record is added. */
export interface Held {
  readonly contributions: number;
  readonly bytes: number;
}

/** Earlier contributions of the same record that a new one makes superfluous. */
export function replacedBy(contribution: Contribution, held: readonly Contribution[]): readonly Contribution[] {
  if (held.length < CONTRIBUTIONS_BEFORE_REPLACING) return [];
  return held.filter(
    (older) => older.external_record_id === contribution.external_record_id && dominates(contribution, older),
  );
}

/** Past its limits a pair takes no more: one record is the full history of one pair, so something is wrong upstream. */
export function pairLimitProblems(
  contribution: Contribution,
  replaced: readonly Contribution[],
  held: Held,
): Problem[] {
  const count = held.contributions - replaced.length + 1;
  const bytes = held.bytes + contributionBytes(contribution);
  if (count <= MAX_CONTRIBUTIONS && bytes <= MAX_BYTES) return [];
  const message = 'external_record_id adds to a user and course that hold 50 records or 300 KB of history already';
  return [{ error_code: 'invalid_record', message, field: 'external_record_id' }];
}

/** What a contribution adds to its pair at most: it is stored in a shorter form than JSON. */
export function contributionBytes(contribution: Contribution): number {
  return jsonBytes(contribution);
}
