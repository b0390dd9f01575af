/** The plan of a run (§4.11): made of dry runs, listed, withdrawn. On the shared local stack; costs seconds. */
import { beforeAll, expect, it } from 'vitest';
import { type Admin, adminOf, call } from '../kit/api.ts';
import { hasPython, pythonPlanDigest } from '../importer/engine/evidence/python-verdicts.ts';
import { freshId, record } from '../kit/records.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await adminOf('drafts');
});

const dryRun = async (run_id: string, records: unknown[]): Promise<string> =>
  (await admin.post('/progress/imports', { dry_run: true, run_id, records })).body.import_id;
const codeOf = ({ status, body }: { status: number; body: { errors: { error_code: string }[] } }) => [
  status,
  body.errors[0]?.error_code,
];
const remove = (path: string) => call('DELETE', admin.base + path, { token: admin.token });

it('a plan is made, read, listed, made again, and withdrawn', async () => {
  const run_id = freshId('run');
  const path = `/progress/runs/${run_id}/plan`;
  expect(codeOf(await admin.get(path))).toEqual([404, 'run_not_found']);
  const bad = record('drafts', { user: { email: 'nobody@drafts.test' } });
  const import_ids = [await dryRun(run_id, [record('drafts'), bad]), await dryRun(run_id, [record('drafts')])];
  expect(codeOf(await admin.get(path))).toEqual([404, 'plan_not_found']);
  const made = await admin.post(path, { import_ids });
  expect(made.status).toBe(201);
  const counts = {
    imports: 2,
    total: 3,
    applied: 2,
    updated: 0,
    unchanged: 0,
    failed: 1,
    archived: 0,
    with_warnings: 0,
  };
  expect(made.body).toMatchObject({
    run_id,
    status: 'waiting',
    counts: { ...counts, with_warnings: expect.any(Number) },
  });
  const again = await admin.post(path, { import_ids });
  expect([again.status, again.body]).toEqual([200, made.body]);
  expect((await admin.get(path)).body).toEqual(made.body);
  expect((await admin.get(`/progress/runs/${run_id}`)).body).toMatchObject({ status: 'draft', plan: made.body });
  const pages = await admin.pages(`${path}/records?limit=2&include=record`);
  const listed = pages.flatMap(({ records }) => records);
  expect(listed.map(({ import_id, index }) => [import_id, index])).toEqual([
    [import_ids[0], 0],
    [import_ids[0], 1],
    [import_ids[1], 0],
  ]);
  const rejected = await admin.get(`${path}/records?status=error`);
  expect(rejected.body.records).toMatchObject([{ import_id: import_ids[0], index: 1, status: 'error' }]);
  const newer = await admin.post(path, { import_ids: import_ids.toReversed() });
  expect([newer.status, newer.body.plan_digest === made.body.plan_digest]).toEqual([201, false]);
  expect((await remove(path)).status).toBe(204);
  expect((await remove(path)).status).toBe(204);
  expect((await admin.get(path)).body).toMatchObject({ plan_id: newer.body.plan_id, status: 'withdrawn' });
  expect((await admin.post(path, { import_ids })).status).toBe(201);
});

it('a plan of what is no dry run of the run is refused', async () => {
  const run_id = freshId('run');
  const path = `/progress/runs/${run_id}/plan`;
  const import_id = await dryRun(run_id, [record('drafts')]);
  const foreign = await dryRun(freshId('run'), [record('drafts')]);
  expect(codeOf(await admin.post(path, { import_ids: [import_id, import_id] }))).toEqual([409, 'plan_incomplete']);
  expect(codeOf(await admin.post(path, { import_ids: [foreign, 'nothing'] }))).toEqual([409, 'plan_incomplete']);
  expect(codeOf(await admin.post(path, { import_ids: [] }))).toEqual([400, 'invalid_request']);
  expect(codeOf(await admin.post(path, { import_ids: Array(20_001).fill(import_id) }))).toEqual([
    413,
    'batch_too_large',
  ]);
});

it.runIf(hasPython)('the digest is computed again in Python from the list alone', async () => {
  const run_id = freshId('run');
  const path = `/progress/runs/${run_id}/plan`;
  const odd = {
    external_ref: 'Übung “1” \u0001 🎓',
    progress: { completion_pct: 33.333333333333336 },
    more: { b: [1e21, 1e-7], a: null },
  };
  const bad = record('drafts', { user: { email: 'nobody@drafts.test' } });
  const batches = [[record('drafts', odd), 7, bad], [record('drafts')], [bad, record('drafts')]];
  const import_ids: string[] = [];
  for (const records of batches) import_ids.unshift(await dryRun(run_id, records));
  const { plan_digest } = (await admin.post(path, { import_ids })).body;
  const pages = await admin.pages(`${path}/records?limit=2&include=record`);
  const listed = pages.flatMap(({ records }) => records);
  expect(listed.length).toBe(6);
  expect(pythonPlanDigest(listed)).toBe(plan_digest);
  expect(pythonPlanDigest([...listed.slice(1), listed[0]])).not.toBe(plan_digest);
});
