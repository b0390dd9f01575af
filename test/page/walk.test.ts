/**
 * The whole way through the page, on the export of the tutorial: with a mouse, by keyboard alone, and back. Costs seconds; needs
 * Chromium.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ADMIN, Person } from './person.ts';
import { usePage } from './support/use-page.ts';

const used = usePage();

const EXPORT = readFileSync(join(import.meta.dirname, '../../docs/mapping-examples/academy.csv'), 'utf8');

/** The courses that the export names, in the catalog. */
const COURSES: Readonly<Record<string, string>> = { 'SEC-1': '101', 'DATA-2': '102', WELCOME: '103' };

async function chooseCourses({ page }: Person): Promise<void> {
  for (const [id, course] of Object.entries(COURSES))
    await page.getByLabel(`Course of the platform for ${id}`).selectOption(course);
}

it('a person imports a file, sees the counts, and takes the import back', async () => {
  const person = await Person.visit(used.browser, used.stack.url);
  await person.isAt('Sign in');
  await person.signIn();
  await person.isAt('File');
  await person.choose({ name: 'history.csv', text: EXPORT });
  await person.continueTo('Columns');
  await person.confirmDoubts();
  await person.continueTo('Courses');
  await chooseCourses(person);
  await person.continueTo('People');
  await person.page.getByRole('rowheader', { name: 'elif.yilmaz@acme.tset' }).waitFor();
  await person.continueTo('Check');
  await person.importAll();
  expect(await person.counts()).toEqual({ applied: 4, updated: 0, unchanged: 0, skipped: 0, rejected: 2 });

  await person.press('Take it back');
  await person.press('Yes, take back 4 records');
  await person.page.getByText('4 records were taken back.').waitFor({ timeout: 90_000 });
  const elsewhere = person.requested.filter((url) => !url.startsWith(`${used.stack.url}/`) && !url.startsWith('blob:'));
  expect([elsewhere, person.complaints]).toEqual([[], []]);
  await person.page.close();
}, 120_000);

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
  /** Presses the tab key until the element with this name has the focus. */
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
  await person.isAt('Sign in');
  await tabTo(/^E-mail address/);
  await keyboard.type(ADMIN.email);
  await tabTo(/^Password/);
  await keyboard.type(ADMIN.password);
  await enter(/^Sign in$/);
  await person.isAt('File');
  await person.choose({ name: 'again.csv', text: EXPORT.replaceAll(/\/2024/g, '/2023') });
  await enter(/^Continue$/);
  await person.isAt('Columns');
  await person.page.getByRole('table').first().waitFor();
  for (const guess of await person.page.getByRole('group').getByRole('checkbox').all()) {
    await guess.focus();
    await keyboard.press('Space');
  }
  await enter(/^Continue$/);
  await person.isAt('Courses');
  await person.page.getByLabel('Course of the platform for SEC-1').waitFor();
  for (const id of Object.keys(COURSES)) {
    await tabTo(new RegExp(`platform for ${id}$`));
    await keyboard.type(COURSES[id] ?? '');
  }
  await enter(/^Continue$/);
  await person.isAt('People');
  await person.page.getByText('Download the list').waitFor();
  await enter(/^Continue$/);
  await person.isAt('Check');
  await enter(/^Check$/);
  await person.page.getByText('What the import would write').first().waitFor();
  await enter(/^Continue$/);
  await person.isAt('Import');
  await enter(/^Import 4 records$/);
  await person.isAt('Result');
  expect((await person.counts())['applied']).toBe(4);
  await person.page.close();
});

it('back and forward show the steps, and a reload asks to sign in', async () => {
  const person = await Person.signedIn(used.browser, used.stack.url);
  await person.choose({ name: 'history.csv', text: EXPORT });
  await person.continueTo('Columns');
  expect(person.page.url()).toBe(`${used.stack.url}/#/columns`);
  await person.page.goBack();
  await person.isAt('File');
  await person.page.goForward();
  await person.isAt('Columns');
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
