/** The randomness of the service. Pure; costs milliseconds. */
import { randomBytes } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { secureRandom } from '../../functions/runtime/system.ts';

vi.mock('node:crypto', { spy: true });

it('random values are bytes of the system’s generator, as many as are asked for', () => {
  const [one, other] = [secureRandom.hex(16), secureRandom.hex(16)];
  expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(one).not.toBe(other);
  expect(vi.mocked(randomBytes).mock.calls).toEqual([[16], [16]]);
});
