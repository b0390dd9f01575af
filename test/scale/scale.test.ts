/** The simulation of load at a small size: its counts, its throttles, and the repetition by a seed. Costs half a minute. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHUNK_LIMITS } from '../../functions/shared/limits.ts';
import { AT_LENGTH, cases } from '../kit/at-length.ts';
import { NEW_TABLE, PARTITION } from './assumptions.ts';
import { deploymentOf } from './deployment.ts';
import { fairToGroups } from './fair-queue.ts';
import { boundsOf, deliveryMs, recordsPerSecond } from './formula.ts';
import { migrate } from './migration.ts';
import { SCENARIOS } from './scenarios.ts';
import { Bucket, Throughput } from './throughput.ts';
import { RECORDS_PER_IMPORT } from './workload.ts';

const MINUTE = 60_000;
const throughput = (splitsAfterMs?: number) =>
  new Throughput({ name: '', limits: NEW_TABLE, nowMs: 0, ...(splitsAfterMs !== undefined && { splitsAfterMs }) });

/** Units that keys get in so many seconds if one is requested each millisecond, from the keys in turn. */
function taken(limits: Throughput, seconds: number, keys: number): number {
  let units = 0;
  for (let ms = 0; ms < seconds * 1_000; ms += 1)
    for (let at = 0; at < keys; at += 1) {
      if (!limits.admits('writes', `key ${at}`, ms)) continue;
      limits.take('writes', `key ${at}`, { units: 2, nowMs: ms });
      units += 2;
    }
  return units;
}

describe('a table', () => {
  it('a table admits 1,000 writes a second of one key', () => {
    expect(taken(throughput(), 10, 1) / 11).toBeCloseTo(PARTITION.writes, -2);
  });

  it('a table admits 4,000 writes a second of all keys', () => {
    expect(taken(throughput(), 10, 8) / 11).toBeCloseTo(NEW_TABLE.writes, -2);
  });

  it('a key that stays too hot gets another partition only if the model is configured to split', () => {
    expect(taken(throughput(2_000), 10, 1)).toBeGreaterThan(1.5 * taken(throughput(), 10, 1));
  });

  it('a table names its hottest key, and the share of a partition that it uses', () => {
    const limits = throughput();
    taken(limits, 10, 1);
    limits.end(10_000);
    expect(limits.hottest).toMatchObject({ key: 'key 0', kind: 'writes' });
    expect(limits.hottest.share).toBeGreaterThan(1);
  });

  it('a table admits twice the peak half an hour after it', () => {
    const limits = throughput();
    for (let second = 0; second < 60; second += 1)
      limits.take('writes', `${second}`, { units: 4_000, nowMs: second * 1_000 });
    const admittedAt = (ms: number): number => {
      let units = 0;
      for (let at = 0; at < 20_000; at += 1) {
        if (!limits.admits('writes', `${ms} ${at}`, ms)) return units;
        limits.take('writes', `${ms} ${at}`, { units: 1, nowMs: ms });
        units += 1;
      }
      return units;
    };
    expect(admittedAt(20 * MINUTE)).toBe(4_000);
    admittedAt(31 * MINUTE);
    expect(admittedAt(32 * MINUTE)).toBe(8_000);
  });

  it('a large write is admitted while any unit is left, and the next writes wait for it', () => {
    const bucket = new Bucket(1_000, 0);
    bucket.take(3_000);
    expect([1_000, 2_000, 2_001].map((ms) => bucket.hasUnits(ms))).toEqual([false, false, true]);
  });
});

it('the queue delivers for the company that has the fewest chunks under way', () => {
  const queue = fairToGroups();
  const message = (id: number, group: string) => ({ id, body: '', group, receives: 0, gone: false });
  for (let id = 0; id < 8; id += 1) queue.add(message(id, 'loud'));
  queue.take(4);
  queue.add(message(8, 'quiet'));
  expect(queue.take(2).map(({ id }) => id)).toEqual([8, 4]);
  expect(queue.size).toBe(3);
});

it('a deployment of the model has the settings of the template', { timeout: 120_000 }, () => {
  const { limitsOf, ...deployment } = deploymentOf({ warm: 24_000, processors: 7 });
  expect(deployment).toMatchObject({
    processors: 7,
    batchSize: 4,
    table: { writes: 24_000, reads: 24_000 },
    polls: { perSecond: 96, burst: 240 },
    imports: { perSecond: 24, burst: 60 },
  });
  expect(limitsOf('process-chunk')).toMatchObject({ timeoutMs: 20_000, memoryMb: 1024 });
  expect(deploymentOf().table).toEqual(NEW_TABLE);
});

it('the API admits more records than a table takes, with any `warm`', { timeout: 120_000 }, () => {
  for (const warm of AT_LENGTH ? [4_000, 20_000, 30_000, 40_000] : [24_000]) {
    const { imports, polls } = deploymentOf({ warm });
    expect(imports.perSecond * RECORDS_PER_IMPORT).toBeGreaterThan(
      boundsOf({ warm, processors: 1 })['writes of the table'],
    );
    expect(polls.perSecond).toBe(4 * imports.perSecond);
  }
});

it('docs/limits.md quotes the formula, at five points where the model comes within 5 %', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/limits.md'), 'utf8');
  const rows = [...text.matchAll(/^\| ([\d,]+) +\| (\d+) +\| ([\d,]+) +\| ([\d,]+) +\| (?:writes|processors) +\|$/gm)];
  const numbers = rows.map((row) => row.slice(1).map((cell) => Number(cell.replaceAll(',', ''))));
  expect(numbers).toHaveLength(5);
  for (const [warm = 0, processors = 0, quoted, modelled = 0] of numbers) {
    const expected = recordsPerSecond({ warm, processors });
    expect(quoted).toBe(Math.round(expected));
    expect(Math.abs(modelled / expected - 1)).toBeLessThan(0.05);
  }
});

describe('a migration', () => {
  const small = { seed: 7, records: cases(4_000, 500), open: 8 };

  it('a migration loses no record, has no failure, and uses the expected units', { timeout: 120_000 }, async () => {
    const figures = await migrate({ ...small, settings: { warm: 40_000, processors: 5 }, namedBy: 'addresses' });
    expect(figures).toMatchObject({ lost_records: 0, dead_letters: 0, failed_deliveries: 0, alarms: '' });
    expect(figures.write_units_per_record).toBeLessThanOrEqual(2.15);
  });

  it(
    'a mapping is read for half a unit, and for a whole one just after its registration',
    { timeout: 120_000 },
    async () => {
      const of = async (isJustRegistered: boolean) =>
        (await migrate({ ...small, sortedBy: 'course', isJustRegistered })).read_units_per_record;
      expect((await of(true)) - (await of(false))).toBeCloseTo(0.5, 2);
    },
  );

  it('a migration repeats by its seed, to the millisecond', { timeout: 120_000 }, async () => {
    const of = (seed: number) => migrate({ ...small, seed });
    const [once, again, other] = [await of(7), await of(7), await of(8)];
    expect(again).toEqual(once);
    expect(other).not.toEqual(once);
  });
});

it('every list takes at most three reads and 30 units, with any filter', { timeout: 120_000 }, async () => {
  const report = await SCENARIOS['lists']?.({ seed: 1, records: 2_000 });
  for (const [name, { read_calls, read_units }] of Object.entries(report ?? {})) {
    expect({ name, isBounded: Number(read_calls) <= 3 && Number(read_units) <= 30 }).toEqual({ name, isBounded: true });
  }
});

it('the formula names the bound that comes first', () => {
  expect(boundsOf({ warm: 4_000, processors: 1_000 })['writes of the table']).toBe(
    recordsPerSecond({ warm: 4_000, processors: 1_000 }),
  );
  expect(recordsPerSecond({ warm: 40_000, processors: 2 })).toBeCloseTo(
    (2 * 4 * CHUNK_LIMITS.records * 1_000) / deliveryMs(),
  );
});
