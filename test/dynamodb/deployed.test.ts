/** The services of a deployed function, without a call to AWS. Costs milliseconds. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

afterEach(() => vi.unstubAllEnvs());

/** A function that has just been loaded. */
const load = () => import('../../functions/dynamodb/client.ts');
beforeEach(() => void vi.resetModules());

it('services are built when they are first used, once, on the table of the environment', async () => {
  const { deployed } = await load();
  const source = deployed(({ table }) => ({ table }));
  expect(() => source()).toThrow('TABLE_NAME');
  vi.stubEnv('TABLE_NAME', 'table');
  expect(source()).toEqual({ table: 'table' });
  expect(source()).toBe(source());
});

it('the connection is opened once while Lambda starts the function, and nowhere else', async () => {
  const { connected } = await load();
  vi.stubEnv('TABLE_NAME', 'table');
  const read = vi.fn<() => Promise<undefined>>(async () => undefined);
  await connected(read);
  expect(read).not.toHaveBeenCalled();
  vi.stubEnv('AWS_LAMBDA_INITIALIZATION_TYPE', 'on-demand');
  await connected(read);
  expect(read).toHaveBeenCalledOnce();
});

it.each([undefined, 'table'])(
  'a connection that fails at the start is opened by the first call; table %s',
  async (table) => {
    const { connected } = await load();
    vi.stubEnv('AWS_LAMBDA_INITIALIZATION_TYPE', 'on-demand');
    vi.stubEnv('TABLE_NAME', table);
    await expect(connected(() => Promise.reject(new Error('down')))).resolves.toBeUndefined();
  },
);
