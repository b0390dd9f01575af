/** Who may approve a plan, and what is imported without an approval: people, points and settings. Costs a second. */
import { describe, expect, it } from 'vitest';
import { handler as approvePlan } from '../../functions/handlers/approve-plan.ts';
import { handler as startImport } from '../../functions/handlers/start-import.ts';
import { failureOf } from '../../functions/http/response.ts';
import { mayBeApplied, type Approval } from '../../functions/plans/approval.ts';
import { instant } from '../../functions/records/instants.ts';
import { saveRun } from '../../functions/runs/draft.ts';
import { operationRequest, withBody } from '../kit/api-event.ts';
import { createWorld } from '../kit/world.ts';
import { waitingPlan } from '../plans/plans.ts';

const MAKER = 1;
const SENDER = 2;
const ANOTHER = 3;
const RUN = { company_id: 'acme', run_id: 'run' };
const PLAN = { ...waitingPlan('a000000000000'), senders: [MAKER, SENDER] };

async function planned(made: object = {}) {
  const { services, stores, clock } = createWorld();
  await saveRun(RUN, { decisions: {}, by: MAKER, expected: () => true }, services);
  const plan = { ...PLAN, ...made };
  await stores.plans.make(plan, [], undefined);
  const approve = async (user_id: number, approval: Approval, body: object = {}) => {
    const caller = { company: { company_id: 'acme' }, user: { user_id } };
    const sent = withBody({ plan_digest: plan.plan_digest, ...body });
    const request = { caller, path: { run_id: 'run' }, query: {}, parameters: [], ...sent } as never;
    const outcome = approvePlan.operation(request, { ...services, approval });
    return outcome.then(
      ({ body: shown }) => shown as { status: string },
      (error: unknown) => ({ status: failureOf(error).problem.error_code }),
    );
  };
  const read = async () => stores.plans.read(plan);
  return { services, stores, clock, plan, approve, read };
}

describe.each([
  ['whoever made the plan', MAKER, PLAN, 'approval_by_another'],
  ['whoever sent a dry run of it', SENDER, PLAN, 'approval_by_another'],
  ['another person', ANOTHER, PLAN, 'approved'],
  ['anyone, of what a machine made', MAKER, { ...PLAN, created_by: null, senders: [] }, 'approved'],
] as const)('%s', (_, user_id, made, whereSecond) => {
  it.each([
    ['none', 'approved'],
    ['second', whereSecond],
  ] as const)('with the setting %s: %s', async (approval, expected) => {
    const { approve, read } = await planned(made);
    expect(await approve(user_id, approval)).toMatchObject({ status: expected });
    expect((await read())?.status).toBe(expected === 'approved' ? 'approved' : 'waiting');
  });

  it('the setting is asked again when the plan is applied', async () => {
    const { approve, read, plan } = await planned(made);
    expect([mayBeApplied(plan, 'none'), mayBeApplied(plan, 'second')]).toEqual([true, false]);
    await approve(user_id, 'none');
    const approved = await read();
    expect(approved && mayBeApplied(approved, 'second')).toBe(whereSecond === 'approved');
    expect(approved && mayBeApplied(approved, 'none')).toBe(true);
  });
});

describe('an approval', () => {
  it('is kept with who gave it, when, and why, and another one replaces it', async () => {
    const { approve, read, clock } = await planned();
    await approve(MAKER, 'none', { comment: 'Mine' });
    expect(await read()).toMatchObject({ approved_by: MAKER, comment: 'Mine', approved_at: instant(clock.now) });
    expect(await approve(ANOTHER, 'second')).toMatchObject({ status: 'approved' });
    expect(await read()).toMatchObject({
      approved_by: ANOTHER,
      comment: null,
      owes: expect.arrayContaining(['Plan Approved']),
    });
  });

  it.each([
    ['another digest', {}, { plan_digest: 'f'.repeat(64) }, 'plan_digest_differs'],
    ['a plan that is applying', { status: 'applying' }, {}, 'plan_closed'],
    ['a plan that was withdrawn', { status: 'withdrawn' }, {}, 'plan_closed'],
    ['a plan that expired', { expires_at: '2026-01-02T03:04:05.678Z' }, {}, 'plan_closed'],
  ])('of %s is refused', async (_, made, body, code) => {
    const { approve } = await planned(made);
    expect(await approve(ANOTHER, 'second', body)).toEqual({ status: code });
  });
});

describe('a single import', () => {
  const send = async (approval: Approval, dry_run: boolean) => {
    const { services } = createWorld();
    const caller = { company: { company_id: 'acme' }, user: { user_id: MAKER } };
    const request = operationRequest({ caller, ...withBody({ dry_run, records: [{}] }) } as never);
    return startImport.operation(request as never, { ...services, approval }).then(
      ({ statusCode }) => statusCode,
      (error: unknown) => failureOf(error).problem.error_code,
    );
  };

  it.each([
    ['none', true, 200],
    ['none', false, 202],
    ['second', true, 200],
    ['second', false, 'approval_required'],
  ] as const)('with the setting %s, dry_run %s: %s', async (approval, dry_run, expected) => {
    expect(await send(approval, dry_run)).toBe(expected);
  });
});
