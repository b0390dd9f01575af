/** The way through the page with the tutorial's export: by mouse, keyboard, and back. Costs seconds; needs Chromium. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ADMIN, Person, SUGGESTIONS } from './person.ts';
import { usePage } from './support/use-page.ts';

const used = usePage();
/** The kinds that have no suggestion, for want of a date of completion; one of them is left undecided. */
const DECIDED = {
  'Progress 100, Exam Passed': 'Passed on Last access',
  'Progress 100, Exam empty': 'Completed on Last access',
  'Progress 1–99, Exam Failed': 'In progress, percent from Progress',
};
const COUNTS = { applied: 5, updated: 0, unchanged: 0, skipped: 0, rejected: 1 };

const EXPORT = readFileSync(join(import.meta.dirname, '../../docs/mapping-examples/academy.csv'), 'utf8');

/** The courses that the export names, in the catalog. */
const COURSES: Readonly<Record<string, string>> = { 'SEC-1': '101', 'DATA-2': '102', WELCOME: '103' };

it('a person imports a file and sees the counts; from its page, in another browser, somebody takes the import back', async () => {
  const person = await Person.visit(used.browser, used.stack.url);
  const { page } = person;
  await person.isAt('Sign in');
  await person.signIn();
  await person.isAt('File');
  await person.toReview({ name: 'history.csv', text: EXPORT });
  await chooseCourses(person);
  await person.press(SUGGESTIONS);
  for (const [kind, outcome] of Object.entries(DECIDED))
    await page.getByLabel(`with ${kind} become`).selectOption({ label: outcome });
  await page.getByText('1 has no suggestion').first().waitFor();
  await person.continueTo('Import');
  await person.isChecked();
  await page.getByText('1 person is not on the platform elif.yilmaz@acme.tset').waitFor();
  await person.press('Use the suggestion');
  await person.checkAgain();
  await person.importAll();
  const counts = await person.counts();
  expect(counts).toEqual(COUNTS);
  const written = (counts['applied'] ?? 0) + (counts['updated'] ?? 0);
  await page.getByText(`${written} of 6 rows are on the platform`).waitFor();

  await person.press('Take it back');
  await page.getByRole('button', { name: `Yes, take back ${written} records` }).waitFor();
  await person.press('Keep it');
  const colleague = await Person.signedIn(used.browser, used.stack.url);
  await colleague.page.getByRole('link', { name: 'Migrations' }).click();
  await colleague.page.getByRole('link', { name: 'Open: history.csv' }).click();
  await colleague.isAt('Migration');
  await colleague.press('Take it back');
  await colleague.press(`Yes, take back ${written} records`);
  await colleague.page.getByText('taken back', { exact: true }).first().waitFor();
  await colleague.page.getByRole('button', { name: 'Take it back' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'The page of this run' }).click();
  await person.isAt('Migration');
  await page.getByText('taken back', { exact: true }).first().waitFor();
  for (const { requested, complaints, page: own } of [person, colleague]) {
    const elsewhere = requested.filter((url) => !url.startsWith(`${used.stack.url}/`) && !url.startsWith('blob:'));
    expect([elsewhere, complaints]).toEqual([[], []]);
    await own.close();
  }
});

async function chooseCourses({ page }: Person): Promise<void> {
  await page
    .getByText(/^Choose \d$|^Change$/)
    .nth(1)
    .click();
  for (const [id, course] of Object.entries(COURSES)) {
    const choice = page.getByLabel(`Course of the platform for ${id}`);
    await choice.fill(course);
    await choice.blur();
  }
}

const SIMPLE = [
  'Email,Course,Status,Completed on',
  'ben.castillo@acme.test,Information Security Essentials,Completed,2023-05-14',
  'chiara.romano@acme.test,Information Security Essentials,Completed,2023-05-15',
].join('\n');

/** In the page: the name of the element that has the focus. */
function nameOfFocused(): string {
  const element = document.activeElement;
  if (element === null || element.matches('h1')) return '';
  const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
  return element.getAttribute('aria-label') ?? label ?? element.textContent;
}

it('a person who has no mouse goes the whole way', async () => {
  const person = await Person.visit(used.browser, used.stack.url);
  const { keyboard } = person.page;
  const tabTo = async (name: RegExp): Promise<void> => {
    for (let presses = 0; presses < 60; presses += 1) {
      const focused = await person.page.evaluate(nameOfFocused);
      if (name.test(focused.trim())) return;
      await keyboard.press('Tab');
    }
    throw new Error(`The tab key does not reach ${String(name)}.`);
  };
  const enter = async (name: RegExp): Promise<void> => {
    await tabTo(name);
    await keyboard.press('Enter');
  };
  /** The screen is there, and what has the focus at first has it. */
  const isAt = async (screen: string): Promise<void> => {
    await person.isAt(screen);
    await person.page.locator('h1:focus, [name=email]:focus').waitFor();
  };
  await isAt('Sign in');
  await tabTo(/^E-mail address/);
  await keyboard.type(ADMIN.email);
  await tabTo(/^Password/);
  await keyboard.type(ADMIN.password);
  await enter(/^Sign in$/);
  await isAt('Migrations');
  await enter(/^New migration$/);
  await isAt('File');
  await person.choose({ name: 'simple.csv', text: SIMPLE });
  await enter(/^Continue$/);
  await isAt('Review');
  await enter(/^Confirm \d suggestions?$/);
  await enter(/^Continue$/);
  await isAt('Import');
  await person.isChecked();
  // The link before the tables leads to the action, however many rows are rejected.
  await enter(/^Skip to the next step$/);
  await person.page.locator('#action:focus', { hasText: /^Import \d records?$/ }).waitFor();
  await keyboard.press('Enter');
  await person.isAt('Result');
  expect(Object.keys(await person.counts())).toHaveLength(5);
  await person.page.close();
});

it('back and forward show the steps, and a reload asks to sign in', async () => {
  const person = await Person.signedIn(used.browser, used.stack.url);
  await person.toReview({ name: 'history.csv', text: EXPORT });
  await person.page.waitForURL(`${used.stack.url}/#/review`);
  await person.page.goBack();
  await person.isAt('File');
  await person.page.goForward();
  await person.isAt('Review');
  await person.page.reload();
  await person.isAt('Sign in');
  expect(
    await person.page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage), document.cookie]),
  ).toEqual([[], [], '']);
  await person.page.close();
});

it('a password is masked as it is typed, and a wrong one is explained', async () => {
  const person = await Person.visit(used.browser, used.stack.url);
  expect(await person.page.getByLabel('Password').getAttribute('type')).toBe('password');
  await person.signIn({ ...ADMIN, password: 'wrong' });
  expect(await person.page.getByRole('alert').innerText()).toContain(
    'The e-mail address or the password is not right.',
  );
  await person.page.close();
});
