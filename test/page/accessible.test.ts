/**
 * Each screen and state for people of all kinds: axe finds no violation of WCAG 2.2 AA, light and dark, at 320 px and wide; nothing
 * scrolls sideways, from 320 px to 4k. `SCREENSHOTS=FOLDER` keeps a picture of each, and `GALLERY=docs/page` those of the documents. Costs about half a minute; needs Chromium.
 */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { ADMIN, Person } from './person.ts';
import { violationsOf } from './support/axe.ts';
import { picture } from './support/picture.ts';
import { usePage } from './support/use-page.ts';

/** From a small telephone to a screen of 4k. */
const WIDTHS = [320, 768, 1280, 3840];

const used = usePage();

/** The pictures of docs/page.md: each screen once, and two on a telephone. */
const SHOWN: ReadonlySet<string> = new Set([
  ...[
    '2-file',
    '3-review',
    '4-people',
    '5-check',
    '6-import',
    '7-result',
    '7-evidence',
    '8-run',
    '9-runs',
    '9-learner',
  ].map((name) => `${name} 1280`),
  '3-review 320',
  '5-check 320',
]);

async function keepForDocuments(page: Page, name: string, width: number): Promise<void> {
  const folder = process.env['GALLERY'];
  if (folder === undefined || !SHOWN.has(`${name} ${width}`)) return;
  const file = `${name.slice(2)}${width === 320 ? '-small' : ''}.png`;
  await picture(page, join(folder, file));
}

/** In each width and colour scheme. */
async function look(person: Person, name: string): Promise<string[]> {
  const { page } = person;
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

const COURSES = ['Information Security Essentials', 'Data Protection in Practice', 'Welcome to Acme'];
const PEOPLE = ['ben.castillo', 'chiara.romano', 'dmitri.volkov', 'farid.haddad', 'grace.mensah', 'hana.suzuki'];
const STATES = [
  'Completed,100,05/14/2023',
  'Completed,100,11/30/2022',
  'In Progress,40,',
  'Failed,60,03/02/2023',
  'Exempt,,',
];

/** An export of an old system, with a mistyped address, a person who left, a course that is gone, and a date that is none. */
const EXPORT = [
  'Name,Email,Course,Status,Progress %,Completed Date,Assigned Date,Department',
  ...Array.from({ length: 60 }, (_, row) => {
    const who = PEOPLE[row % PEOPLE.length] ?? '';
    const state = row === 33 ? 'Completed,100,13/45/2022' : STATES[(row * 7) % STATES.length];
    const course = row % 20 === 19 ? 'Forklift Refresher 2019' : COURSES[Math.floor(row / 6) % 3];
    const email = row === 8 ? 'elif.yilmaz@acme.tset' : row === 20 ? 'gone@old.test' : `${who}@acme.test`;
    return `${who},${email},${course},${state},01/15/2021,Sales`;
  }),
].join('\n');

it('no screen and no state has a violation', async () => {
  const context = await used.browser.newContext();
  const person = await Person.visit(context, used.stack.url);
  const { page } = person;
  const found: string[] = [];
  await person.isAt('Sign in');
  await person.signIn({ ...ADMIN, password: 'wrong' });
  await page.getByRole('alert').waitFor();
  found.push(...(await look(person, '1-sign-in-wrong')));
  await person.signIn();
  await person.isAt('File');
  found.push(...(await look(person, '2-file-empty')));
  await person.choose({ name: 'history.csv', text: EXPORT });
  found.push(...(await look(person, '2-file')));
  await person.continueTo('Review');
  found.push(...(await look(person, '3-review')));
  for (const summary of await page.locator('summary').all()) await summary.click();
  await person.press(/^Confirm \d+ suggestions$/);
  found.push(...(await look(person, '3-review-open')));
  await person.continueTo('People');
  found.push(...(await look(person, '4-people')));
  await person.press('Use all 1 suggestion');
  await person.continueTo('Check');
  await person.isChecked();
  found.push(...(await look(person, '5-check')));
  for (const summary of await page.locator('summary').all()) await summary.click();
  found.push(...(await look(person, '5-check-open')));
  await person.continueTo('Import');
  found.push(...(await look(person, '6-import')));
  await person.startImport();
  await person.isAt('Result');
  await person.press('Take it back');
  await page.getByText('would be taken back').waitFor();
  found.push(...(await look(person, '7-result')));
  await page.getByLabel('Reason of the migration').fill('The old system ends');
  await person.press('Sign evidence');
  await person.isAt('Evidence');
  found.push(...(await look(person, '7-evidence')));
  await page.goBack();
  await person.isAt('Result');
  await page.getByRole('link', { name: 'The page of this run' }).click();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  found.push(...(await look(person, '8-run')));
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await page.getByRole('rowheader').first().waitFor();
  found.push(...(await look(person, '9-runs')));
  await page.getByRole('link', { name: 'Learner' }).click();
  await page.getByLabel('E-mail address').fill('ben.castillo@acme.test');
  await person.press('Show');
  await page.getByRole('rowheader').first().waitFor();
  found.push(...(await look(person, '9-learner')));
  expect(found).toEqual([]);
  await context.close();
});

it('a browser in German shows German, and no hint looks like a button', async () => {
  const context = await used.browser.newContext({ locale: 'de-AT', viewport: { width: 1280, height: 800 } });
  const { page } = await Person.visit(context, used.stack.url);
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  await page.getByLabel('E-Mail-Adresse').fill(ADMIN.email);
  await page.getByLabel('Passwort').fill(ADMIN.password);
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await page.getByLabel('Dateien').setInputFiles({ name: 'a.csv', mimeType: '', buffer: Buffer.from(EXPORT) });
  await page.getByRole('heading', { name: 'a.csv' }).waitFor();
  await page.getByRole('button', { name: 'Weiter' }).click();
  await page.getByRole('button', { name: /Vorschläge bestätigen$/ }).waitFor();
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
