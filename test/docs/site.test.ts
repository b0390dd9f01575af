/** The static site of these pages, built and opened in Chromium. Builds it: half a minute, and a minute more on the first run. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inSite } from '../../docs/site/build.ts';
import { startBrowser } from './browser.ts';
import { serve, type Serving } from '../kit/serve.ts';

const SITE = join(import.meta.dirname, '../../docs/site');
const DIST = join(SITE, 'dist');
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

let server: Serving;
let browser: Browser;
beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(SITE, 'build.ts')]);
  server = await serve((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://site').pathname).replace(/\/$/, '/index.html');
    const file = join(DIST, path);
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  });
  browser = await startBrowser();
}, 400_000);
afterAll(async () => {
  await browser?.close();
  server?.stop();
});

/** Opens a page, and records requests to other hosts and failed requests. */
async function opened(path: string, options: BrowserContextOptions = {}): Promise<{ page: Page; problems: string[] }> {
  const page = await (await browser.newContext(options)).newPage();
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(server.url)) problems.push(request.url());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(`${server.url}${path}`, { waitUntil: 'networkidle' });
  return { page, problems };
}

const PAGES = ['/', '/tutorial.html', '/integrate.html', '/reference.html', '/errors.html', '/deploy.html'];
const PHONE = { viewport: { width: 375, height: 740 } };

describe('the site', () => {
  it.each(PAGES)('%s is readable light and dark and on a phone, and loads from nowhere else', async (path) => {
    const backgrounds = new Set<string>();
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, problems } = await opened(path, { colorScheme, ...PHONE });
      expect(problems).toEqual([]);
      expect(await page.locator('h1').first().isVisible()).toBe(true);
      backgrounds.add(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
      await page.context().close();
    }
    expect(backgrounds.size).toBe(2);
  });

  it('the search finds an error code by its name, offline', async () => {
    const { page, problems } = await opened('/');
    await page.locator('.VPNavBarSearch button').first().click();
    await page.locator('#localsearch-input').fill('import_not_found');
    await page.locator('#localsearch-list a').first().waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('the site has each page as Markdown too, lists all in llms.txt, and has every operation in the reference', () => {
    const pages = readdirSync(DIST).filter((name) => name.endsWith('.html') && !/^(?:index|404)/.test(name));
    expect(pages.length).toBeGreaterThan(14);
    const list = readFileSync(join(DIST, 'llms.txt'), 'utf8');
    for (const page of pages) {
      const markdown = page.replace('.html', '.md');
      expect(existsSync(join(DIST, markdown))).toBe(true);
      expect(list).toContain(`/${markdown}`);
    }
    const reference = readFileSync(join(DIST, 'reference.md'), 'utf8');
    const { paths } = JSON.parse(readFileSync(join(DIST, 'openapi.json'), 'utf8')) as { paths: Record<string, object> };
    for (const path of Object.keys(paths)) expect(reference).toContain(` ${path}\``);
  });
});

it.each([
  ['[a](docs/cli.md#b)', 'README.md', '[a](./cli.md#b)'],
  ['[a](../SECURITY.md)', 'docs/deploy.md', '[a](./security.md)'],
  ['[`a`](functions/a.ts)', 'README.md', '`a`'],
  ['[a](https://example.com)', 'README.md', '[a](https://example.com)'],
  ['[a](#b)', 'docs/cli.md', '[a](#b)'],
])('the link %s of %s is %s in the site', (link, path, expected) => {
  expect(inSite(link, path)).toBe(expected);
});
