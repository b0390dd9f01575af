/** Rejected records of which no user was found: what may name a person in them is stored apart, because it is kept for less time. */
import { errorResult } from './result.ts';
import { DETAILS_DAYS, MAX_PROBLEMS_PER_RECORD } from '../shared/limits.ts';
import type { Plan, PlannedRecord, RecordErrorCode } from '../shared/model.ts';

/** Records as sent, with their full decisions, by position in the chunk. */
export type Nameless = Readonly<Record<number, { readonly record: unknown; readonly planned: PlannedRecord }>>;

/** Rejected for these reasons, a record has no user, or none was looked for. */
const NOBODY_FOUND: ReadonlySet<RecordErrorCode> = new Set([
  'user_not_found',
  'external_user_id_not_mapped',
  'duplicate_external_record_id',
  'import_cancelled',
  'processing_failed',
]);

const isOfUser = (field: string | undefined): boolean => field === undefined || /^user(?:\.|$)/.test(field);

/** Whether a record was rejected without a user: else no problem is about `user`. Unknown if there are too many. */
export function isNameless({ result: { status, errors, erased } }: PlannedRecord): boolean {
  if (status !== 'error' || erased === true) return false;
  return (
    errors.length >= MAX_PROBLEMS_PER_RECORD ||
    errors.some(
      ({ error_code, field }) => NOBODY_FOUND.has(error_code) || (error_code === 'invalid_record' && isOfUser(field)),
    )
  );
}

const DETAILS_EXPIRED = `What was sent, and this problem in full, were kept for ${DETAILS_DAYS} days.`;

function withoutDetails({ result }: PlannedRecord): PlannedRecord {
  const errors = result.errors.map(({ error_code, field }) => ({
    error_code,
    message: DETAILS_EXPIRED,
    ...(field !== undefined && { field }),
  }));
  return { result: { ...errorResult(result, errors), ...(result.archived && { archived: true }) } };
}

/** The short-lived part of a plan, if any. */
export function namelessIn({ records, planned }: Plan): Nameless | undefined {
  const found = planned.flatMap((each, offset) =>
    isNameless(each) ? [[offset, { record: records[offset], planned: each }] as const] : [],
  );
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** The plan without what is stored apart. A record that is not stored there stays in the plan. */
export function dividedPlan(plan: Plan, stored: Nameless): Plan {
  const apart = plan.planned.flatMap((each, offset) => (isNameless(each) && offset in stored ? [offset] : []));
  return apart.length === 0 ? plan : withoutApart({ ...plan, apart });
}

/** A plan that was joined, as it is stored. */
export function withoutApart({ apart, ...plan }: Plan): Plan {
  const left = apart?.filter((offset) => plan.planned[offset]?.result.erased !== true) ?? [];
  if (left.length === 0) return plan;
  return {
    ...plan,
    records: plan.records.map((record, offset) => (left.includes(offset) ? null : record)),
    planned: plan.planned.map((each, offset) => (left.includes(offset) ? withoutDetails(each) : each)),
    apart: left,
  };
}

/** The plan with what is stored apart. Harmless to repeat. */
export function joinedPlan(plan: Plan, stored: Nameless = {}): Plan {
  const isApart = (offset: number) => plan.apart?.includes(offset) === true && stored[offset] !== undefined;
  return {
    ...plan,
    records: plan.records.map((record, offset) => (isApart(offset) ? stored[offset]?.record : record)),
    planned: plan.planned.map((each, offset) => (isApart(offset) ? (stored[offset]?.planned ?? each) : each)),
  };
}

/** What is stored apart without these records; `undefined` if none of them is there. */
export function namelessWithout(
  stored: Nameless,
  isTheirs: (record: unknown, planned: PlannedRecord, offset: number) => boolean,
): Nameless | undefined {
  const all = Object.entries(stored);
  const kept = all.filter(([offset, { record, planned }]) => !isTheirs(record, planned, Number(offset)));
  return kept.length === all.length ? undefined : Object.fromEntries(kept);
}
