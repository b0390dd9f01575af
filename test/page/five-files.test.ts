/** Exports of five systems through the page: what is stored, in how many clicks. Half of them cost half a minute; needs Chromium. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { MigrationClient } from '../../bin/importer/client/index.ts';
import { someOf } from '../kit/at-length.ts';
import COMPANY from './five-files/company.json' with { type: 'json' };
import { ADMIN, type ChosenFile, historyOf, Person, SUGGESTIONS } from './person.ts';
import { COMPANY_FILE, FIVE, MOODLE, storedOf, type System } from './support/five-files.ts';
import { usePage } from './support/use-page.ts';

const used = usePage({ data: COMPANY_FILE });
let client: MigrationClient;

beforeAll(async () => {
  client = new MigrationClient({ baseUrl: used.stack.url, company_id: 'acme' });
  await client.session.login(ADMIN);
});

/** In the page, before its scripts: counts what a person presses, chooses or types, and not what a script does. */
function countClicks(): void {
  const counted = { clicks: 0 };
  Object.assign(window, { counted });
  const isField = (target: EventTarget | null): boolean =>
    target instanceof Element && target.closest('input, select, label') !== null;
  addEventListener('click', ({ target }) => (counted.clicks += isField(target) ? 0 : 1), true);
  addEventListener('change', () => (counted.clicks += 1), true);
}

const clicksOf = (page: Page): Promise<number> => page.evaluate('counted.clicks');

async function newcomer(): Promise<Person> {
  const context = await used.browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addInitScript(countClicks);
  const person = await Person.signedIn(context, used.stack.url);
  await person.page.evaluate('counted.clicks = 0');
  return person;
}

async function answer(person: Person, answers: System['answers']): Promise<void> {
  const { page } = person;
  await person.press(SUGGESTIONS);
  for (const [words, outcome] of Object.entries(answers))
    await page.getByLabel(new RegExp(`^What .* with .*${words}`)).selectOption({ label: outcome });
  await person.continueTo('Import');
  await person.isChecked();
  if ((await page.getByText('not on the platform').count()) === 0) return;
  await person.press(/^Use (?:all|the) /);
  await person.checkAgain();
}

/** The presses of the keyboard from the head of the check to its action, which is not pressed. */
async function pressesToContinue({ page }: Person): Promise<number> {
  const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');
  await page.locator('h1').focus();
  for (let presses = 1; presses < 100; presses += 1) {
    await page.keyboard.press((await focused()) === 'Skip to the next step' ? 'Enter' : 'Tab');
    if (/^Import \d/.test(await focused())) return presses;
  }
  return Infinity;
}

const causesOf = ({ page }: Person): Promise<string[]> =>
  page
    .locator('.cause')
    .evaluateAll((all) => all.map(({ children: [why, count] }) => `${count?.textContent} ${why?.textContent}`));

/** The rows that the check shows: the learner and the course of each, and what they have afterwards. */
async function samplesOf({ page }: Person): Promise<(readonly [row: string, has: string])[]> {
  const rows = await page
    .locator('details', { hasText: '20 rows beside what they become' })
    .locator('tbody tr')
    .evaluateAll((all) => all.map(({ children }) => [...children].map(({ textContent }) => textContent)));
  return rows.map(([, , email, title, , has = '']) => {
    const course = COMPANY.courses.find((each) => each.title === title)?.platform_course_id;
    return [`${email} ${course}`, has.split(' → ').at(-1) ?? ''];
  });
}

/** `100 2024-03-04 C` as a person reads it. */
function inWords(stored: string | undefined): string {
  if (stored === undefined) return '–';
  const [pct, day, certified] = stored.split(' ');
  const date = new Date(day ?? '').toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return [`${pct} %`, ...(day === undefined ? [] : [date]), ...(certified === undefined ? [] : ['certified'])].join(
    ', ',
  );
}

/** In the page: those of which only a part is in view. */
const cutOf = (all: readonly Element[]): number =>
  all.filter((each) => each.scrollHeight > each.clientHeight && getComputedStyle(each).overflowY === 'auto').length;

/** Rows that are right, rows that are named with their reason, and the clicks from the file to the result. */
const EXPECTED: Readonly<Record<string, readonly [right: number, named: number, clicks: number]>> = {
  Moodle: [80, 20, 5],
  SuccessFactors: [60, 40, 7],
  TalentLMS: [75, 25, 5],
  'German workbook': [57, 45, 11],
  Cornerstone: [81, 19, 7],
};
const CAUSES: Readonly<Record<string, readonly string[]>> = {
  Cornerstone: ['4 1 person has no active licence jonas.jansen@acme.test', '1 “13/45/2022” is not a date. line 11'],
};

it.each(someOf(FIVE, 2))('$name: each row is right or named', async ({ name, file, rows, truth, answers }) => {
  const person = await newcomer();
  const { page } = person;
  await person.choose(file);
  await person.continueTo('Review');
  await answer(person, answers);
  const causes = await causesOf(person);
  const samples = await samplesOf(person);
  const clicks = await clicksOf(page);
  expect(await pressesToContinue(person)).toBeLessThanOrEqual(12);
  await page.evaluate(`counted.clicks = ${clicks}`);
  await person.importAll();
  const { skipped = 0, rejected = 0, ...written } = await person.counts();
  const all = await clicksOf(page);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(await causesOf(person)).toEqual(causes);
  expect(await page.locator('main *').evaluateAll(cutOf)).toBe(0);
  const has = await storedOf(client, new Set(Object.keys(truth).map((row) => row.split(' ')[0] ?? '')));
  const untrue = Object.keys({ ...has, ...truth }).filter((row) => has[row] !== truth[row]);
  expect({ untrue, causes }).toEqual({ untrue: [], causes: CAUSES[name] ?? [] });
  expect(samples).toEqual(samples.map(([row, said]) => [row, said === 'cannot be written' ? said : inWords(has[row])]));
  expect(samples).toHaveLength(20);
  const right = Object.keys(truth).length;
  expect([right, skipped + rejected, all]).toEqual(EXPECTED[name]);
  expect([right + skipped + rejected, written]).toEqual([rows, { applied: right, updated: 0, unchanged: 0 }]);
  expect(height).toBe(800);
  expect(person.complaints).toEqual([]);
  await page.context().close();
});

const OWN = historyOf('own', 1).replace('farid.haddad@acme.test,104', `${COMPANY.users[3]?.email},204`);

it('a file in the names of the platform, and one of which a last migration knows all, cost three clicks and four', async () => {
  const person = await newcomer();
  const { page } = person;
  const known = async (file: ChosenFile, verdict: string, answers: readonly string[] = []): Promise<void> => {
    await page.evaluate('counted.clicks = 0');
    await person.choose(file);
    for (const answer of answers) await person.press(answer);
    if (answers.length > 0) await page.getByText(/^The choices of .* are used\.$/).waitFor();
    await person.continueTo('Import');
    await person.isChecked();
    await page.getByText(verdict).first().waitFor();
    await person.importAll();
    expect(await clicksOf(page)).toBe(3 + answers.length);
    await person.press('Import another file');
    await person.isAt('File');
  };
  await known({ name: 'own.csv', text: OWN }, '1 of 1 row is ready');
  const { file, answers } = MOODLE;
  await person.choose(file);
  await person.continueTo('Review');
  await answer(person, answers);
  await person.importAll();
  await person.press('Import another file');
  await person.isAt('File');
  await known({ ...file, name: 'again.csv' }, '0 of 100 rows would change anything', ['Use its answers']);
  await page.context().close();
});
