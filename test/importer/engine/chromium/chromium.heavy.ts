/** The engine in Chromium, with nothing of Node: byte for byte the results of Node. Costs seconds; needs Chromium. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localFile } from '../../../../bin/importer/command/files/records.ts';
import { startBrowser } from '../../../docs/browser.ts';
import { CASES } from './cases.ts';
import { resultsOf } from './results.ts';
import { temporaryFolder } from '../../../kit/temporary-folder.ts';
import { serve, type Serving } from '../../../kit/serve.ts';

let browser: Browser;
let page: Page;
let server: Serving;
const folder = temporaryFolder('migration-chromium');

/** The bundler fails on any import of Node. */
async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'results.ts')],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'engine',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles.map(({ text }) => text).join('');
}

beforeAll(async () => {
  const script = await bundled();
  server = await serve(({ url = '/' }, response) => {
    const [, kind, index] = url.split('/');
    if (kind === 'file') response.end(CASES[Number(index)]?.bytes);
    else if (kind === 'engine.js') response.setHeader('content-type', 'text/javascript').end(script);
    else response.setHeader('content-type', 'text/html').end('<!doctype html><script src="/engine.js"></script>');
  });
  browser = await startBrowser();
  page = await browser.newPage();
  await page.goto(server.url);
});

afterAll(async () => {
  await browser?.close();
  server?.stop();
});

/** The function of the bundle, in the page. */
declare const engine: { readonly resultsOf: typeof resultsOf };

const inChromium = (index: number, name: string, ways: (typeof CASES)[number]['ways']): Promise<string[]> =>
  page.evaluate(
    async ([url, fileName, each]) => {
      const file = new File([await (await fetch(url)).blob()], fileName);
      return Promise.all(each.map((way) => engine.resultsOf(file, way)));
    },
    [`/file/${index}`, name, ways] as const,
  );

async function inNode(name: string, bytes: Uint8Array, ways: (typeof CASES)[number]['ways']): Promise<string[]> {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  const file = { ...(await localFile(path)), name };
  return Promise.all(ways.map((way) => resultsOf(file, way)));
}

const results: string[] = [];

it.each(CASES.map((each, index) => ({ ...each, index })))(
  'Chromium and Node make the same of $name',
  async ({ index, name, bytes, ways }) => {
    const own = await inNode(name, bytes, ways);
    results.push(...own);
    expect(await inChromium(index, name, ways)).toEqual(own);
  },
);

it('the test data has over 60 files, most of which are sent', () => {
  expect(CASES.length).toBeGreaterThan(60);
  expect(results.filter((text) => !text.startsWith('{"error"')).length).toBeGreaterThan(60);
});
