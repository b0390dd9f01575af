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

const CLIENT_PACKAGE = /[/\\]@aws-sdk[/\\]client-[\w-]+[/\\]package\.json$/;

/** Files of the AWS SDK, and all that a function needs of each: the client's version, and no code for a Node without these hashes. */
const REDUCED: readonly (readonly [filter: RegExp, contents: (text: string) => string])[] = [
  [CLIENT_PACKAGE, (text) => `export default { version: '${(JSON.parse(text) as { version: string }).version}' };`],
  [/[/\\]checksum[/\\]sha256[/\\]Sha256Js\.js$/, () => 'export const Sha256Js = undefined;'],
  [/[/\\]checksum[/\\]md5[/\\]Md5Js\.js$/, () => 'export const Md5Js = undefined;'],
  // Requests go to one region, so nothing signs with SigV4a.
  [
    /[/\\]SignatureV4MultiRegion\.js$/,
    () => `import { SignatureV4 } from '@smithy/signature-v4';
      export class SignatureV4MultiRegion extends SignatureV4 { static sigv4aDependency() { return 'none'; } }`,
  ],
];

export const reducedSdk: Plugin = {
  name: 'reduced-sdk',
  setup(build) {
    for (const [filter, contents] of REDUCED)
      build.onLoad({ filter }, async ({ path }) => ({
        contents: contents(await readFile(path, 'utf8')),
        loader: 'js',
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
