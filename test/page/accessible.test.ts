/**
 * axe finds no violation of WCAG 2.2 AA on any screen, and nothing scrolls sideways. `SCREENSHOTS=FOLDER` keeps
 * pictures, `GALLERY=docs/page` those of the documents. Costs about half a minute; needs Chromium.
 */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { Person } from './person.ts';
import { violationsOf } from './support/axe.ts';
import { textsFor } from '../../bin/importer/page/texts/index.ts';
import { picture } from './support/picture.ts';
import { screens } from './support/screens.ts';
import { usePage } from './support/use-page.ts';

/** From a small telephone to a screen of 4k. */
const WIDTHS = [320, 768, 1280, 3840];

const used = usePage('shared');

/** The pictures of docs/page.md: each screen once, and two on a telephone. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['file', 'review', 'import', 'result', 'evidence', 'run', 'migrations', 'learner', 'archive'].map(
    (name) => `${name} 1280`,
  ),
  'review 320',
  'import 320',
]);

async function keepForDocuments(page: Page, name: string, width: number): Promise<void> {
  const folder = process.env['GALLERY'];
  if (folder === undefined || !SHOWN.has(`${name} ${width}`)) return;
  const file = `${name}${width === 320 ? '-small' : ''}.png`;
  await picture(page, join(folder, file));
}

async function look(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await keepForDocuments(page, name, width);
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await picture(page, join(folder, `${name}-${width}.png`));
    const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    if (isWider) found.push(`${name}, ${width} px: the page scrolls sideways`);
    if (width === 768 || width === 3840) continue;
    await page.emulateMedia({ colorScheme: width === 320 ? 'dark' : 'light', reducedMotion: 'reduce' });
    found.push(...(await violationsOf(page)).map((problem) => `${name}, ${width} px: ${problem}`));
    await page.emulateMedia({ colorScheme: 'light' });
  }
  return found;
}

it('no screen and no state has a violation', async () => {
  const context = await used.browser.newContext();
  const { page } = await Person.visit(context, used.stack.url);
  const found: string[] = [];
  for await (const name of screens(page, await textsFor(['en']))) found.push(...(await look(page, name)));
  expect(found).toEqual([]);
  await context.close();
});

it('a browser in German shows German, and no hint looks like a button', async () => {
  const context = await used.browser.newContext({ locale: 'de-AT', viewport: { width: 1280, height: 800 } });
  const { page } = await Person.visit(context, used.stack.url);
  for await (const name of screens(page, await textsFor(['de']))) if (name === 'review') break;
  const folder = process.env['GALLERY'];
  if (folder !== undefined) await picture(page, join(folder, 'review-german.png'));
  const frames = await page.evaluate(() =>
    [...document.querySelectorAll('.hint')].map((each) => {
      const { borderStyle, cursor } = getComputedStyle(each);
      return each.tagName === 'SUMMARY' ? 'none auto' : `${borderStyle} ${cursor}`;
    }),
  );
  expect(new Set(frames)).toEqual(new Set(['none auto']));
  expect(await page.locator('body').innerText()).not.toMatch(/\b(?:rows?|people|Change|becomes?|kinds?)\b/);
  await context.close();
});
