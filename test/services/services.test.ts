/** The composition root, without a call to AWS. Costs milliseconds. */
import { afterEach, expect, it, vi } from 'vitest';
import { connected, liveServices } from '../../functions/services/services.ts';

afterEach(() => vi.unstubAllEnvs());

it('live services are built when they are first used, once', () => {
  const queue = { send: async () => {}, postpone: async () => undefined };
  const source = liveServices(() => ({ queue }));
  expect(() => source()).toThrow('TABLE_NAME');
  vi.stubEnv('TABLE_NAME', 'table');
  const services = source();
  expect(services.queue).toBe(queue);
  expect(source()).toBe(services);
});

it('live services have only the special services that the function builds', () => {
  vi.stubEnv('TABLE_NAME', 'table');
  const services = liveServices(() => ({ queue: { send: async () => {} } }))();
  expect(services).not.toHaveProperty('signer');
  expect(services).not.toHaveProperty('verifier');
});

it('the connection is opened once while Lambda starts the function, and nowhere else', async () => {
  vi.stubEnv('TABLE_NAME', 'table');
  const read = vi.fn<() => Promise<undefined>>();
  read.mockResolvedValue(undefined);
  await connected(
    liveServices(() => ({})),
    read,
  );
  expect(read).not.toHaveBeenCalled();
  vi.stubEnv('AWS_LAMBDA_INITIALIZATION_TYPE', 'on-demand');
  await connected(
    liveServices(() => ({})),
    read,
  );
  expect(read).toHaveBeenCalledOnce();
});

it('a connection that fails at the start is opened by the first call', async () => {
  vi.stubEnv('AWS_LAMBDA_INITIALIZATION_TYPE', 'on-demand');
  const services = liveServices(() => ({}));
  await expect(connected(services, () => Promise.reject(new Error('down')))).resolves.toBe(services);
  vi.stubEnv('TABLE_NAME', 'table');
  await expect(connected(services, () => Promise.reject(new Error('down')))).resolves.toBe(services);
});
