/** esbuild plugins of the function bundles. */
import { readFile } from 'node:fs/promises';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'esbuild';
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

/** The descriptors of known systems as data, without where they were seen. */
export const knownSystems: Plugin = {
  name: 'known-systems',
  setup(build) {
    build.onLoad({ filter: /importer[/\\]systems[/\\]index\.ts$/ }, () => ({
      contents: `export const SYSTEMS = ${JSON.stringify(SYSTEMS, (name, value) => (name === 'source' ? undefined : (value as unknown)))};`,
      loader: 'js',
    }));
  },
};
