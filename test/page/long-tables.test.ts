/** Tables of many rows: only those near the view are in the document, and a person reaches, edits, finds and prints each. Costs half a minute; needs Chromium. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Person } from './person.ts';
import { violationsOf } from './support/axe.ts';
import { usePage } from './support/use-page.ts';

const used = usePage();
const ROWS = 50_000;
/** Its message is twice as high. */
const LONG = 'the same and longer '.repeat(5).trim();
/** Each row but the first two repeats an id, and is rejected; the second half with the long one, so that rows differ in height. */
const TEXT = [
  'external_record_id,user.email,content.platform_course_id,progress.completion_pct,note',
  ...Array.from(
    { length: ROWS + 2 },
    (_, row) => `${row === 1 || row > ROWS / 2 ? LONG : 'same'},ben.castillo@acme.test,101,50,note ${row}`,
  ),
].join('\n');

let person: Person;

beforeAll(async () => {
  const context = await used.browser.newContext();
  person = await Person.signedIn(context, used.stack.url);
  await person.toCheck({ name: 'long.csv', text: TEXT });
  await person.press('Check');
  await person.page.getByText('50,000 records are rejected').first().waitFor();
}, 180_000);
afterAll(() => person?.page.context().close());

/** In the page: rows in the document, and the lines of those in view. */
function seen(): { drawn: number; lines: number[]; widths: number[] } {
  const frame = document.querySelector('.long');
  const box = frame?.getBoundingClientRect() ?? new DOMRect();
  const rows = [...document.querySelectorAll('.long [data-row]')];
  const inView = rows.filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return top < box.bottom - 1 && bottom > box.top + 1;
  });
  return {
    drawn: document.querySelectorAll('tr').length,
    lines: inView.map((row) => Number(row.querySelector('th')?.textContent)),
    widths: [...document.querySelectorAll('.long thead th')].map((cell) => cell.getBoundingClientRect().width),
  };
}

const frame = () => person.page.getByRole('region', { name: '50,000 records are rejected' });
const inView = () => person.page.evaluate(seen);
const lastLine = async (): Promise<number | undefined> => (await inView()).lines.at(-1);
const scrollTo = (part: number): Promise<void> =>
  frame().evaluate((element, to) => element.scrollTo(0, to * element.scrollHeight), part);

it('a table of 50,000 rows has fewer than 200 in the document, and says how many there are', async () => {
  const { drawn, lines } = await inView();
  expect(drawn).toBeLessThan(200);
  expect(lines[0]).toBe(4);
  expect(await frame().getByRole('table').getAttribute('aria-rowcount')).toBe('50001');
  const third = frame()
    .getByRole('row')
    .filter({ has: person.page.getByRole('rowheader', { name: '5', exact: true }) });
  expect(await third.getAttribute('aria-rowindex')).toBe('3');
});

it('the keyboard reaches the last row and the first one', async () => {
  await frame().focus();
  await person.page.keyboard.press('End');
  await expect.poll(lastLine).toBe(ROWS + 3);
  await person.page.keyboard.press('Home');
  await expect.poll(async () => (await inView()).lines[0]).toBe(4);
});

it('scrolling reaches each row: none is missing between two that are in view, and no column changes its width', async () => {
  const { widths } = await inView();
  for (const part of [0.1, 0.35, 0.8, 1]) {
    await scrollTo(part);
    await expect.poll(async () => (await inView()).lines.length).toBeGreaterThan(3);
    const there = await inView();
    expect(there.lines).toEqual(there.lines.map((_, index) => (there.lines[0] ?? 0) + index));
    expect(there.widths).toEqual(widths);
    expect(there.drawn).toBeLessThan(200);
  }
  await expect.poll(lastLine).toBe(ROWS + 3);
});

it('rows that are measured above those in view do not move these', async () => {
  const { page } = person;
  await scrollTo(0.7);
  await expect.poll(async () => ((await inView()).lines[0] ?? 0) > ROWS / 2).toBe(true);
  for (let steps = 0; steps < 20; steps += 1) {
    const [first] = (await inView()).lines;
    const row = frame().getByRole('rowheader', { name: String(first), exact: true });
    const before = await row.boundingBox();
    await frame().evaluate((element) => element.scrollBy(0, -60));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(Math.round(((await row.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBe(60);
  }
});

it('what is typed survives scrolling away and back, and so does the focus', async () => {
  const { page } = person;
  await scrollTo(0);
  const cell = page.getByLabel('progress.completion_pct, line 5', { exact: true });
  await cell.fill('');
  await cell.pressSequentially('20');
  await scrollTo(1);
  await expect.poll(lastLine).toBe(ROWS + 3);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
    'progress.completion_pct, line 5',
  );
  await page.getByLabel(`progress.completion_pct, line ${ROWS + 3}`).focus();
  await expect.poll(() => cell.count()).toBe(0);
  await scrollTo(0);
  await expect.poll(() => cell.count()).toBe(1);
  expect(await cell.inputValue()).toBe('20');
  await page.getByText('1 row is corrected').waitFor();
});

it('the tab key goes from row to row beyond those that were drawn, and its target is in view', async () => {
  const { page } = person;
  const columns = 5;
  await page.getByLabel('note, line 10', { exact: true }).focus();
  for (let presses = 0; presses < 20 * columns; presses += 1) await page.keyboard.press('Tab');
  const focused = page.locator(':focus');
  expect(await focused.getAttribute('aria-label')).toBe('note, line 30');
  expect((await inView()).lines).toContain(30);
  expect((await inView()).drawn).toBeLessThan(200);
});

it('a search finds a row that is not in the document', async () => {
  const { page } = person;
  await page.getByLabel('Search in the table').fill('NOTE 44444');
  await page.getByText('1 of 50,000 rows').waitFor();
  expect((await inView()).lines).toEqual([44_446]);
  await page.getByLabel('Search in the table').fill('');
  await page.getByText('50,000 rows', { exact: true }).waitFor();
});

it('a long table has no violation, and scrolls in its frame at 320 px', async () => {
  const { page } = person;
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await scrollTo(0.5);
    await expect.poll(async () => (await inView()).lines.length).toBeGreaterThan(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    expect(await violationsOf(page)).toEqual([]);
  }
  expect(person.complaints).toEqual([]);
});

it('a comparison is printed with all of its rows', async () => {
  const unknown = Array.from({ length: 300 }, (_, row) => `u${row},nobody${row}@acme.test,101,50`);
  const header = 'external_record_id,user.email,content.platform_course_id,progress.completion_pct';
  const visitor = await Person.visit(used.browser, used.stack.url);
  const { page } = visitor;
  await visitor.signIn();
  await visitor.isAt('File');
  await visitor.toCheck({
    name: 'print.csv',
    text: [header, 'a,ben.castillo@acme.test,101,50', ...unknown].join('\n'),
  });
  await visitor.importAll();
  await visitor.press('Compare');
  const findings = page.getByRole('region', { name: 'Rows that are not equal' }).locator('[data-row]');
  await findings.first().waitFor();
  await page.evaluate(() => {
    const printed = () => {
      document.body.dataset['printed'] = String(
        document.querySelectorAll('[aria-label="Rows that are not equal"] [data-row]').length,
      );
    };
    Object.assign(globalThis, { print: printed });
  });
  expect(await findings.count()).toBeLessThan(200);
  await visitor.press('Print');
  await expect.poll(() => page.locator('body').getAttribute('data-printed')).toBe('300');
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect.poll(() => findings.count()).toBeLessThan(200);
  await page.close();
});
