/** The plan of a run as it is stored (§4.11): one item, and beside it the list of its dry runs in parts. */
import { storedCreator, userOf, type StoredCreator } from '../auth/creator.ts';
import { map, members, nullable, number, oneOf, text } from '../dynamodb/attributes.ts';
import type { Item } from '../dynamodb/client.ts';
import { runPlanKey, type Key } from '../dynamodb/table.ts';
import { packStepped, unpackStepped, type Stepped } from '../jobs/steps.ts';
import type { Random } from '../runtime/system.ts';
import { PLAN_STATUSES } from '../shared/codes.ts';
import type { PlanIds, RunPlan } from '../shared/model.ts';

/** The phases of an application, as they are stored. A plan is `idle` before it, and `done` afterwards. */
const PHASES = ['idle', 'applying', 'ending', 'done'] as const;
export type PlanPhase = (typeof PHASES)[number];

/** A plan with the steps of its application. `after`: the last import that it accepted. */
export interface RunPlanItem extends Omit<RunPlan, 'applied_by'>, PlanIds, Stepped {
  readonly applied_by: StoredCreator | null;
  readonly phase: PlanPhase;
  /** The ordinal, from 0, of the next dry run that is applied. */
  readonly next: number;
  /** The users who sent its dry runs, who cannot approve it as a second person. Machines are not listed. */
  readonly senders: readonly number[];
}

const LETTERS = 26n;
/** A plan's id has 13 of a–z0–9, and begins with a letter, which no id of an import that was sent does. */
const ID_LENGTH = 13;

/**
 * The id of a new plan. With a place of 13 digits behind it, it is the id of an import.
 *
 * @example
 * newPlanId({ hex: () => '00000000000000000000000000000001' }); // => 'a000000000001'
 */
export function newPlanId(random: Pick<Random, 'hex'>): string {
  const drawn = BigInt(`0x${random.hex(16)}`);
  const others = 36n ** BigInt(ID_LENGTH - 1);
  const first = 'a'.charCodeAt(0) + Number((drawn / others) % LETTERS);
  return String.fromCharCode(first) + (drawn % others).toString(36).padStart(ID_LENGTH - 1, '0');
}

/** The attributes of a plan that its steps change, and those that they do not. */
export function packPlan(plan: RunPlanItem): Item {
  const { phase, until, after, due_at, owes, resends, version, senders, company_id: _, plan_id: _plan, ...rest } = plan;
  return { ...rest, senders: JSON.stringify(senders) };
}

export const planItemOf = (plan: RunPlanItem): Key & Item => ({
  ...runPlanKey(plan),
  ...packPlan(plan),
  ...packStepped(plan),
});

const COUNTS = {
  imports: number,
  total: number,
  applied: number,
  updated: number,
  unchanged: number,
  failed: number,
  archived: number,
  with_warnings: number,
};

const MEMBERS = {
  run_id: text,
  status: oneOf(PLAN_STATUSES),
  plan_digest: text,
  created_at: text,
  created_by: nullable(number),
  expires_at: text,
  approved_at: nullable(text),
  approved_by: nullable(number),
  comment: nullable(text),
  applied_by: nullable(storedCreator),
  applied_at: nullable(text),
  cancelled_at: nullable(text),
  phase: oneOf(PHASES),
  next: number,
};

/** Reads a stored plan. */
export function unpackPlan({ company_id, plan_id }: PlanIds, item: Item): RunPlanItem {
  return {
    company_id,
    plan_id,
    ...unpackStepped(item),
    ...members(item, MEMBERS),
    counts: members(map(item, 'counts'), COUNTS),
    ...(item['erased'] === true && { erased: true }),
    senders: packedNumbers(item, 'senders'),
  };
}

function packedNumbers(item: Item, name: string): number[] {
  return (JSON.parse(text(item, name)) as unknown[]).map(Number);
}

/** The plan as its operations return it at this time. Nobody stores that it expired. */
export function shownPlan(plan: RunPlanItem, nowMs: number): RunPlan {
  const { plan_id, run_id, plan_digest, counts, created_at, created_by, expires_at } = plan;
  const { approved_at, approved_by, comment, applied_at, cancelled_at, erased } = plan;
  const applied_by = appliedBy(plan);
  const status = hasExpired(plan, nowMs) ? 'expired' : plan.status;
  const made = { plan_id, run_id, status, plan_digest, counts, created_at, created_by, expires_at };
  const since = { approved_at, approved_by, comment, applied_by, applied_at, cancelled_at };
  return { ...made, ...since, ...(erased === true && { erased }) };
}

/** The user who applied the plan; `null` if nobody did, or a machine. */
export const appliedBy = ({ applied_by }: Pick<RunPlanItem, 'applied_by'>): number | null =>
  applied_by === null ? null : userOf(applied_by);

type Expiring = Pick<RunPlanItem, 'status' | 'expires_at'>;

/** Nobody has applied or withdrawn the plan. */
export const isUndecided = ({ status }: Pick<RunPlanItem, 'status'>): boolean =>
  status === 'waiting' || status === 'approved';

/** A plan that nobody applied in time. */
export const hasExpired = (plan: Expiring, nowMs: number): boolean =>
  isUndecided(plan) && nowMs >= Date.parse(plan.expires_at);

/** A plan that can still be approved, applied, or replaced by the same one. */
export const isOpenPlan = (plan: Expiring, nowMs: number): boolean => isUndecided(plan) && !hasExpired(plan, nowMs);
