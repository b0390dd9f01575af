/**
 * Each screen and state for people of all kinds: axe finds no violation of WCAG 2.2 AA, light and dark, at 320 px and wide; nothing
 * scrolls sideways, from 320 px to 4k. `SCREENSHOTS=FOLDER` keeps a picture of each, and `GALLERY=docs/page` those of the documents. Costs about half a minute; needs Chromium.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { ADMIN, Person } from './person.ts';
import { violationsOf } from './support/axe.ts';
import { usePage } from './support/use-page.ts';

/** From a small telephone to a screen of 4k. */
const WIDTHS = [320, 768, 1280, 3840];
const EXPORT = readFileSync(join(import.meta.dirname, '../../docs/mapping-examples/academy.csv'), 'utf8');

const used = usePage();

/** The pictures of docs/page.md: each screen once, and two on a telephone. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['2-file', '3-columns', '4-courses', '5-people', '6-check', '7-import', '8-result', '9-runs', '9-learner'].map(
    (name) => `${name} 1280`,
  ),
  '3-columns 320',
  '6-check 320',
]);

async function keepForDocuments(page: Page, name: string, width: number): Promise<void> {
  const folder = process.env['GALLERY'];
  if (folder === undefined || !SHOWN.has(`${name} ${width}`)) return;
  const file = `${name.slice(2)}${width === 320 ? '-small' : ''}.png`;
  await page.screenshot({ path: join(folder, file), fullPage: true });
}

/** In each width and colour scheme. */
async function look(person: Person, name: string): Promise<string[]> {
  const { page } = person;
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await keepForDocuments(page, name, width);
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}-${width}.png`), fullPage: true });
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
  const person = await Person.visit(context, used.stack.url);
  const { page } = person;
  const found: string[] = [];
  await person.isAt('Sign in');
  found.push(...(await look(person, '1-sign-in')));
  await person.signIn({ ...ADMIN, password: 'wrong' });
  await page.getByRole('alert').waitFor();
  found.push(...(await look(person, '1-sign-in-wrong')));
  await person.signIn();
  await person.isAt('File');
  found.push(...(await look(person, '2-file-empty')));
  await person.choose({ name: 'history.csv', text: EXPORT });
  found.push(...(await look(person, '2-file')));
  await person.continueTo('Columns');
  await person.confirmDoubts();
  found.push(...(await look(person, '3-columns')));
  await person.continueTo('Courses');
  await page.getByLabel('Course of the platform for SEC-1').waitFor();
  await person.press('Continue');
  await page.getByRole('alert').waitFor();
  found.push(...(await look(person, '4-courses')));
  for (const id of ['SEC-1', 'DATA-2', 'WELCOME'])
    await page.getByLabel(`Course of the platform for ${id}`).selectOption(id === 'SEC-1' ? '101' : '103');
  await person.continueTo('People');
  await page.getByText('Download the list').waitFor();
  found.push(...(await look(person, '5-people')));
  await person.continueTo('Check');
  found.push(...(await look(person, '6-check-empty')));
  await person.press('Check');
  await page.getByText('What the import would write').first().waitFor();
  found.push(...(await look(person, '6-check')));
  await person.continueTo('Import');
  found.push(...(await look(person, '7-import')));
  await person.press(/^Import \d+ records$/);
  await person.isAt('Result');
  found.push(...(await look(person, '8-result')));
  await person.press('Compare');
  await page.getByRole('button', { name: 'Print' }).waitFor();
  await person.press('Take it back');
  await page.getByText('would be taken back').waitFor();
  found.push(...(await look(person, '8-result-revert')));
  await page.getByRole('link', { name: 'Runs' }).click();
  await person.isAt('Runs');
  await page.getByRole('rowheader').first().waitFor();
  found.push(...(await look(person, '9-runs')));
  await page.getByRole('link', { name: 'Learner' }).click();
  await person.isAt('Learner');
  await page.getByLabel('E-mail address').fill('ben.castillo@acme.test');
  await person.press('Show');
  await page.getByRole('rowheader').first().waitFor();
  found.push(...(await look(person, '9-learner')));
  expect(found).toEqual([]);
  await context.close();
}, 150_000);
