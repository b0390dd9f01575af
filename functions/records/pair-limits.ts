import { dominates } from './join.ts';
import { jsonBytes } from './json.ts';
import type { Problem } from '../shared/codes.ts';
import type { Contribution } from '../shared/model.ts';

/** Rule 12: "A pair keeps at most 50 contributions and 300 KB". */
const MAX_CONTRIBUTIONS = 50;
const MAX_BYTES = 300 * 1024;
/** A user and a course can each be named in several ways, so that a few records named alike may be a part of many. */
const RECORDS_NAMED_ALIKE = 10;
/** While a pair's history is shorter than this, nothing of it is replaced: it is there for the audit read. */
const CONTRIBUTIONS_BEFORE_REPLACING = 25;

/** What a pair holds before a record is added. */
export interface PairUsage {
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
  held: PairUsage,
): Problem[] {
  const count = held.contributions - replaced.length + 1;
  const bytes = held.bytes + contributionBytes(contribution);
  if (count <= MAX_CONTRIBUTIONS && bytes <= MAX_BYTES) return [];
  const message = 'external_record_id adds to a user and course that hold 50 records or 300 KB of history already';
  return [{ error_code: 'invalid_record', message, field: 'external_record_id' }];
}

/**
 * Whether records of one batch may fill a pair up by themselves, judged by how they name user and course. They are decided
 * together then, so that each is told what those before it leave.
 */
export function mayFillPair(records: readonly unknown[]): boolean {
  const named = Map.groupBy(records, (raw) => {
    const { user, content } = (raw ?? {}) as { readonly user?: unknown; readonly content?: unknown };
    return JSON.stringify([user, content]);
  });
  return [...named.values()].some((alike) => alike.length > RECORDS_NAMED_ALIKE);
}

/** What a contribution adds to its pair at most: it is stored in a shorter form than JSON. */
export function contributionBytes(contribution: Contribution): number {
  return jsonBytes(contribution);
}
