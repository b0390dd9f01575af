/** The composition root, without a call to AWS. Costs milliseconds. */
import { afterEach, expect, it, vi } from 'vitest';
import { liveServices } from '../../functions/services/services.ts';

afterEach(() => vi.unstubAllEnvs());

it('live services are built when they are first used, once', () => {
  const queue = { send: async () => {} };
  const source = liveServices({ queue: () => queue });
  expect(() => source()).toThrow('TABLE_NAME');
  vi.stubEnv('TABLE_NAME', 'table');
  const services = source();
  expect(services.queue).toBe(queue);
  expect(source()).toBe(services);
});

it('live services have only the special services that were named', () => {
  vi.stubEnv('TABLE_NAME', 'table');
  const services = liveServices({ queue: () => ({ send: async () => {} }) })();
  expect(services).not.toHaveProperty('signer');
  expect(services).not.toHaveProperty('verifier');
});
