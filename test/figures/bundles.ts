/** Bytes of every function's bundle, as deployed. */
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { builtStack } from '../../bin/local/built-stack.ts';
import type { Site } from '../../functions/handlers/serve-page.ts';
import { functionSources } from '../../lib/function-sources.ts';

export async function bundleFigures(): Promise<Record<string, number>> {
  const { bundles: built } = await builtStack();
  const sizes = [...functionSources().keys()].map(async (name) => {
    const { size } = await stat(join(built, name, 'index.mjs'));
    return [`bundle bytes: ${name}`, size] as const;
  });
  return { ...Object.fromEntries(await Promise.all(sizes)), ...pageFigures(built) };
}

/** The page as it is sent, compressed: all of its files, and those of its first screen. Licences are not loaded. */
function pageFigures(built: string): Record<string, number> {
  const { html, files }: Site = JSON.parse(readFileSync(join(built, 'serve-page', 'site.json'), 'utf8'));
  const bytesOf = (isCounted: (name: string) => boolean): number =>
    Object.entries(files)
      .filter(([name]) => isCounted(name))
      .reduce((sum, [, { gzip }]) => sum + Buffer.byteLength(gzip, 'base64'), gzipSync(html).length);
  const isLater = (name: string): boolean => /^(engine|history)-/.test(name);
  const isLoaded = (name: string): boolean => !name.startsWith('notices-');
  return {
    'bundle bytes: page, all files': bytesOf(isLoaded),
    'bundle bytes: page, first screen': bytesOf((name) => isLoaded(name) && !isLater(name)),
  };
}
