/** The life of an import (§4.9): its sender, run and cancellation. On the shared local stack; costs seconds. */
import { beforeAll, expect, it } from 'vitest';
import { type Admin, adminOf } from '../kit/api.ts';
import { freshId, record } from '../kit/records.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await adminOf('life');
});

const send = (records: unknown[], run_id: unknown, dry_run = false) =>
  admin.post('/progress/imports', { dry_run, run_id, records });
const idsOf = (imports: readonly { readonly import_id: string }[]) => imports.map(({ import_id }) => import_id);

it('an import shows its sender and its run in each response', async () => {
  const run_id = freshId('run');
  const { body, status } = await send([record('life')], run_id);
  const shown = { run_id, cancelled_at: null, reverted_at: null };
  expect([status, body]).toMatchObject([202, shown]);
  expect(body.created_by).toEqual(expect.any(Number));
  const { body: ended } = await admin.finished(body.import_id);
  expect(ended).toMatchObject({ ...shown, created_by: body.created_by });
  const { body: list } = await admin.get(`/progress/imports?run_id=${run_id}`);
  expect(list.imports).toMatchObject([{ ...shown, import_id: body.import_id, counts: ended.counts }]);
  expect((await send([record('life')], undefined, true)).body).toMatchObject({ run_id: null });
});

it('the list of imports is narrowed by run, status and time together', async () => {
  const run_id = `run/${freshId('of')} #1`;
  const bad = record('life', { user: { email: 'nobody@life.test' } });
  const good = (await send([record('life')], run_id)).body;
  const failed = (await send([bad], run_id)).body;
  for (const { import_id } of [good, failed]) await admin.finished(import_id);
  const list = async (filter: string) =>
    idsOf((await admin.get(`/progress/imports?run_id=${encodeURIComponent(run_id)}${filter}`)).body.imports);
  expect(await list('')).toEqual([failed.import_id, good.import_id]);
  expect(await list('&status=error')).toEqual([failed.import_id]);
  expect(await list(`&created_since=${failed.created_at}`)).toEqual([failed.import_id]);
  expect(await list(`&created_before=${failed.created_at}`)).toEqual([good.import_id]);
  expect(await list('&created_since=2040-01-01')).toEqual([]);
  expect(await list('&created_since=2040-01-01&created_before=2039-01-01')).toEqual([]);
});

it('a run has the status and counts of all its real imports', async () => {
  const run_id = freshId('run');
  await send([record('life')], run_id, true);
  const { body: draft } = await admin.get(`/progress/runs/${run_id}`);
  expect(draft).toMatchObject({ status: 'draft', counts: { imports: 0 }, completed_at: null, version: 0 });
  const good = (await send([record('life'), record('life')], run_id)).body;
  const failed = (await send([record('life', { user: {} })], run_id)).body;
  const ends = [(await admin.finished(good.import_id)).body, (await admin.finished(failed.import_id)).body];
  const run = {
    ...draft,
    status: 'partial_success',
    counts: { imports: 2, total: 3, processed: 3, succeeded: 2, failed: 1, archived: 0, with_warnings: 0 },
    completed_at: ends.map(({ completed_at }) => String(completed_at)).reduce((a, b) => (a > b ? a : b)),
  };
  expect((await admin.get(`/progress/runs/${run_id}`)).body).toEqual(run);
  expect((await admin.get('/progress/runs?limit=1')).body.runs).toEqual([run]);
  expect((await admin.post(`/progress/runs/${run_id}/cancel`, undefined)).body).toEqual(run);
});

it('a cancelled import ends: each record is applied or import_cancelled, and none is unknown', async () => {
  const records = Array.from({ length: 500 }, () => record('life'));
  const { body: started } = await send(records, undefined);
  const response = await admin.post(`/progress/imports/${started.import_id}/cancel`, undefined);
  expect([200, 202]).toContain(response.status);
  const { body } = await admin.finished(started.import_id);
  const codes = new Set<string>(
    body.records.map(
      (each: { outcome: string; errors: { error_code: string }[] }) => each.outcome ?? each.errors[0]?.error_code,
    ),
  );
  expect([...codes].filter((code) => !['applied', 'updated', 'import_cancelled'].includes(code))).toEqual([]);
  const shown = response.status === 202 ? { status: 'processing', records: [] } : body;
  // A cancel that no record was left for leaves no trace.
  expect(body.cancelled_at !== null).toBe(codes.has('import_cancelled'));
  expect(response.body).toMatchObject({ ...shown, cancelled_at: body.cancelled_at ?? response.body.cancelled_at });
  const again = await admin.post(`/progress/imports/${started.import_id}/cancel`, undefined);
  expect([again.status, again.body]).toEqual([200, body]);
});
