/** Tables of many rows: a person reaches, edits, finds and prints each. Costs half a minute; needs Chromium. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Person } from './person.ts';
import { violationsOf } from './support/axe.ts';
import { usePage } from './support/use-page.ts';

const used = usePage();
const ROWS = 4000;
/** Each row has a percentage of its own that is none: as many causes as rows. */
const valueOf = (row: number): string => `no. ${row}`;
const TEXT = [
  'external_record_id,user.email,content.platform_course_id,progress.completion_pct',
  ...Array.from({ length: ROWS }, (_, row) => `r${row},ben.castillo@acme.test,101,${valueOf(row)}`),
].join('\n');

let person: Person;

beforeAll(async () => {
  const context = await used.browser.newContext();
  person = await Person.signedIn(context, used.stack.url);
  await person.toCheck({ name: 'long.csv', text: TEXT });
  await person.press('Correct it');
});
afterAll(() => person?.page.context().close());

const frame = () => person.page.getByRole('region', { name: 'Correct it' });
const rows = () => frame().locator('tbody tr');
const cellOf = (row: number) => person.page.getByLabel(`Correct ${valueOf(row)}, 1 row`, { exact: true });

it('a table of 4,000 rows has a hundred in the document, and the next ones are one press away', async () => {
  const { page } = person;
  expect(await rows().count()).toBe(100);
  await person.press('Rows after');
  await page.getByText('101–200').waitFor();
  expect(await cellOf(100).count()).toBe(1);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Rows after');
  await person.press('Rows before');
  await page.getByText('1–100', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Rows before' }).isDisabled()).toBe(true);
});

it('what is typed survives other rows', async () => {
  const { page } = person;
  await cellOf(3).fill('20');
  await person.press('Rows after');
  await expect.poll(() => cellOf(3).count()).toBe(0);
  await person.press('Rows before');
  expect(await cellOf(3).inputValue()).toBe('20');
  await page.getByText('Your changes count after the next check.').waitFor();
});

it('a search finds a row that is not in the document', async () => {
  const { page } = person;
  await page.getByLabel('Search in the table').fill('NO. 1234');
  await page.getByText('1 of 4,000 rows').waitFor();
  expect(await cellOf(1234).count()).toBe(1);
  await page.getByLabel('Search in the table').fill('');
  await page.getByText('4,000 rows', { exact: true }).waitFor();
});

it('a long table has no violation, scrolls in its frame at 320 px, and is printed with all of its rows', async () => {
  const { page } = person;
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    expect(await violationsOf(page)).toEqual([]);
  }
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect.poll(() => rows().count()).toBe(ROWS);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect.poll(() => rows().count()).toBe(100);
  expect(person.complaints).toEqual([]);
});
