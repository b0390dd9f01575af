/** The model of a large import, at a small size: throttles, counts, and repetition by a seed. Costs half a minute. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cases } from '../../kit/at-length.ts';
import { deploymentOf } from '../deployment.ts';
import { migrate, recordsPerSecond } from './migration.ts';
import { NEW_TABLE, PARTITION, Throughput } from './throughput.ts';

/** Units a second that keys get if one is requested each millisecond, from the keys in turn. */
function taken(limits: Throughput, keys: number): number {
  let units = 0;
  for (let ms = 0; ms < 10_000; ms += 1)
    for (let at = 0; at < keys; at += 1) {
      if (!limits.admits('writes', `key ${at}`, ms)) continue;
      limits.take('writes', `key ${at}`, 2);
      units += 2;
    }
  return units / 11;
}

it('a table admits 1,000 writes a second of one key, and 4,000 of all', () => {
  expect(taken(new Throughput(NEW_TABLE), 1)).toBeCloseTo(PARTITION.writes, -2);
  expect(taken(new Throughput(NEW_TABLE), 8)).toBeCloseTo(NEW_TABLE.writes, -2);
});

const SETTINGS = { warm: 40_000, processors: 5 };

it('a deployment of the model has the settings of the template', () => {
  const { limitsOf, ...deployment } = deploymentOf(SETTINGS);
  expect(deployment).toEqual({ processors: 5, batchSize: 4, table: { writes: 40_000, reads: 40_000 } });
  expect(limitsOf('process-chunk')).toMatchObject({ timeoutMs: 20_000, memoryMb: 1024 });
});

it('docs/limits.md quotes the formula, at points where the model comes within 6 %', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/limits.md'), 'utf8');
  const rows = [
    ...text.matchAll(/^\| ([\d,]+) +\| (\d+) +\| ([\d,]+) +\| ([\d,]+) +\| ([\d,]+) +\| (?:writes|processors) +\|$/gm),
  ];
  const numbers = rows.map((row) => row.slice(1).map((cell) => Number(cell.replaceAll(',', ''))));
  expect(numbers).toHaveLength(5);
  for (const [warm = 0, processors = 0, quoted, fresh = 0, usual = 0] of numbers) {
    const expected = recordsPerSecond({ warm, processors });
    expect(quoted).toBe(Math.round(expected));
    expect(Math.abs(fresh / expected - 1)).toBeLessThan(0.06);
    // A renewal writes one item in place of two.
    expect(usual / expected).toBeGreaterThan(0.94);
  }
});

describe('a migration', () => {
  const small = { seed: 7, records: cases(4_000, 250), open: 8, settings: SETTINGS };

  it.each(['nothing', 'the usual'] as const)(
    'a migration that finds %s loses no import, and has no failure',
    async (finds) => {
      const figures = await migrate({ ...small, finds });
      expect(figures).toMatchObject({ lost_imports: 0, dead_letters: 0, failed_deliveries: 0 });
      expect(figures.write_units_per_record).toBeLessThanOrEqual(2.15);
    },
  );

  it('a migration repeats by its seed, to the millisecond', async () => {
    const of = (seed: number) => migrate({ ...small, seed });
    const [once, again, other] = [await of(7), await of(7), await of(8)];
    expect(again).toEqual(once);
    expect(other).not.toEqual(once);
  });
});
