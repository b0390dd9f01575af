/** How much one learner course may grow (rule 12): one record is the whole history of a user in a course. */
import { dominates } from './join.ts';
import { isObject, jsonBytes } from './json.ts';
import { invalid } from './problems.ts';
import type { Problem } from '../shared/codes.ts';
import { LEARNER_COURSE_LIMITS } from '../shared/limits.ts';
import type { Contribution } from '../shared/model.ts';

/** The same user and course can be named by different identifiers, so 10 identical-looking records may be part of a larger group. */
const RECORDS_NAMED_ALIKE = 10;
/** While the history is shorter than this, nothing of it is replaced: the audit read shows all of it. */
const CONTRIBUTIONS_BEFORE_REPLACING = 25;

/** How much a learner course already has when a record is added. */
export interface PairUsage {
  readonly contributions: number;
  readonly bytes: number;
}

/** Earlier contributions of the same record that a new one makes superfluous. */
export function replacedBy(contribution: Contribution, stored: readonly Contribution[]): readonly Contribution[] {
  if (stored.length < CONTRIBUTIONS_BEFORE_REPLACING) return [];
  return stored.filter(
    (older) => older.external_record_id === contribution.external_record_id && dominates(contribution, older),
  );
}

/** Past the limits a record is rejected: so many records of one user in one course mean that something is wrong upstream. */
export function pairLimitProblems(
  contribution: Contribution,
  replaced: readonly Contribution[],
  usage: PairUsage,
): Problem[] {
  const count = usage.contributions - replaced.length + 1;
  const bytes = usage.bytes + contributionBytes(contribution);
  if (count <= LEARNER_COURSE_LIMITS.contributions && bytes <= LEARNER_COURSE_LIMITS.bytes) return [];
  return [invalid('external_record_id', 'adds to a user and course that already have 50 records or 300 KB of history')];
}

/**
 * Whether records of one batch may reach the limits by themselves, going by how they name user and course. They are then
 * decided together, so that each is decided with the space that the records before it leave.
 */
export function mayFillPair(records: readonly unknown[]): boolean {
  const named = Map.groupBy(records, (raw) => {
    const { user, content } = membersOf(raw);
    const { email, external_user_id } = membersOf(user);
    const { platform_course_id, external_course_id } = membersOf(content);
    return [email, external_user_id, platform_course_id, external_course_id].map(nameOf).join('\n');
  });
  return [...named.values()].some((alike) => alike.length > RECORDS_NAMED_ALIKE);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** What cannot be a name counts as none: records that are grouped without need are only decided together. */
function nameOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The most that a contribution adds to the stored size: it is stored in a shorter form than JSON. */
export function contributionBytes(contribution: Contribution): number {
  return jsonBytes(contribution);
}
