/** Bytes of every function's bundle, as deployed. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { builtStack } from '../../bin/local/built-stack.ts';
import { functionSources } from '../../lib/function-sources.ts';

export async function bundleFigures(): Promise<Record<string, number>> {
  const { bundles: built } = await builtStack();
  const sizes = [...functionSources().keys()].map(async (name) => {
    const { size } = await stat(join(built, name, 'index.mjs'));
    return [`bundle bytes: ${name}`, size] as const;
  });
  return Object.fromEntries(await Promise.all(sizes));
}
