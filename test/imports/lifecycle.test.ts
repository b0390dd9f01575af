/** The due time of an open import, the time to abandon it, and the sum of its summaries. Milliseconds. */
import { describe, expect, it, vi } from 'vitest';
import {
  FIRST_DUE_MS,
  chunkMessages,
  dueAfterChunk,
  isGivenUp,
  missingChunks,
  nextDueMs,
  reportSettled,
  settleIfComplete,
  terminalStatus,
} from '../../functions/imports/lifecycle.ts';
import { countsOf } from '../../functions/imports/import-item.ts';
import { instant } from '../../functions/records/instants.ts';
import { SUMMARY, importItem } from '../dynamodb/samples.ts';
import { HOUR, MINUTE, importWorld, record } from './world.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4);
const LATER = instant(NOW + FIRST_DUE_MS);

it.each([
  ['stays far enough ahead, so that a healthy import writes no index entries', FIRST_DUE_MS, undefined],
  ['stays 30 s ahead', 30_000, undefined],
  ['moves once it has come near', 29_999, LATER],
  ['moves once it has passed', -3_600_000, LATER],
])('the due time after a chunk %s', (_, aheadMs, due) => {
  expect(dueAfterChunk(instant(NOW + aheadMs), NOW)).toBe(due);
});

it('the due time after a chunk is set if the import has none', () => {
  expect(dueAfterChunk(undefined, NOW)).toBe(LATER);
});

it('the due time after a resend is a steep ladder: 4, 16 and 64 minutes, then 4 hours', () => {
  expect([0, 1, 2, 3, 4, 99].map((resends) => nextDueMs(resends) / MINUTE)).toEqual([4, 16, 64, 240, 240, 240]);
});

it.each([
  ['a day has passed and every step was tried', 24 * HOUR, 4, true],
  ['a day has not passed', 24 * HOUR - 1, 9, false],
  ['a step was not tried, as after an outage of days', 99 * HOUR, 3, false],
])('missing chunks are abandoned: %s', (_reason, ageMs, resends, expected) => {
  expect(isGivenUp({ created_at: instant(NOW - ageMs), resends }, NOW)).toBe(expected);
});

it('chunks without a summary are missing', () => {
  expect(missingChunks(importItem('acme', { summaries: { 1: SUMMARY } }))).toEqual([0]);
});

describe('an import whose chunks are all summarised', () => {
  const summaries = { 0: SUMMARY, 1: SUMMARY };

  it('an import is settled once', async () => {
    const { services, stores, clock } = await importWorld();
    const item = importItem('acme', { summaries });
    await stores.imports.commit(item);
    const [first, second] = [await settleIfComplete(item, services), await settleIfComplete(item, services)];
    expect(first).toMatchObject({
      settled: true,
      item: { status: 'partial_success', completed_at: instant(clock.now) },
    });
    expect(second).toMatchObject({ settled: false, item: { status: 'partial_success' } });
    const settle = vi.spyOn(stores.imports, 'settle');
    expect(await settleIfComplete(first.item, services)).toEqual({ settled: false, item: first.item });
    expect(settle).not.toHaveBeenCalled();
  });

  it('an import with a chunk that is not summarised stays open', async () => {
    const { services } = await importWorld();
    const item = importItem('acme', { summaries: { 0: SUMMARY } });
    expect(await settleIfComplete(item, services)).toEqual({ item, settled: false });
  });
});

it.each([
  ['all records applied → success', { total: 2, succeeded: 2 }, 'success'],
  ['some records applied → partial_success', { total: 2, succeeded: 1 }, 'partial_success'],
  ['no record applied → error', { total: 2, succeeded: 0 }, 'error'],
])('terminalStatus: %s', (_reason, { total, succeeded }, status) => {
  const others = { archived: 0, with_warnings: 2 };
  expect(terminalStatus({ total, processed: total, succeeded, failed: total - succeeded, ...others })).toBe(status);
});

it('a poll counts the chunks that are summarised', () => {
  const summary = { succeeded: 3, failed: 1, with_warnings: 2, conflict: [], failed_indexes: [] };
  expect(countsOf({ total: 9, summaries: { 0: { ...summary, archived: 1 }, 2: summary } })).toEqual({
    total: 9,
    processed: 8,
    succeeded: 6,
    failed: 2,
    archived: 1,
    with_warnings: 4,
  });
});

it.each([
  ['success', ['ImportsSucceeded']],
  ['partial_success', ['ImportsPartlySucceeded']],
  ['error', ['ImportsFailed']],
  ['validated', []],
] as const)('an import that ends as %s is counted, with the time since it was accepted', async (status, metrics) => {
  const world = await importWorld();
  await world.accept([record('a')]);
  const item = await world.read();
  reportSettled(world.telemetry, { ...item, status, completed_at: '2026-01-02T03:04:07.678Z' });
  expect(world.telemetry.samples).toEqual([
    ...metrics.map((metric) => ({ metric, value: 1 })),
    { metric: 'TimeToTerminal', value: 2000 },
  ]);
});

it('an import asks for a chunk by the hash of its payload, and never for one that it does not have', () => {
  const item = importItem('acme');
  const ids = { kind: 'chunk', company_id: 'acme', import_id: item.import_id, hops: 0 };
  expect(chunkMessages(item, [1, 2])).toEqual([{ ...ids, chunk: 1, payload_hash: '0'.repeat(32) }]);
});
