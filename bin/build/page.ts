/** Builds the page for people: scripts and styles under names with a hash of their content, compressed. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, type OutputFile, type Plugin } from 'esbuild';
import { minifySync } from 'rolldown/utils';
import { dataOfFolders } from './plugins.ts';
import { NOTICES_FILE, inputsOf, noticesOf } from './notices.ts';
import { joinedLanguages } from './page-words.ts';
import type { SiteFile } from '../../functions/handlers/serve-page.ts';

const PAGE = join(import.meta.dirname, '../importer/page');
const PROJECT = resolve(PAGE, '../../..');
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** Page and worker load the same files of a language. @throws BuildFailure; an import of Node is one */
export async function builtPage() {
  const page = await bundle({ page: 'main.tsx', style: 'style/page.css' }, [], ['jsx.ts']);
  const worker = await bundle({ worker: 'worker/main.ts' }, [languagesOf(page.files)]);
  const inputs = { ...page.inputs, ...worker.inputs };
  const icon = await readFile(join(PAGE, 'icon.svg'));
  const iconName = hashedName('icon', icon, '.svg');
  const notices = Buffer.from(noticesOf(inputs, PROJECT).get(NOTICES_FILE) ?? '');
  const noticesName = hashedName('notices', notices, '.txt');
  const html = (await readFile(join(PAGE, 'page.html'), 'utf8'))
    .replace('{{script}}', nameOf(page.files, 'page', '.js'))
    .replace('{{style}}', nameOf(page.files, 'style', '.css'))
    .replace('{{worker}}', nameOf(worker.files, 'worker', '.js'))
    .replace('{{icon}}', iconName)
    .replace('{{notices}}', noticesName);
  const files = [...page.files, ...worker.files].map(
    (file) => [basename(file.path), fileOf(file.path, shortened(file))] as const,
  );
  const others = { [iconName]: fileOf(iconName, icon), [noticesName]: fileOf(noticesName, notices) };
  return { site: { html, files: { ...Object.fromEntries(files), ...others } }, inputs };
}

const hashedName = (name: string, content: Uint8Array, extension: string): string =>
  `${name}-${createHash('sha256').update(content).digest('hex').slice(0, 8)}${extension}`;

const BROWSERS = ['chrome123', 'firefox120', 'safari17.5'];

/** In short names that repeat each other better than those of esbuild: 3 % less when compressed. What a file exports keeps its name. */
function shortened({ path, text, contents }: OutputFile): Uint8Array {
  if (!path.endsWith('.js')) return contents;
  const { code, errors } = minifySync(path, text, { module: true, compress: { target: BROWSERS, sequences: false } });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  return Buffer.from(code);
}

/** Code and words are less alike than large blocks suppose; which codes of distances are short is tried. */
const SETTINGS = [0, 1, 2].map((postfix) => ({
  [constants.BROTLI_PARAM_LGBLOCK]: 16,
  [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
  [constants.BROTLI_PARAM_NDIRECT]: 15 << postfix,
}));

function fileOf(path: string, contents: Uint8Array): SiteFile {
  const sent = [{ [constants.BROTLI_PARAM_LGBLOCK]: 16 }, ...SETTINGS].map((params) =>
    brotliCompressSync(contents, { params }),
  );
  const [smallest] = sent.toSorted((a, b) => a.length - b.length);
  return { type: TYPES[extname(path)] ?? 'application/octet-stream', brotli: smallest?.toString('base64') ?? '' };
}

function nameOf(files: readonly OutputFile[], entry: string, extension: string): string {
  const found = files.find(({ path }) => basename(path).startsWith(`${entry}-`) && path.endsWith(extension));
  if (found === undefined) throw new Error(`The build has no file of ${entry}.`);
  return basename(found.path);
}

/** The words of all languages under the first, without where they were seen. */
const WORDS: Plugin = {
  name: 'words',
  setup: (each) =>
    each.onLoad({ filter: /engine[/\\]lexicon[/\\]languages[/\\]index\.ts$/ }, () => ({
      loader: 'js',
      contents: joinedLanguages(),
    })),
};

/** Examples of rules are for tests and people who read them. */
const EXAMPLES: Plugin = {
  name: 'examples',
  setup: (each) =>
    each.onLoad({ filter: /engine\/decide\/(?:[a-z]+-rules|needed)\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: (await readFile(path, 'utf8')).replaceAll(/\bexample:\s*(['"`])(?:[^\\]|\\.)*?\1,/g, ''),
    })),
};

/**
 * Parts of the parser of XML that only namespaces need, which nothing asks it for, XML 1.1, which is then read as 1.0, or a document
 * type, which is refused where it begins. What is wrong with the XML of a workbook helps nobody: one sentence says it.
 */
const UNUSED = [
  /^ {4}(?:getCode11|processAttribsNS|pushAttribNS|resolve|qname|off|get (?:columnIndex|position))\([^]*?^ {4}\}\n/gm,
  /^ {4}(?:sDoctype|sDTD)\w*\([^]*?^ {4}\}\n/gm,
  /^function (?:nsPairCheck|nsMappingCheck)\([^]*?^\}\n/gm,
];

const XML: Plugin = {
  name: 'xml',
  setup(each) {
    each.onLoad({ filter: /[/\\]saxes\.js$/ }, async ({ path }) => {
      const whole = (await readFile(path, 'utf8')).replaceAll('this.getCode11', 'this.getCode10');
      const used = UNUSED.reduce((text, part) => text.replaceAll(part, ''), whole);
      const contents = used
        .replaceAll('this.state = S_DOCTYPE;', 'this.doctypeHandler?.("");')
        .replaceAll(/this\.fail\((["`])(?:[^\\]|\\[^])*?\1\)/g, 'this.fail()')
        .replace('fail(message) {', 'fail(message = "incorrect syntax") {');
      if (whole.length - contents.length < 9000 || used === contents)
        throw new Error('saxes has other parts than the build leaves out.');
      return { contents, loader: 'js' };
    });
    each.onResolve({ filter: /^xmlchars\/xml\/1\.1\// }, ({ kind, resolveDir }) =>
      each.resolve('xmlchars/xml/1.0/ed5', { kind, resolveDir }),
    );
    each.onLoad({ filter: /[/\\]xmlchars[/\\]xmlns[/\\]/ }, () => ({ contents: '', loader: 'js' }));
  },
};

/** The texts of a language are those that the page has loaded. */
const languagesOf = (files: readonly OutputFile[]): Plugin => ({
  name: 'languages',
  setup: (each) => {
    each.onLoad({ filter: /page\/texts\/\w+-page\.ts$/ }, ({ path }) => ({
      contents: `export * from './${nameOf(files, basename(path, '.ts'), '.js')}'`,
    }));
    each.onResolve({ filter: /^\.\/\w+-page-\w+\.js$/ }, ({ path }) => ({ path, external: true }));
  },
});

async function bundle(
  entries: Readonly<Record<string, string>>,
  plugins: readonly Plugin[],
  injected: readonly string[] = [],
) {
  const { outputFiles, metafile } = await build({
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(PAGE, file)])),
    absWorkingDir: PROJECT,
    outdir: '/page',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: BROWSERS,
    jsx: 'transform',
    inject: injected.map((name) => join(PAGE, name)),
    tsconfigRaw: { compilerOptions: { jsx: 'react', jsxFactory: 'h', jsxFragmentFactory: 'Fragment' } },
    legalComments: 'none',
    charset: 'utf8',
    // The first that knows a file loads it.
    plugins: [WORDS, dataOfFolders, EXAMPLES, XML, ...plugins],
    metafile: true,
    logLevel: 'silent',
    write: false,
  });
  return { files: outputFiles, inputs: inputsOf(metafile) };
}
