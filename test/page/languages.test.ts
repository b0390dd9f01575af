/** Each language is loaded apart, and another one is five files and no line of code. Costs half a minute; needs Chromium. */
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { builtPage } from '../../bin/build/page.ts';
import type { Site } from '../../functions/handlers/serve-page.ts';
import { textsFor } from '../../bin/importer/page/texts/index.ts';
import { ADMIN } from './person.ts';
import { screens } from './support/screens.ts';
import { usePage } from './support/use-page.ts';

const used = usePage('shared');

/** The languages whose files a browser asks for. */
const languagesOf = (urls: readonly string[]): string[] => [
  ...new Set(urls.flatMap((url) => /\/page\/([a-z]{2})-/.exec(url)?.[1] ?? [])),
];

async function visit(locale: string): Promise<{ readonly page: Page; readonly requested: string[] }> {
  const context = await used.browser.newContext({ locale });
  const page = await context.newPage();
  const requested: string[] = [];
  page.on('request', (request) => void requested.push(request.url()));
  return { page, requested };
}

it.each([
  ['de-AT', 'Anmelden', 'de'],
  ['en-US', 'Sign in', 'en'],
  ['fr-FR', 'Sign in', 'en'],
])('a browser in %s loads its language and no other', async (locale, heading, language) => {
  const { page, requested } = await visit(locale);
  await page.goto(`${used.stack.url}/`);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  expect(languagesOf(requested)).toEqual([language]);
  expect(requested.filter((url) => url.includes(`/page/${language}-`))).toHaveLength(1);
  await page.context().close();
});

it.each(['en', 'de'])('the steps stand in one line on a telephone, in %s', async (locale) => {
  const { page } = await visit(locale);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${used.stack.url}/#/file`);
  await page.locator('[type=email]').fill(ADMIN.email);
  await page.locator('[type=password]').fill(ADMIN.password);
  await page.locator('form [type=submit]').click();
  const steps = page.locator('.steps li');
  await steps.first().waitFor();
  const tops = await steps.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
  expect([tops.length, new Set(tops).size]).toEqual([4, 1]);
  await page.context().close();
});

/** Words of English sentences, and of no German one, or a decimal point. */
const ENGLISH =
  /\d\.\d+ %|\b(?:the|is|are|were|says|which|this|that|with|and|of|for|not|rows?|columns?|people|because)\b/i;
/** What the person has typed; the statement of evidence is JSON. */
const TYPED = 'The old system ends';

it('a German page says nothing in English, on any screen', async () => {
  const { page } = await visit('de-DE');
  await page.goto(`${used.stack.url}/`);
  const said: string[] = [];
  for await (const name of screens(page, await textsFor(['de']))) {
    await page.evaluate(() => {
      for (const each of document.querySelectorAll('details')) each.open = true;
    });
    const lines = (await page.locator('body').innerText()).replaceAll(TYPED, '').split('\n');
    said.push(...lines.filter((line) => ENGLISH.test(line) && !/^\s*"/.test(line)).map((line) => `${name}: ${line}`));
    if (name !== 'review') continue;
    const reasons = await page.locator('.kind summary').allInnerTexts();
    // A reason, and not what the rows are.
    expect(reasons.filter((reason) => !reason.startsWith('Zeilen mit')).length).toBeGreaterThan(1);
  }
  expect(said).toEqual([]);
  await page.context().close();
});

const PROJECT = resolve(import.meta.dirname, '../..');
/** Those of one language. */
const FILES = ['page/texts', 'texts'].flatMap((folder) =>
  readdirSync(join(PROJECT, 'bin/importer', folder)).flatMap((name) =>
    /^en(?:-\w+)?\.ts$/.test(name) ? [join(folder, name)] : [],
  ),
);

/** English, in which each sentence begins with a sign. */
const marked = (source: string): string =>
  source
    .replaceAll(/'en(-[a-z]+)?\.ts'|\/en(-[a-z]+)?\.ts'/g, (path) => path.replace('en', 'fr'))
    .replaceAll("language: 'en'", "language: 'fr'")
    .replaceAll(/'([A-Z][^'\n]* [^'\n]*)'/g, "'§ $1'")
    .replaceAll(/=>(\s+)([`'])(?=[^\n]* )/g, '=>$1$2§ ');

/** The page that the sources build with one language more. */
async function siteWithFrench(folder: string): Promise<Site> {
  for (const name of ['bin', 'functions', 'package.json', 'tsconfig.json'])
    cpSync(join(PROJECT, name), join(folder, name), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  const importer = join(folder, 'bin/importer');
  for (const file of FILES)
    writeFileSync(
      join(importer, file.replace(/en(?=[^/]*$)/, 'fr')),
      marked(readFileSync(join(importer, file), 'utf8')).replaceAll(/\bEN\b/g, 'FR'),
    );
  const build = (await import(pathToFileURL(join(folder, 'bin/build/page.ts')).href)) as {
    builtPage: typeof builtPage;
  };
  return (await build.builtPage()).site;
}

it('a few files make the page speak another language', async () => {
  expect(FILES.length).toBeLessThanOrEqual(6);
  const { html, files } = await siteWithFrench(used.folder);
  const { page, requested } = await visit('fr-FR');
  await page.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url());
    const name = pathname.split('/').at(-1) ?? '';
    const file = files[name];
    if (file !== undefined)
      await route.fulfill({
        contentType: file.type,
        body: brotliDecompressSync(Buffer.from(file.brotli, 'base64')).toString(),
      });
    else if (route.request().isNavigationRequest())
      await route.fulfill({ contentType: 'text/html', body: html.replaceAll('{{base}}', '') });
    else await route.fallback();
  });
  await page.goto(`${used.stack.url}/#/file`);
  await page.getByText('§ Sign in with the account').waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('fr');
  await page.getByLabel('§ E-mail address').fill(ADMIN.email);
  await page.getByLabel('Password').fill(ADMIN.password);
  await page.getByRole('button', { name: '§ Sign in' }).click();
  await page
    .locator('[type=file]')
    .first()
    .setInputFiles({ name: 'none.csv', mimeType: '', buffer: Buffer.from('') });
  expect(await page.getByRole('alert').innerText()).toContain('§ none.csv is empty.');
  expect(languagesOf(requested)).toEqual(['fr']);
  await page.context().close();
});
