/** Applying the plan of a run (§4.11): the service imports it alone. On the shared local stack; costs ten seconds. */
import { beforeAll, expect, it } from 'vitest';
import type { RecordResult } from '../../functions/shared/model.ts';
import { type Admin, adminOf } from '../kit/api.ts';
import { freshId, record } from '../kit/records.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await adminOf('plans');
});
const digests = new Map<string, string>();

/** Dry runs of a run, each of these records, and a plan of them. */
async function planned(run_id: string, batches: readonly unknown[][], replace = false): Promise<string[]> {
  const ids: string[] = [];
  for (const records of batches) {
    const { status, body } = await admin.post('/progress/imports', { dry_run: true, replace, run_id, records });
    expect(status).toBe(200);
    ids.push(body.import_id);
  }
  const made = await admin.post(`/progress/runs/${run_id}/plan`, { import_ids: ids });
  expect(made.status).toBe(201);
  digests.set(run_id, made.body.plan_digest);
  return ids;
}

const apply = (run_id: string, digest = digests.get(run_id) ?? 'f'.repeat(64)) =>
  admin.post(`/progress/runs/${run_id}/plan/apply`, { plan_digest: digest });

async function ended(run_id: string) {
  for (;;) {
    const { body } = await admin.get(`/progress/runs/${run_id}`);
    if (body.plan.status !== 'applying') return body;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

const codeOf = ({ status, body }: { status: number; body: { errors: { error_code: string }[] } }) => [
  status,
  body.errors[0]?.error_code,
];

it('the service makes a real import of each dry run, in their order, and the run ends by itself', async () => {
  const run_id = freshId('applied');
  const bad = record('plans', { user: { email: 'nobody@plans.test' } });
  const batches = Array.from({ length: 9 }, (_, at) => [record('plans'), ...(at === 4 ? [bad] : [])]);
  const dryRuns = await planned(run_id, batches);
  const begun = await apply(run_id);
  expect([begun.status, begun.body]).toMatchObject([
    202,
    { run_id, status: 'processing', plan: { status: 'applying' } },
  ]);
  expect(begun.headers.get('location')).toBe(`${admin.base}/progress/runs/${run_id}`);
  expect(begun.headers.get('retry-after')).toMatch(/^\d+$/);

  const run = await ended(run_id);
  expect(run).toMatchObject({
    status: 'partial_success',
    counts: { imports: 9, total: 10, succeeded: 9, failed: 1 },
  });
  expect(run.plan).toMatchObject({ status: 'applied', applied_by: begun.body.plan.applied_by });
  const { body: list } = await admin.get(`/progress/imports?run_id=${run_id}&limit=100`);
  const ofPlan = list.imports.filter(({ dry_run }: { dry_run: boolean }) => !dry_run).toReversed();
  const imports = [];
  for (const { import_id } of ofPlan) imports.push((await admin.get(`/progress/imports/${import_id}`)).body);
  expect(imports.map(({ planned_by }) => planned_by)).toEqual(dryRuns);
  for (const [at, import_id] of dryRuns.entries()) {
    const { body: dryRun } = await admin.get(`/progress/imports/${import_id}`);
    const shown = ({ records }: { records: RecordResult[] }) =>
      records.map(({ status, outcome, errors, progress }) => ({ status, outcome, errors, progress }));
    expect(shown(imports[at])).toEqual(shown(dryRun));
  }
  const again = await apply(run_id);
  expect([again.status, again.body.status]).toEqual([200, 'partial_success']);
});

it('a cancel ends the application: what follows is not imported', async () => {
  const run_id = freshId('cancelled');
  await planned(
    run_id,
    Array.from({ length: 4 }, () => [record('plans')]),
  );
  expect((await apply(run_id)).status).toBe(202);
  expect((await admin.post(`/progress/runs/${run_id}/cancel`, undefined)).status).toBe(202);
  expect((await ended(run_id)).plan).toMatchObject({ status: 'cancelled', cancelled_at: expect.any(String) });
  expect(codeOf(await apply(run_id))).toEqual([409, 'plan_closed']);
});

it('another digest, no plan, no run, and a body without a digest are refused', async () => {
  const run_id = freshId('refused');
  await planned(run_id, [[record('plans')]]);
  expect(codeOf(await apply(run_id, 'f'.repeat(64)))).toEqual([409, 'plan_digest_differs']);
  expect(codeOf(await apply(freshId('none')))).toEqual([404, 'run_not_found']);
  const draft = freshId('draft');
  await admin.post('/progress/imports', { dry_run: true, run_id: draft, records: [record('plans')] });
  expect(codeOf(await apply(draft))).toEqual([404, 'plan_not_found']);
  const without = await admin.post(`/progress/runs/${run_id}/plan/apply`, {});
  expect([...codeOf(without), without.body.errors[0]]).toMatchObject([
    400,
    'invalid_request',
    { field: 'plan_digest' },
  ]);
});
