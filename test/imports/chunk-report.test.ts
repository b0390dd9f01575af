/** What operators are shown of a chunk. Milliseconds. */
import { beforeEach, expect, it } from 'vitest';
import { reportChunk, reportSettled } from '../../functions/imports/chunk-report.ts';
import { START_MS } from '../kit/world.ts';
import { ANN, COMPANY_ID, importWorld, record } from './world.ts';
import type { ImportWorld } from './world.ts';

let world: ImportWorld;
beforeEach(async () => {
  world = await importWorld();
});

async function reported(receives = 1) {
  const [message] = [...world.sent];
  const [processed] = await world.deliver();
  if (message === undefined || processed === undefined) throw new Error('Nothing was processed.');
  const invocation = { request_id: 'request-1' };
  reportChunk(world.services, { message, processed, receives, startedAtMs: START_MS - 250, invocation });
  expect(world.telemetry.lines).toMatchObject([{ level: 'info', message: 'chunk' }]);
  return world.telemetry.lines.map(({ fields }) => fields);
}

it('counts the records applied, the first error of each rejected one, warnings, and the end of the import', async () => {
  await world.accept([record('a'), record('b', 'nobody@acme.test'), { ...record('c', 'ben@acme.test'), extra: 1 }]);
  await reported();
  expect(world.telemetry.samples).toEqual([
    { metric: 'RecordsApplied', value: 2 },
    { metric: 'user_not_found', value: 1 },
    { metric: 'unknown_field_ignored', value: 1 },
    { metric: 'ImportsPartlySucceeded', value: 1 },
    { metric: 'TimeToTerminal', value: 0 },
  ]);
});

it('logs one line with the ids, and names what is not usual', async () => {
  await world.accept([record('a')]);
  const line = { request_id: 'request-1', company_id: COMPANY_ID, chunk: 0, failed: 0, duration_ms: 250 };
  expect(await reported()).toMatchObject([{ ...line, outcome: undefined, receives: undefined }]);
});

it('logs a repeated delivery as skipped, and counts it', async () => {
  await world.accept([record('a')]);
  world.sent.push(...world.sent);
  const [message] = world.sent;
  await world.deliver();
  world.sent.push(...(message === undefined ? [] : [message]));
  expect(await reported(2)).toMatchObject([{ outcome: 'skipped', receives: 2 }]);
  expect(world.telemetry.samples).toEqual([{ metric: 'ChunksRetried', value: 1 }]);
});

it('counts a lost claim under the code that its result shows', async () => {
  await world.stores.progress.claim(COMPANY_ID, [{ ...ANN, user_id: 8, external_record_id: 'a' }]);
  await world.accept([record('a')]);
  await reported();
  expect(world.telemetry.samples).toContainEqual({ metric: 'duplicate_external_record_id', value: 1 });
});

it('counts a record with several errors under its first', async () => {
  await world.accept([{ ...record('a', 'nobody@acme.test'), content: { type: 'course', platform_course_id: 999 } }]);
  await reported();
  const [errors, counted] = [(await world.results())[0]?.errors, world.telemetry.samples.slice(1, -2)];
  expect(errors?.length).toBeGreaterThan(1);
  expect(counted).toEqual([{ metric: errors?.[0]?.error_code, value: 1 }]);
});

it.each([
  ['success', ['ImportsSucceeded']],
  ['partial_success', ['ImportsPartlySucceeded']],
  ['error', ['ImportsFailed']],
  ['validated', []],
] as const)('counts an import that ends as %s, and the time since it was accepted', async (status, metrics) => {
  await world.accept([record('a')]);
  const item = await world.read();
  reportSettled(world.telemetry, { ...item, status, completed_at: '2026-01-02T03:04:07.678Z' });
  expect(world.telemetry.samples).toEqual([
    ...metrics.map((metric) => ({ metric, value: 1 })),
    { metric: 'TimeToTerminal', value: 2000 },
  ]);
});
