/** esbuild plugins of the function bundles. */
import { readFile } from 'node:fs/promises';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'esbuild';
import { LANGUAGES } from '../importer/engine/lexicon/languages.ts';
import { SYSTEMS } from '../importer/systems/index.ts';

/** Compresses the JSON files of `docs` inside a bundle. One function serves such a document, and unpacks it on demand. */
export const compressedJson: Plugin = {
  name: 'compressed-json',
  setup(build) {
    build.onLoad({ filter: /[/\\]docs[/\\].*\.json$/ }, async ({ path }) => {
      const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')));
      const packed = brotliCompressSync(text).toString('base64');
      const contents = `import { brotliDecompressSync } from 'node:zlib';
        export default JSON.parse(brotliDecompressSync(Buffer.from('${packed}', 'base64')).toString());`;
      return { contents, loader: 'js' };
    });
  },
};

/** An ESM import of `node:http` makes Node load its fetch implementation; taking the module from the process does not. */
export const builtInHttp: Plugin = {
  name: 'built-in-http',
  setup(build) {
    build.onResolve({ filter: /^node:(http|https|http2)$/ }, ({ path }) => ({ path, namespace: 'built-in' }));
    build.onLoad({ filter: /.*/, namespace: 'built-in' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}');`,
    }));
  },
};

/** Data that the command reads from folders of a checkout, in the bundle, without where it was seen. */
export const dataOfFolders: Plugin = {
  name: 'data-of-folders',
  setup(build) {
    const inPlace = (filter: RegExp, name: string, data: unknown) => {
      const text = JSON.stringify(data, (member, value: unknown) => (SOURCES.has(member) ? undefined : value));
      build.onLoad({ filter }, () => ({ contents: `export const ${name} = ${text};`, loader: 'js' }));
    };
    inPlace(/importer[/\\]systems[/\\]index\.ts$/, 'SYSTEMS', SYSTEMS);
    inPlace(/lexicon[/\\]languages[/\\]index\.ts$/, 'LISTED', LANGUAGES);
  },
};

const SOURCES: ReadonlySet<string> = new Set(['source', 'sources']);
