/** A plan as it is stored, for tests of stores. */
import type { RunPlanItem } from '../../functions/plans/plan-item.ts';

/** A plan of a run of `acme` that waits. */
export const waitingPlan = (plan_id: string, run_id = 'run'): RunPlanItem => ({
  company_id: 'acme',
  run_id,
  plan_id,
  status: 'waiting',
  plan_digest: '0'.repeat(64),
  counts: { imports: 1, total: 1, applied: 1, updated: 0, unchanged: 0, failed: 0, archived: 0, with_warnings: 0 },
  created_at: '2026-01-02T03:04:05.678Z',
  created_by: 1,
  expires_at: '2026-02-01T03:04:05.678Z',
  approved_at: null,
  approved_by: null,
  comment: null,
  applied_by: null,
  applied_at: null,
  cancelled_at: null,
  senders: [1],
  phase: 'idle',
  next: 0,
  resends: 0,
  version: 0,
});
