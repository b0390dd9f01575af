/** The status and report of a revert of an import, and of a run. Costs milliseconds. */
import { describe, expect, it, vi } from 'vitest';
import {
  previewImportRevert,
  previewRunRevert,
  readImportRevert,
  readRunRevert,
  refusalOf,
  refusalOfRun,
  requestImportRevert,
  requestRunRevert,
} from '../../functions/reverts/request.ts';
import { handler as getRunRevert } from '../../functions/handlers/get-run-revert.ts';
import { STEP_DUE_MS } from '../../functions/jobs/steps.ts';
import { instant } from '../../functions/records/instants.ts';
import { importWithoutRecords } from '../../functions/imports/import-item.ts';
import { MAX_IMPORTS_PREVIEWED } from '../../functions/shared/limits.ts';
import { operationRequest } from '../kit/api-event.ts';
import { AT, importItem } from '../dynamodb/samples.ts';
import { IMPORT_ID, RUN, RUN_SUBJECT, record, useImportWorld } from '../imports/world.ts';

const world = useImportWorld(async () => {
  await world.accept([record('a'), {}]);
  await world.deliver();
});

it('a revert of an import reads as processing without records, then as the report that its dry run gave', async () => {
  const item = await world.read();
  expect(await readImportRevert(item, world.services)).toBeUndefined();
  const preview = await previewImportRevert(item, 1, world.services);
  expect(preview).toMatchObject({ status: 'validated', dry_run: true, counts: { total: 2, reverted: 1 } });
  const requested = await requestImportRevert(item, 1, world.services);
  expect(requested).toMatchObject({ status: 'processing', completed_at: null, counts: { total: 2 }, records: [] });
  expect(await readImportRevert(item, world.services)).toEqual(requested);
  await world.revert();
  const ended = await readImportRevert(await world.read(), world.services);
  expect(ended).toMatchObject({ status: 'success', dry_run: false, records: preview.records, counts: preview.counts });
});

it('a revert is accepted though its message cannot be sent: the watchdog sends it', async () => {
  vi.spyOn(world.services.queue, 'send').mockRejectedValueOnce(new Error('down'));
  expect(await requestImportRevert(await world.read(), 1, world.services)).toMatchObject({ status: 'processing' });
});

it('a revert is stored when its message is sent', async () => {
  const stored: unknown[] = [];
  vi.spyOn(world.services.queue, 'send').mockImplementation(async () => {
    stored.push(await readImportRevert(await world.read(), world.services));
  });
  const requested = await requestImportRevert(await world.read(), 1, world.services);
  expect(stored).toEqual([requested]);
  expect(await world.stores.jobs.listOpen()).toMatchObject([
    { kind: 'revert', due_at: instant(world.clock.now + STEP_DUE_MS) },
  ]);
});

it('a revert of a run shows the sum of its imports; each import has a report of its own', async () => {
  const imports = [importWithoutRecords(await world.read())];
  const counts = { imports: 1, total: 2, reverted: 1, nothing_to_revert: 1 };
  expect(await previewRunRevert(RUN, imports, 1, world.services)).toMatchObject({ status: 'validated', counts });
  expect(await readRunRevert(RUN_SUBJECT, world.services)).toBeUndefined();
  const requested = await requestRunRevert(RUN_SUBJECT, imports, 1, world.services);
  expect(requested).toMatchObject({
    run_id: RUN.run_id,
    status: 'processing',
    counts: { imports: 1, total: 2, reverted: 0 },
  });
  expect(await requestRunRevert(RUN_SUBJECT, [], 2, world.services)).toEqual(requested);
  expect(world.revertMessages.map(({ subject }) => subject)).toEqual([RUN_SUBJECT, RUN_SUBJECT]);
  const later = imports.map((each) => ({ ...each, created_at: instant(world.clock.now + 60_000) }));
  await requestRunRevert(RUN_SUBJECT, [...imports, ...later], 2, world.services);
  expect(await readRunRevert(RUN_SUBJECT, world.services)).toMatchObject({ counts: { imports: 2, total: 4 } });
  expect(imports[0]?.import_id).toBe(IMPORT_ID);
});

it('an import that was reverted with its run has a revert of its own', async () => {
  const other = 'o'.repeat(26);
  await world.accept([record('b', 'ben@acme.test')], { import_id: other, run_id: RUN.run_id });
  await world.deliver();
  await world.revert(RUN);
  const revert = await readImportRevert(await world.read(other), world.services);
  expect(revert).toMatchObject({ status: 'success', counts: { reverted: 1 } });
});

const NOW = Date.parse(AT) + 31 * 24 * 60 * 60 * 1000;
const past = { expires_at: AT };
const CASES = [
  ['one that has ended', importItem('acme', { status: 'error' }), undefined],
  ['a dry run', importItem('acme', { status: 'validated', dry_run: true }), undefined],
  ['one that is processing', importItem('acme', { status: 'processing' }), 'import_not_terminal'],
  ['one whose results have expired', importItem('acme', { status: 'success', ...past }), 'report_expired'],
] as const;

describe.each(CASES)('refusalOf: %s', (_, item, refusal) => {
  it(`the error code is ${String(refusal)}, alone and in a run`, async () => {
    const services = { clock: { nowMs: () => NOW }, stores: { imports: { readAll: async () => [item] } } } as never;
    expect(refusalOf(item, NOW)?.error_code).toBe(refusal);
    expect((await refusalOfRun([importWithoutRecords(item)], services))?.error_code).toBe(refusal);
  });
});

it('the preview of a run that is too large for one request is 409 until its dry run is requested', async () => {
  const size = MAX_IMPORTS_PREVIEWED + 1;
  for (let at = 0; at < size; at += 1)
    await world.accept([record(`r-${at}`)], { ...RUN, import_id: `${at}`.padStart(26, '0') });
  await world.deliver();
  const read = (query: Record<string, string>) =>
    getRunRevert.operation(operationRequest({ path: { ...RUN }, query }), world.services);
  for (const query of [{}, { dry_run: 'true' }, { dry_run: 'false' }])
    await expect(read(query)).rejects.toMatchObject({ problem: { error_code: 'report_not_requested' } });
  const imports = await world.stores.imports.importsOfRun(RUN);
  await requestRunRevert({ ...RUN_SUBJECT, kind: 'preview' }, imports, 1, world.services);
  expect(await read({})).toMatchObject({ statusCode: 200, body: { status: 'processing', counts: { imports: size } } });
});
