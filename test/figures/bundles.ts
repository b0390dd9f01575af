/** Bytes of every function's bundle, as deployed. */
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
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

/** `de-page-….js`: what the page says. `de-….js`: what the engine says, which comes with it. */
const LANGUAGE = /^([a-z]{2})-(page-)?/;

/**
 * The page as it is sent, compressed, in the language that weighs most: all files that one browser can load, without the descriptors
 * of known exports, and those of its first screen. A browser loads no other language, and no licences.
 */
function pageFigures(built: string): Record<string, number> {
  const { html, files }: Site = JSON.parse(readFileSync(join(built, 'serve-page', 'site.json'), 'utf8'));
  const isOfSystems = (name: string): boolean => name.startsWith('systems-');
  const names = Object.keys(files).filter((name) => !name.startsWith('notices-') && !isOfSystems(name));
  const languages = new Set(names.flatMap((name) => LANGUAGE.exec(name)?.[1] ?? []));
  const bytesOf = (loaded: readonly string[]): number =>
    loaded.reduce(
      (sum, name) => sum + Buffer.byteLength(files[name]?.brotli ?? '', 'base64'),
      brotliCompressSync(html).length,
    );
  const isLater = (name: string): boolean => {
    const [isOfLanguage, , ofPage] = LANGUAGE.exec(name) ?? [];
    return isOfLanguage === undefined ? /^(all|engine)-/.test(name) : ofPage === undefined;
  };
  const sizes = [...languages].map((language) => {
    const own = names.filter((name) => [language, undefined].includes(LANGUAGE.exec(name)?.[1]));
    return { all: bytesOf(own), first: bytesOf(own.filter((name) => !isLater(name))) };
  });
  return {
    'bundle bytes: page, all files': Math.max(...sizes.map(({ all }) => all)),
    'bundle bytes: page, known exports': bytesOf(Object.keys(files).filter(isOfSystems)) - bytesOf([]),
    'bundle bytes: page, first screen': Math.max(...sizes.map(({ first }) => first)),
  };
}
