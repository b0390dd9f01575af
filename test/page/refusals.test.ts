/** What the page refuses is seen at once, in both languages, on a desk and on a telephone. Costs half a minute; needs Chromium. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { textsFor } from '../../bin/importer/page/texts/index.ts';
import { ADMIN, Person } from './person.ts';
import { usePage } from './support/use-page.ts';

const used = usePage();

const LOOKS = [
  { language: 'en', width: 1280 },
  { language: 'de', width: 390 },
  { language: 'en', width: 390 },
  { language: 'de', width: 1280 },
] as const;

/** More kinds than a screen has, none of them confirmed. */
const EXPORT = [
  'Email,Course,Status,Completed on',
  ...Array.from(
    { length: 30 },
    (_, row) => `ben.castillo@acme.test,Welcome to Acme,Status ${'abcdefghij'[row % 10]},2023-05-14`,
  ),
  'chiara.romano@acme.test,Welcome to Acme,Completed,2023-05-14',
  ...Array.from({ length: 30 }, (_, row) => `nobody.${row}@acme.test,Welcome to Acme,Completed,2023-05-14`),
].join('\n');

/** In the page: whether somebody sees the middle of its last alert. */
function isSeen(): boolean {
  const alert = [...document.querySelectorAll('[role=alert]')].at(-1);
  if (alert === undefined) return false;
  const { left, width, top, bottom } = alert.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, (top + bottom) / 2);
  return top >= 0 && bottom <= innerHeight && alert.contains(found);
}

const refuse = (page: Page, path: string, status: number, error_code: string): Promise<unknown> =>
  page.route(path, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status, json: { errors: [{ error_code, message: 'no' }] } })
      : route.fallback(),
  );

it.each(LOOKS)('each refusal in $language at $width px is seen', async ({ language, width }) => {
  const context = await used.browser.newContext({ locale: language, viewport: { width, height: 800 } });
  const { page } = await Person.visit(context, used.stack.url);
  const text = await textsFor([language]);
  const unseen: string[] = [];
  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click();
  const isAt = (screen: keyof typeof text.screens) =>
    page.getByRole('heading', { level: 1, name: text.screens[screen], exact: true }).waitFor();
  const seen = async (what: string): Promise<void> => {
    await page.getByRole('alert').last().waitFor();
    if (!(await page.evaluate(isSeen))) unseen.push(what);
  };
  await page.getByLabel(text.signIn.email).fill(ADMIN.email);
  await page.getByLabel(text.signIn.password).fill('wrong');
  await press(text.screens['sign-in']);
  await seen('a wrong password');
  await page.getByLabel(text.signIn.password).fill(ADMIN.password);
  await press(text.screens['sign-in']);
  const home = page.getByRole('heading', { level: 1, name: text.screens.migrations });
  await home.or(page.getByRole('heading', { level: 1, name: text.screens.file })).waitFor();
  if (await home.isVisible()) await press(text.migrations.add);
  await isAt('file');
  await press(text.continue);
  await seen('no file');
  const choose = (name: string, content: string) =>
    page.getByLabel(text.file.label).setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) });
  await choose('empty.csv', '');
  await page.getByRole('alert').filter({ hasText: 'empty.csv' }).waitFor();
  await seen('an empty file');
  await choose('refused.csv', EXPORT);
  await page.getByRole('heading', { name: 'refused.csv' }).waitFor();
  await press(text.continue);
  await isAt('review');
  await press(text.continue);
  await seen('nothing confirmed');
  await press(new RegExp(`^${text.review.confirmAll(1)}$`));
  await refuse(page, '**/progress/imports', 403, 'migrations_not_enabled');
  await press(text.continue);
  await isAt('import');
  await seen('a check that is refused');
  await page.unroute('**/progress/imports');
  await press(text.rejected.again);
  await page.locator('.verdict').waitFor();
  await refuse(page, '**/plan', 403, 'migrations_not_enabled');
  await press(text.import.action(1));
  await seen('a plan that is refused');
  await page.unroute('**/plan');
  await press(text.import.action(1));
  await isAt('result');
  await press(text.evidence.sign);
  await seen('no reason of the evidence');
  await refuse(page, '**/revert', 403, 'migrations_not_enabled');
  await press(text.result.revert);
  await page.getByRole('alert').nth(1).waitFor();
  expect(unseen).toEqual([]);
  await context.close();
});
