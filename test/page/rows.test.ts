/** People and rows that a person corrects on the page, and the files of those that stay. Costs seconds; needs Chromium. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../importer/command/support/run-cli.ts';
import { ADMIN, Person } from './person.ts';
import { usePage } from './support/use-page.ts';

const used = usePage();
const { folder } = used;
const desk = { cwd: folder, config: join(folder, 'config') };

async function saved({ page }: Person, button: string): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

const visitor = () => Person.signedIn(used.browser, used.stack.url);

const TYPO = 'elif.yilmaz@acme.tset';
const PEOPLE = [
  'Email;Name;Course;Progress',
  'ben.castillo@acme.test;Ben Castillo;101;50 %',
  `${TYPO};Elif Yilmaz;101;40 %`,
  'gone@old.test;Somebody Else;102;60 %',
].join('\n');

interface Matched {
  readonly users: readonly { readonly email: string; readonly candidates: readonly { readonly email: string }[] }[];
}

it('an unknown person has the candidates that match-users finds, and the chosen one is imported', async () => {
  writeFileSync(join(folder, 'people.csv'), PEOPLE);
  const login = ['login', '--url', used.stack.url, '--email', ADMIN.email, '--password-stdin'];
  expect((await runCli(desk, login, ADMIN.password)).code).toBe(0);
  const matched = JSON.parse((await runCli(desk, ['match-users', 'people.csv', '--json'])).stdout) as Matched;
  const candidates = matched.users.find(({ email }) => email === TYPO)?.candidates.map(({ email }) => email);
  expect(candidates).toEqual(['elif.yilmaz@acme.test']);

  const person = await visitor();
  await person.toPeople({ name: 'people.csv', text: PEOPLE });
  const choice = person.page.getByLabel(`User of the platform for ${TYPO}`);
  await choice.waitFor();
  const offered = await choice.locator('option').allInnerTexts();
  expect(offered.slice(1)).toEqual(candidates);
  const list = await saved(person, 'Download the list');
  expect(list.text.split('\n').slice(1, 3)).toEqual([
    `${TYPO},not_found,1,elif.yilmaz@acme.test`,
    'gone@old.test,not_found,1,',
  ]);
  await choice.selectOption('elif.yilmaz@acme.test');
  await person.continueTo('Check');
  await person.press('Check');
  await person.page.getByText('1 record is rejected').first().waitFor();
  const unmatched = await saved(person, 'Download those that the platform lacks');
  expect(unmatched.name).toBe('people.unmatched.csv');
  expect(unmatched.text).toContain('gone@old.test');
  await person.page.close();
});

const ROWS = [
  'external_record_id,user.email,content.platform_course_id,progress.completion_pct',
  'a,ben.castillo@acme.test,101,120',
  'b,ben.castillo@acme.test,102,130',
  'c,ben.castillo@acme.test,103,50',
].join('\n');

it('a row that is corrected in the table is imported as it was corrected, and the others are not', async () => {
  const person = await visitor();
  await person.toCheck({ name: 'rows.csv', text: ROWS });
  await person.press('Check');
  await person.page.getByText('2 records are rejected').first().waitFor();
  await person.page.getByLabel('progress.completion_pct, line 2').fill('20');
  await person.page.getByLabel('progress.completion_pct, line 2').blur();
  await person.page.getByText('1 row is corrected').waitFor();
  await person.press('Check');
  await person.page.getByText('1 record is rejected').first().waitFor();
  await person.press('Continue');
  await person.press('Import 2 records');
  await person.isAt('Result');
  expect(await person.counts()).toMatchObject({ applied: 2, rejected: 1 });
  await person.page.close();
});

it('rejected items of a JSON file are downloaded as the command writes them', async () => {
  const items = [
    {
      external_record_id: 'j-1',
      user: { email: 'ben.castillo@acme.test' },
      content: { type: 'course', platform_course_id: 101 },
      progress: { completion_pct: 500 },
    },
    {
      external_record_id: 'j-2',
      user: { email: 'ben.castillo@acme.test' },
      content: { type: 'course', platform_course_id: 101 },
      progress: { completion_pct: 50 },
    },
  ];
  const text = items.map((item) => JSON.stringify(item)).join('\n');
  writeFileSync(join(folder, 'items.ndjson'), text);
  const person = await visitor();
  await person.choose({ name: 'items.ndjson', text });
  await person.press('Continue');
  await person.page.getByText('They need no mapping').waitFor();
  await person.page.getByRole('link', { name: 'Check' }).click();
  await person.isAt('Check');
  await person.press('Check');
  await person.page.getByText('1 record is rejected').first().waitFor();
  const rejected = await saved(person, 'Download the rejected rows');
  expect((await runCli(desk, ['import', 'items.ndjson', '--dry-run', '--json'])).code).toBe(1);
  expect(rejected).toEqual({
    name: 'items.rejected.ndjson',
    text: readFileSync(join(folder, 'items.rejected.ndjson'), 'utf8'),
  });
  await person.page.close();
});

it('a guess that nobody has confirmed blocks the import, whichever way a person takes', async () => {
  const rows = ['Passwords,Completed', 'Phishing,In progress'].map((part) => `ben.castillo@acme.test,101,${part}`);
  const person = await visitor();
  const { page } = person;
  await person.choose({ name: 'guess.csv', text: ['Email,Course,Part,Status', ...rows].join('\n') });
  await person.press('Continue');
  await page.getByText('These meanings were guessed').waitFor();
  await page.getByRole('link', { name: 'Courses' }).click();
  await page.getByText('one certain counterpart').first().waitFor();
  await person.continueTo('People');
  await person.continueTo('Check');
  await person.press('Check');
  await person.press('Continue');
  await page.getByRole('alert').filter({ hasText: 'Confirm each meaning that was guessed' }).waitFor();
  await page.evaluate(() => location.assign('#/import'));
  await person.isAt('Check');
  expect(person.requested.filter((url) => url.includes('/imports')).length).toBe(1);
  await page.close();
});
