import { readFile } from 'node:fs/promises';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'esbuild';

/** Carries JSON files compressed inside a bundle: a document of many kilobytes is read by one function, when it is asked for. */
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
