/** What an approval keeps, and which plans it refuses; `test/plans/approval.test.ts` has who may. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { handler as approvePlan } from '../../functions/handlers/approve-plan.ts';
import { failureOf } from '../../functions/http/response.ts';
import type { Approval } from '../../functions/plans/approval.ts';
import { instant } from '../../functions/records/instants.ts';
import { saveRun } from '../../functions/runs/draft.ts';
import { withBody } from '../kit/api-event.ts';
import { createWorld } from '../kit/world.ts';
import { waitingPlan } from '../plans/plans.ts';

const MAKER = 1;
const SENDER = 2;
const ANOTHER = 3;
const FOURTH = 4;
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

describe('an approval', () => {
  it.each(['none', 'second'] as const)('is kept with who gave it, when, and why (%s)', async (approval) => {
    const { approve, read, clock } = await planned();
    await approve(ANOTHER, approval, { comment: 'As agreed' });
    const first = await read();
    expect(first).toMatchObject({ approved_by: ANOTHER, comment: 'As agreed', approved_at: instant(clock.now) });
    clock.now += 1_000;
    for (const user_id of [ANOTHER, FOURTH]) {
      const shown = await approve(user_id, approval, { comment: 'Again' });
      expect(shown).toMatchObject({ status: 'approved', approved_by: ANOTHER, comment: 'As agreed' });
    }
    expect(await read()).toEqual(first);
  });

  it('that does not count under the setting is replaced', async () => {
    const { approve, read } = await planned();
    await approve(MAKER, 'none', { comment: 'Mine' });
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
