/** The local stack on platform data of a test's own, on a free port of 127.0.0.1. Costs a few seconds to start. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type LocalStack, startLocalStack } from '../../bin/local/stack.ts';

export { startLocalStack } from '../../bin/local/stack.ts';

// Read when the first function starts, of every stack whose test has its start from here.
process.env['LOCAL_STACK_PRELOAD'] = pathToFileURL(join(import.meta.dirname, 'cheap-scrypt.mjs')).href;

type Options = Omit<NonNullable<Parameters<typeof startLocalStack>[0]>, 'port' | 'data'>;

/** `stop` removes the data file as well. */
export async function startStackOn(data: object, options: Options = {}): Promise<LocalStack> {
  const folder = mkdtempSync(join(tmpdir(), 'migration-data-'));
  const file = join(folder, 'data.json');
  writeFileSync(file, JSON.stringify(data));
  const stack = await startLocalStack({ ...options, port: 0, data: file });
  return {
    ...stack,
    async stop() {
      await stack.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
