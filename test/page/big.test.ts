/**
 * The tab's memory, its longest task, and the seconds until each screen with large files, which it prints. Costs
 * seconds; with `BIG=1`, 500,000 rows of CSV and 100,000 of xlsx, some minutes. Needs Chromium.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startLocalStack } from '../../bin/local/stack.ts';
import {
  ADMIN,
  exportRow,
  type ExportShape,
  HEADER,
  learnersOf,
  writeDataFile,
  writeExport,
} from '../importer/command/support/generate.ts';
import { textRow, workbookOf } from '../importer/command/support/workbook.ts';
import { Person, SUGGESTIONS } from './person.ts';
import { longestIn, Memory, tabProcesses } from './support/tab.ts';
import { usePage } from './support/use-page.ts';

const SHARE = process.env['BIG'] === '1' ? 1 : 0.04;
const MOST_MB = 400;
const MOST_TASK_MS = 100;
const MINUTES = 10 * 60_000;

const used = usePage();
const { folder } = used;

const shapeOf = (rows: number): ExportShape => ({ rows, learners: learnersOf(rows), strangerEvery: 0 });

async function csvFile(rows: number): Promise<string> {
  const path = join(folder, 'big.csv');
  await writeExport(path, shapeOf(rows));
  return path;
}

async function workbookFile(rows: number): Promise<string> {
  const path = join(folder, 'big.xlsx');
  const shape = shapeOf(rows);
  const lines = [textRow(1, HEADER.split(','))];
  for (let row = 0; row < rows; row += 1) lines.push(textRow(row + 2, exportRow(row, shape).split(',')));
  writeFileSync(path, workbookOf({ sheets: { History: lines.join('') } }));
  return path;
}

it('a file of 10,000 people, of whom each fifth is mistyped: all suggestions at once, a search, and the check, without a pause', async () => {
  const [people, typos] = [10_000, 2000];
  const data = join(folder, 'people.json');
  writeDataFile(data, people);
  const stack = await startLocalStack({ data });
  const file = join(folder, 'people.csv');
  const email = (row: number): string => `learner-${row}@big.${row % 5 === 0 ? 'tset' : 'test'}`;
  const rows = Array.from(
    { length: people },
    (_, row) => `${email(row)},Course 102,Completed,2024-01-${10 + (row % 20)}`,
  );
  writeFileSync(file, ['Email,Course,Status,Completed on', ...rows].join('\n'));
  const person = await Person.visit(await used.browser.newContext(), stack.url);
  const { page } = person;
  await person.signIn(ADMIN);
  await person.isAtFile();
  const longest = await longestIn(page, used.browser, async () => {
    await page.getByLabel('Files').setInputFiles(file);
    await page.getByRole('table').first().waitFor({ timeout: MINUTES });
    await person.continueTo('Review');
    await person.press(SUGGESTIONS);
    await page.getByText('0 have no suggestion').waitFor({ state: 'detached' });
    await person.continueTo('Import');
    await page.getByText('8,000 of 10,000 rows are ready').first().waitFor({ timeout: MINUTES });
    await person.press('Match or leave out');
    await page.getByText('2,000 rows', { exact: true }).waitFor({ timeout: MINUTES });
    expect(await page.locator('tr').count()).toBeLessThan(200);
    await page.getByRole('button', { name: /^Use all 2,000 suggestions/ }).click({ timeout: MINUTES });
    await page.getByLabel('Search in the table').fill('learner-9995@');
    await page.getByText('1 of 2,000 rows').waitFor();
    expect(await page.getByLabel('Address to use for learner-9995@big.tset').inputValue()).toBe(
      'learner-9995@big.test',
    );
    await person.press('Check again');
    await page.getByText('10,000 of 10,000 rows are ready').first().waitFor({ timeout: MINUTES });
  });
  process.stdout.write(`People of ${people}, ${typos} mistyped: longest task of the main thread ${longest} ms\n`);
  expect(longest).toBeLessThan(MOST_TASK_MS);
  expect(person.complaints).toEqual([]);
  await page.context().close();
  await stack.stop();
});

it.each([
  { name: 'CSV', whole: 500_000, write: csvFile },
  { name: 'xlsx', whole: 100_000, write: workbookFile },
])(
  'a large file of $name is read in little memory, and the page stays responsive',
  async ({ name, whole, write }) => {
    const rows = whole * SHARE;
    const path = await write(rows);
    const context = await used.browser.newContext();
    const person = await Person.visit(context, used.stack.url);
    const { page } = person;
    page.setDefaultTimeout(MINUTES);
    await person.signIn();
    await person.isAtFile();
    const memory = new Memory(await tabProcesses(used.browser));
    const times: [string, number][] = [];
    const start = performance.now();
    const took = (what: string): void => void times.push([what, (performance.now() - start) / 1000]);
    const longest = await longestIn(page, used.browser, async () => {
      await page.getByLabel('Files').setInputFiles(path);
      await page.getByRole('table').first().waitFor();
      took('file');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: /^Confirm \d+ suggestions?$/ }).waitFor();
      took('review');
      await person.press(SUGGESTIONS);
      await page.getByText('0 have no suggestion').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Continue' }).click();
      await person.isAt('Import');
      took('import');
      await page.getByText(/^Tried: (?!0)/).waitFor();
      took('read for the check');
    });
    const most = memory.stop();
    const seconds = times.map(([what, each]) => `${what} ${each.toFixed(1)} s`).join(', ');
    process.stdout.write(
      `${name}, ${rows} rows: ${most} MB, longest task of the main thread ${longest} ms; ${seconds}\n`,
    );
    expect(most).toBeLessThan(MOST_MB);
    expect(longest).toBeLessThan(MOST_TASK_MS);
    expect(person.complaints).toEqual([]);
    await context.close();
  },
  3 * MINUTES,
);
