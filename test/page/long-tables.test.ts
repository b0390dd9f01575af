/** Tables of many rows: only those near the view are in the document, and a person reaches, edits, finds and prints each. Costs half a minute; needs Chromium. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Person } from './person.ts';
import { violationsOf } from './support/axe.ts';
import { usePage } from './support/use-page.ts';

const used = usePage();
const ROWS = 4000;
/** Each row has a percentage of its own that is none: as many causes as rows. Those of the second half are higher. */
const LONG = ' of the whole of a course that has a long name'.repeat(3);
const valueOf = (row: number): string => `no. ${row}${row > ROWS / 2 ? LONG : ''}`;
const TEXT = [
  'external_record_id,user.email,content.platform_course_id,progress.completion_pct',
  ...Array.from({ length: ROWS }, (_, row) => `r${row},ben.castillo@acme.test,101,${valueOf(row)}`),
].join('\n');

let person: Person;

beforeAll(async () => {
  const context = await used.browser.newContext();
  person = await Person.signedIn(context, used.stack.url);
  await person.toCheck({ name: 'long.csv', text: TEXT });
});
afterAll(() => person?.page.context().close());

/** In the page: rows in the document, and the numbers of those in view. */
function seen(): { drawn: number; rows: number[]; widths: number[] } {
  const frame = document.querySelector('.long');
  const box = frame?.getBoundingClientRect() ?? new DOMRect();
  const inView = [...document.querySelectorAll('.long [data-row]')].filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return top < box.bottom - 1 && bottom > box.top + 1;
  });
  return {
    drawn: document.querySelectorAll('tr').length,
    rows: inView.map((row) => Number(/no\. (\d+)/.exec(row.textContent)?.[1])),
    widths: [...document.querySelectorAll('.long thead th')].map((cell) => cell.getBoundingClientRect().width),
  };
}

const frame = () => person.page.getByRole('region', { name: '4,000 rows are rejected' });
const inView = () => person.page.evaluate(seen);
const lastRow = async (): Promise<number | undefined> => (await inView()).rows.at(-1);
const scrollTo = (part: number): Promise<void> =>
  frame().evaluate((element, to) => element.scrollTo(0, to * element.scrollHeight), part);
const cellOf = (row: number) => person.page.getByLabel(`Correct ${valueOf(row)}, 1 row`, { exact: true });

it('a table of 4,000 rows has fewer than 200 in the document, and the keyboard reaches the last and the first', async () => {
  const { drawn, rows } = await inView();
  expect([drawn < 200, rows[0]]).toEqual([true, 0]);
  expect(await frame().getByRole('table').getAttribute('aria-rowcount')).toBe('4001');
  await frame().focus();
  await person.page.keyboard.press('End');
  await expect.poll(lastRow).toBe(ROWS - 1);
  await person.page.keyboard.press('Home');
  await expect.poll(async () => (await inView()).rows[0]).toBe(0);
});

it('scrolling reaches each row: none is missing between two that are in view, and no column changes its width', async () => {
  const { widths } = await inView();
  for (const part of [0.1, 0.35, 0.8, 1]) {
    await scrollTo(part);
    await expect.poll(async () => (await inView()).rows.length).toBeGreaterThan(1);
    const there = await inView();
    expect(there.rows).toEqual(there.rows.map((_, index) => (there.rows[0] ?? 0) + index));
    expect(there.widths).toEqual(widths);
    expect(there.drawn).toBeLessThan(200);
  }
  await expect.poll(lastRow).toBe(ROWS - 1);
});

it('rows that are measured above those in view do not move these', async () => {
  const { page } = person;
  await scrollTo(0.7);
  await expect.poll(async () => ((await inView()).rows[0] ?? 0) > ROWS / 2).toBe(true);
  for (let steps = 0; steps < 10; steps += 1) {
    const [first = 0] = (await inView()).rows;
    const before = await cellOf(first).boundingBox();
    await frame().evaluate((element) => element.scrollBy(0, -60));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(Math.round(((await cellOf(first).boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBe(60);
  }
});

it('what is typed survives scrolling away and back, and so does the focus', async () => {
  const { page } = person;
  await scrollTo(0);
  await cellOf(3).fill('');
  await cellOf(3).pressSequentially('20');
  await scrollTo(1);
  await expect.poll(lastRow).toBe(ROWS - 1);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Correct no. 3, 1 row');
  await cellOf(ROWS - 1).focus();
  await expect.poll(() => cellOf(3).count()).toBe(0);
  await scrollTo(0);
  await expect.poll(() => cellOf(3).count()).toBe(1);
  expect(await cellOf(3).inputValue()).toBe('20');
  await page.getByText('1 value is corrected').waitFor();
});

it('the tab key goes from row to row beyond those that were drawn, and its target is in view', async () => {
  const { page } = person;
  await cellOf(8).focus();
  for (let presses = 0; presses < 40; presses += 1) await page.keyboard.press('Tab');
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Correct no. 48, 1 row');
  expect((await inView()).rows).toContain(48);
});

it('a search finds a row that is not in the document', async () => {
  const { page } = person;
  await page.getByLabel('Search in the table').fill('NO. 1234');
  await page.getByText('1 of 4,000 rows').waitFor();
  expect((await inView()).rows).toEqual([1234]);
  await page.getByLabel('Search in the table').fill('');
  await page.getByText('4,000 rows', { exact: true }).waitFor();
});

it('a long table has no violation, scrolls in its frame at 320 px, and is printed with all of its rows', async () => {
  const { page } = person;
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await scrollTo(0.5);
    await expect.poll(async () => (await inView()).rows.length).toBeGreaterThan(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    expect(await violationsOf(page)).toEqual([]);
  }
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect.poll(() => frame().locator('[data-row]').count()).toBe(ROWS);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect.poll(() => frame().locator('[data-row]').count()).toBeLessThan(200);
  expect(person.complaints).toEqual([]);
});
