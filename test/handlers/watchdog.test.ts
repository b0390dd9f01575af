/** One run of the watchdog: what it does in its minute, and reports. Costs a second. */
import type { Message } from '../../functions/jobs/work.ts';
import { expect, it } from 'vitest';
import { watch } from '../../functions/handlers/watchdog.ts';
import { instant } from '../../functions/records/instants.ts';
import type { ImportItem } from '../../functions/shared/model.ts';
import { cases } from '../kit/at-length.ts';
import { VirtualTime } from '../kit/virtual-time.ts';
import { importItem } from '../dynamodb/samples.ts';
import { memoryClient } from '../kit/memory-table/memory-client.ts';
import { MemoryTable } from '../kit/memory-table/memory-table.ts';
import { createWorld, START_MS } from '../kit/world.ts';

const TIMEOUT_MS = 60_000;
const MINUTE = 60_000;
const ago = (ms: number) => instant(START_MS - ms);
const due = (import_id: string, overrides: Partial<ImportItem> = {}) =>
  importItem('acme', { import_id, due_at: ago(0), ...overrides });

/** A world in which each call to the database or the queue takes this long, on a clock that only calls move. */
async function worldOf(items: readonly ImportItem[], callMs = 10) {
  const table = new MemoryTable();
  const client = memoryClient(table);
  const planting = createWorld({ client });
  for (const item of items) await planting.stores.imports.commit(item);
  const time = new VirtualTime();
  const slow = { send: (command: never) => time.call(callMs, () => client.send(command)) } as unknown as typeof client;
  const sent: string[] = [];
  const queue = {
    send: (messages: readonly Message[]) =>
      time.call(callMs, async () => {
        for (const message of messages) if (message.kind === 'chunk') sent.push(message.import_id);
      }),
    postpone: async () => undefined,
  };
  const { services, telemetry } = createWorld({ client: slow, queue });
  const run = async () => {
    const startedMs = time.nowMs;
    const remaining = () => TIMEOUT_MS - (time.nowMs - startedMs);
    await watch({}, { getRemainingTimeInMillis: remaining }, services);
    return { tookMs: time.nowMs - startedMs };
  };
  const sumOf = (metric: string) =>
    telemetry.samples.filter((sample) => sample.metric === metric).reduce((sum, { value }) => sum + value, 0);
  return { run, sent, telemetry, sumOf, services };
}

const many = (count: number) => Array.from({ length: count }, (_, at) => due(`import-${String(at).padStart(5, '0')}`));

const LOST = cases(5_000, 1_000);

it('imports that lost their messages are all sent again in one run', async () => {
  const { run, sent, sumOf } = await worldOf(many(LOST));
  const { tookMs } = await run();
  expect(new Set(sent).size).toBe(LOST);
  expect(tookMs).toBeLessThan((TIMEOUT_MS / 2) * (LOST / 5_000));
  expect([sumOf('ImportsOpen'), sumOf('ChunksResent')]).toEqual([LOST, LOST]);
});

it('a run ends before its time is over and counts its work, and the next run does the rest', async () => {
  const { run, sent, sumOf, telemetry } = await worldOf(many(200), 1_200);
  const { tookMs } = await run();
  expect(tookMs).toBeLessThan(TIMEOUT_MS);
  expect(new Set(sent).size).toBeLessThan(200);
  expect([sumOf('ImportsOpen'), sumOf('ChunksResent')]).toEqual([200, new Set(sent).size]);
  expect(telemetry.flushes).toBe(2);
  await run();
  expect(new Set(sent).size).toBe(200);
});

it('a run that fails writes its counts', async () => {
  const { run, services, telemetry, sumOf } = await worldOf([due('one')]);
  services.stores.imports.read = () => Promise.reject(new Error('down'));
  await run();
  expect(telemetry.lines).toMatchObject([{ level: 'error', fields: { company_id: 'acme', import_id: 'one' } }]);
  services.stores.jobs.listOpen = () => Promise.reject(new Error('down'));
  await expect(run()).rejects.toThrow('down');
  expect([sumOf('ImportsOpen'), telemetry.flushes]).toEqual([1, 3]);
});

it('every run counts the imports that are past due, and names each import that it acts on', async () => {
  const { run, telemetry, sumOf } = await worldOf([
    due('waits', { due_at: ago(-MINUTE) }),
    due('passing', { resends: 1 }),
    due('becomes stuck', { resends: 2 }),
    due('stuck', { resends: 3, due_at: ago(-60 * MINUTE) }),
    due('closing', { resends: 5, closing_at: ago(0), due_at: ago(-MINUTE) }),
    due('old', { resends: 5, created_at: ago(25 * 60 * MINUTE) }),
  ]);
  const stuck: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    telemetry.samples.splice(0);
    await run();
    stuck.push(sumOf('ImportsStuck'));
    expect(sumOf('ImportsOpen')).toBe(6);
  }
  expect(stuck).toEqual([3, 4, 4]);
  const named = telemetry.lines.filter(({ message }) => message === 'An import is stuck.').map(({ fields }) => fields);
  expect(named).toEqual([
    expect.objectContaining({
      company_id: 'acme',
      import_id: 'becomes stuck',
      action: 'resent',
      missing_chunks: '0 1',
    }),
    expect.objectContaining({ company_id: 'acme', import_id: 'old', action: 'abandoning', missing: 2 }),
  ]);
});
