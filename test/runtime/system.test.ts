/** The randomness of the service, and what it logs of its process. Costs milliseconds. */
import { randomBytes } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { processUsage, secureRandom } from '../../functions/runtime/system.ts';

vi.mock('node:crypto', { spy: true });

it('random values are bytes of the system’s generator, as many as are asked for', () => {
  const [one, other] = [secureRandom.hex(16), secureRandom.hex(16)];
  expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(one).not.toBe(other);
  expect(vi.mocked(randomBytes).mock.calls).toEqual([[16], [16]]);
});

it('processUsage: two lines → both have the peak memory in MB, the first also how long the process took until its code was loaded', () => {
  const before = Math.floor(performance.now());
  const usage = processUsage();
  const after = Math.ceil(performance.now());
  const [first, second] = [usage(), usage()];
  expect(first.start_ms).toBeGreaterThanOrEqual(before);
  expect(first.start_ms).toBeLessThanOrEqual(after);
  expect(second.start_ms).toBeUndefined();
  for (const { memory_mb } of [first, second])
    expect(memory_mb).toBeGreaterThanOrEqual(Math.floor(process.memoryUsage().rss / 2 ** 21));
});
