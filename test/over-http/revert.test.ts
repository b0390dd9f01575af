/**
 * Reverting an import and a run (§4.9), each in a company of its own: imports of the others do not wait. On the shared
 * local stack. A revert waits for its fence of 25 seconds, so what comes after it is seen at length; `test/reverts`
 * and the crash simulator have it in memory.
 */
import { beforeAll, expect, it } from 'vitest';
import { type Admin, type Answer, adminOf } from '../kit/api.ts';
import { AT_LENGTH } from '../kit/at-length.ts';
import { freshId, record } from '../kit/records.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await adminOf('reverts');
});

const audit = (id: string) => admin.get(`/progress/records?external_record_id=${id}`);
const revert = (import_id: string, dry_run: boolean) =>
  admin.post(`/progress/imports/${import_id}/revert`, { dry_run });

async function reverted(import_id: string): Promise<Answer> {
  for (;;) {
    const response = await admin.get(`/progress/imports/${import_id}/revert`);
    if (response.body.status !== 'processing') return response;
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
}

it('a request to revert an unknown import or run, or without a valid body, is refused', async () => {
  const unknown = await revert(freshId('none'), false);
  expect([unknown.status, unknown.body.errors[0].error_code]).toEqual([404, 'import_not_found']);
  expect((await admin.get(`/progress/imports/${freshId('none')}/revert`)).status).toBe(404);
  const { body } = await admin.importAndWait([record('reverts')]);
  const malformed = await admin.post(`/progress/imports/${body.import_id}/revert`, { dry_run: 'no' });
  expect([malformed.status, malformed.body.errors[0].field]).toEqual([400, 'dry_run']);
  const noRun = await admin.post(`/progress/runs/${freshId('none')}/revert`, { dry_run: true });
  expect([noRun.status, noRun.body.errors[0].error_code]).toEqual([404, 'run_not_found']);
  expect((await admin.get(`/progress/runs/${freshId('none')}/revert`)).status).toBe(404);
});

it('a revert of a dry run reverts nothing', async () => {
  const { body } = await admin.dryRun([record('reverts')]);
  const shown = { status: 'validated', counts: { total: 1, reverted: 0, nothing_to_revert: 1 } };
  for (const dry_run of [true, false]) {
    const response = await revert(body.import_id, dry_run);
    expect([response.status, response.body]).toMatchObject([200, shown]);
  }
  expect((await reverted(body.import_id)).body).toMatchObject(shown);
});

it.runIf(AT_LENGTH)(
  'a revert leaves the progress as it would be without the import, and as its dry run reported',
  { concurrent: true },
  async () => {
    const id = freshId('kept');
    const headers = { 'idempotency-key': freshId('key') };
    const sent = [
      record('reverts', { external_record_id: id }),
      record('reverts', { user: { email: 'nobody@x.test' } }),
    ];
    const { body: first } = await admin.importAndWait(sent, headers);
    const { body: again } = await admin.importAndWait([sent[0]]);
    expect(again.records[0].outcome).toBe('unchanged');

    const dry = await revert(first.import_id, true);
    expect([dry.status, dry.body]).toMatchObject([
      200,
      { status: 'validated', dry_run: true, counts: { total: 2, reverted: 1, nothing_to_revert: 1 } },
    ]);
    expect((await admin.get(`/progress/imports/${first.import_id}`)).body).toEqual(first);
    // No revert was requested: the preview is the same report.
    const { created_at: _, completed_at: __, ...plan } = dry.body;
    expect((await admin.get(`/progress/imports/${first.import_id}/revert`)).body).toMatchObject(plan);

    const accepted = await revert(first.import_id, false);
    expect([accepted.status, accepted.body]).toMatchObject([202, { status: 'processing', records: [] }]);
    expect(accepted.headers.get('location')).toMatch(/\/revert$/);
    expect((await revert(first.import_id, false)).body).toEqual(accepted.body);
    const dryMeanwhile = await revert(first.import_id, true);
    expect([dryMeanwhile.status, dryMeanwhile.body]).toEqual([200, accepted.body]);

    // The import is accepted meanwhile and waits.
    const { body: waiting } = await admin.startImport([record('reverts')]);
    for (const dry_run of [true, false]) {
      const early = await revert(waiting.import_id, dry_run);
      expect([early.status, early.body.errors[0].error_code]).toEqual([409, 'import_not_terminal']);
    }
    expect((await admin.get(`/progress/imports/${waiting.import_id}/revert`)).status).toBe(409);
    const { body: unwanted } = await admin.startImport([record('reverts')]);
    await admin.post(`/progress/imports/${unwanted.import_id}/cancel`, {});
    const cancelled = (await admin.get(`/progress/imports/${unwanted.import_id}`)).body;
    expect(cancelled).toMatchObject({ status: 'error', records: [{ errors: [{ error_code: 'import_cancelled' }] }] });
    expect((await admin.get(`/progress/imports/${first.import_id}/revert`)).body.status).toBe('processing');
    const { body: report } = await reverted(first.import_id);
    const { created_at, created_by } = accepted.body;
    const ended = { status: 'success', dry_run: false, created_at, created_by, completed_at: expect.any(String) };
    expect(report).toMatchObject(ended);
    expect(report.records).toEqual(dry.body.records);
    expect((await revert(first.import_id, false)).body).toEqual(report);
    expect((await admin.finished(waiting.import_id)).body.status).toBe('success');

    // The import that had sent the same content has its own contribution now; results stay, and the key replays.
    const { body: entry } = await audit(id);
    expect(entry.contributions.map(({ import_id }: { import_id: string }) => import_id)).toEqual([again.import_id]);
    const shown = (await admin.get(`/progress/imports/${first.import_id}`)).body;
    expect(shown).toEqual({ ...first, reverted_at: report.completed_at });
    const replay = await admin.startImport(sent, headers);
    expect([replay.status, replay.body.import_id]).toEqual([202, first.import_id]);
  },
);
