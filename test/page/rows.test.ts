/** People and rows that are corrected on the page, and the files of the others. Costs seconds; needs Chromium. */
import { expect, it } from 'vitest';
import { Person } from './person.ts';
import { usePage } from './support/use-page.ts';

const used = usePage();

const visitor = () => Person.signedIn(used.browser, used.stack.url);

const TYPO = 'elif.yilmaz@acme.tset';
const COURSE = 'Information Security Essentials';
const PEOPLE = [
  'Email;Name;Course;Status;Completed on',
  `ben.castillo@acme.test;Ben Castillo;${COURSE};Completed;2023-05-14`,
  `${TYPO};Elif Yilmaz;${COURSE};Completed;2023-05-15`,
  `gone@old.test;Somebody Else;${COURSE};Completed;2023-05-16`,
].join('\n');

it('an unknown person has a suggestion, an address can be typed, and one correction applies to all rows', async () => {
  const person = await visitor();
  const { page } = person;
  await person.toReview({ name: 'people.csv', text: PEOPLE });
  await person.press('Confirm 1 suggestion');
  await person.continueTo('Import');
  await person.isChecked();
  await page.getByRole('button', { name: 'Use the suggestion' }).waitFor();
  await person.press('Match or leave out');
  const address = page.getByLabel(`Address to use for ${TYPO}`);
  expect(await address.getAttribute('placeholder')).toBe('elif.yilmaz@acme.test');
  const list = await person.saved('Download the list');
  expect(list.text.split('\n').slice(1, 3)).toEqual([
    `${TYPO},not known,${COURSE},1`,
    `gone@old.test,not known,${COURSE},1`,
  ]);
  await address.fill('elif.yilmaz@acme.test');
  await page.getByRole('button', { name: 'Leave out: gone@old.test' }).click();
  await person.checkAgain();
  await page.getByText('3 of 3 rows are ready').first().waitFor();
  expect(await person.sorted()).toMatchObject({ written: 2, 'left out': 1, 'cannot be written': 0 });
  await page.close();
});

const ROWS = [
  'external_record_id,user.email,content.platform_course_id,progress.completion_pct',
  'a,ben.castillo@acme.test,101,120',
  'b,ben.castillo@acme.test,102,120',
  'c,ben.castillo@acme.test,103,50',
].join('\n');

it('a cause is corrected once for all of its rows, and the import has them as they were corrected', async () => {
  const person = await visitor();
  const { page } = person;
  await person.toCheck({ name: 'rows.csv', text: ROWS });
  await page.getByText('“120” is not a percentage from 0 to 100.').waitFor();
  await page.getByLabel('Correct 120, 2 rows').fill('20');
  await page.getByText('Your changes count after the next check.').waitFor();
  await person.checkAgain();
  await page.getByText('3 of 3 rows are ready').first().waitFor();
  await page.locator('summary', { hasText: '3 rows beside' }).click();
  await page.getByRole('cell', { name: '– → 20 %' }).first().waitFor();
  await person.importAll();
  expect(await person.counts()).toMatchObject({ applied: 3, rejected: 0 });
  await page.close();
});

it('rows that are joined to one record, left out or rejected are all counted, on Import and Result alike', async () => {
  const person = await visitor();
  const { page } = person;
  const row = (who: string, status: string, day: string) => `${who}@acme.test,${COURSE},${status},${day}`;
  const rows = [
    'Email,Course,Status,Completed on,Last access',
    `${row('ben.castillo', 'Completed', '2021-02-14')},2021-02-15`,
    `${row('ben.castillo', 'Completed', '2021-02-14')},2021-02-16`,
    `${row('elif.yilmaz', 'Not started', '')},`,
    `${row('elif.yilmaz', 'Void', '2021-02-14')},`,
  ];
  await person.toReview({ name: 'joined.csv', text: rows.join('\n') });
  await person.press('Confirm 2 suggestions');
  await person.continueTo('Import');
  await person.isChecked();
  await page.getByText('3 of 4 rows are ready').first().waitFor();
  const sorted = { written: 2, 'left out': 1, 'cannot be written': 1 };
  expect(await person.sorted()).toMatchObject(sorted);
  await person.importAll();
  expect(await person.counts()).toEqual({ applied: 1, updated: 0, unchanged: 0, skipped: 1, rejected: 1 });
  await page.getByText('2 of 4 rows are on the platform').waitFor();
  expect(await person.sorted()).toMatchObject(sorted);
  await page.close();
});

it('rows of a kind that nobody has decided stay out, a column may be set aside, and nothing is written without a decision', async () => {
  const rows = ['Completed,2023-05-14,true', 'Completed,2023-05-15,false', 'Verworfen,2023-05-16,true'].map(
    (part, row) => `${['ben.castillo', 'chiara.romano', 'elif.yilmaz'][row]}@acme.test,${COURSE},${part}`,
  );
  const person = await visitor();
  const { page } = person;
  await person.toReview({
    name: 'kinds.csv',
    text: ['Email,Course,Status,Completed on,Dismissed', ...rows].join('\n'),
  });
  await person.press('Continue');
  await page.getByRole('alert').filter({ hasText: 'Nothing is confirmed yet' }).waitFor();
  await page.evaluate(async () => {
    const changed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    location.assign('#/import');
    await changed;
  });
  await person.isAt('Review');
  expect(person.requested.filter((url) => url.endsWith('/imports'))).toEqual([]);
  await person.press('Dismissed does not matter');
  await page.getByRole('button', { name: 'Confirm 1 suggestion' }).waitFor();
  await person.confirmSuggestions();
  await person.isChecked();
  await page.getByText('Not decided in Review: Status Verworfen, Completed on a date.').waitFor();
  await person.importAll();
  expect(await person.counts()).toMatchObject({ applied: 2, rejected: 1 });
  await page.close();
});

it('the browser keeps nothing of a migration, and forgets what an earlier version of the page has kept', async () => {
  const context = await used.browser.newContext();
  await context.addInitScript(() => {
    const request = indexedDB.open('course-progress-migration');
    request.addEventListener('success', () => request.result.close());
  });
  const person = await Person.signedIn(context, used.stack.url);
  const { page } = person;
  await person.toReview({ name: 'kept.csv', text: PEOPLE.replaceAll('05-1', '06-1') });
  await person.press('Confirm 1 suggestion');
  await person.continueTo('Import');
  await person.isChecked();
  await person.press('Match or leave out');
  await page.getByLabel(`Address to use for ${TYPO}`).fill('elif.yilmaz@acme.test');
  await person.checkAgain();
  expect(
    await page.evaluate(async () => [await indexedDB.databases(), localStorage.length, sessionStorage.length]),
  ).toEqual([[], 0, 0]);
  await context.close();
});
