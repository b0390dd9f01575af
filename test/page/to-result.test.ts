/**
 * A large file from File to Result: each number is that of its rows and of what is stored. Prints the memory of the tab, its longest task,
 * and the minutes of each step. 4,000 rows cost half a minute; `AT_LENGTH=1`, 200,000, half an hour or more. Needs Chromium.
 */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { MigrationClient } from '../../bin/importer/client/index.ts';
import { startLocalStack } from '../../bin/local/stack.ts';
import { ADMIN, COMPANY, learnersOf, writeDataFile } from '../importer/command/support/generate.ts';
import { cases } from '../kit/at-length.ts';
import { Person, SUGGESTIONS } from './person.ts';
import { longestIn, Memory, tabProcesses } from './support/tab.ts';
import { usePage } from './support/use-page.ts';

const ROWS = cases(200_000, 4000);
const LONGEST_MS = 3 * 60 * 60_000;
/** A trace of hours does not fit into memory: it is looked at in pieces. */
const PIECE_MS = 30_000;
const MOST_MB = 400;
const MOST_TASK_MS = 100;

const used = usePage();

/** Of ten rows, six are completed, three in progress, and one not started, which the page leaves out. */
function rowOf(row: number): string {
  const digit = row % 10;
  const [status, percent, day] =
    digit < 6
      ? ['Completed', 100, `2024-${String((row % 12) + 1).padStart(2, '0')}-15`]
      : digit < 9
        ? ['In progress', 10 + (row % 80), '']
        : ['Not started', 0, ''];
  const who = isOfStranger(row) ? 'stranger' : 'learner';
  return `enrolment-${row},${who}-${Math.floor(row / 20)}@big.test,Course ${101 + (row % 20)},${status},${percent},${day}`;
}

/** Somebody whom the platform does not know. */
const isOfStranger = (row: number): boolean => row % 400 === 200;
/** Says once more what the row before it says. */
const isRepeat = (row: number): boolean => row % 500 === 251;

const SORTED = {
  written: ROWS * 0.9 - ROWS / 500 - ROWS / 400,
  unchanged: 0,
  repeated: ROWS / 500,
  'left out': ROWS / 10,
  'kept in the archive': 0,
  'cannot be written': ROWS / 400,
};

async function writeFile(): Promise<string> {
  const path = join(used.folder, 'long.csv');
  function* lines(): Generator<string> {
    yield 'Enrolment ID,E-mail address,Course,Status,Progress,Completed on\n';
    for (let row = 0; row < ROWS; row += 1) yield `${rowOf(isRepeat(row) ? row - 1 : row)}\n`;
  }
  await pipeline(Readable.from(lines()), createWriteStream(path));
  return path;
}

/** @returns the longest task until it is there */
async function until({ page }: Person, selector: string): Promise<number> {
  const wanted = page.locator(selector);
  const piece = (): Promise<void> => wanted.waitFor({ timeout: PIECE_MS }).catch(() => {});
  let longest = 0;
  while ((await wanted.count()) === 0) longest = Math.max(longest, await longestIn(page, used.browser, piece));
  return longest;
}

const n = (count: number): string => count.toLocaleString('en-US');

it(
  `a file of ${ROWS} rows, from File to Result: its numbers are those of the file and of what is stored`,
  async () => {
    const data = join(used.folder, 'long.json');
    writeDataFile(data, learnersOf(ROWS));
    const path = await writeFile();
    const stack = await startLocalStack({ data });
    const person = await Person.visit(await used.browser.newContext(), stack.url);
    const { page } = person;
    page.setDefaultTimeout(LONGEST_MS);
    await person.signIn(ADMIN);
    await person.isAtFile();
    const memory = new Memory(await tabProcesses(used.browser));
    const start = performance.now();
    const steps: string[] = [];
    const took = (step: string, longest: number): number => {
      const minutes = ((performance.now() - start) / 60_000).toFixed(1);
      steps.push(`${step} ${minutes} min, ${longest} ms`);
      process.stdout.write(`${steps.at(-1)}\n`);
      return longest;
    };
    const all = [
      took(
        'Import',
        await longestIn(page, used.browser, async () => {
          await page.getByLabel('Files').setInputFiles(path);
          await page.getByRole('table').first().waitFor();
          await person.continueTo('Review');
          await person.press(SUGGESTIONS);
          await person.continueTo('Import');
        }),
      ),
      took('checked', await until(person, '.verdict')),
    ];
    expect(await person.sorted()).toEqual(SORTED);
    await person.press(`Import ${n(SORTED.written)} records`);
    all.push(took('Result', await until(person, 'h1:text-is("Result")')));
    const most = memory.stop();
    const { usedSize } = await (await page.context().newCDPSession(page)).send('Runtime.getHeapUsage');
    process.stdout.write(
      `${n(ROWS)} rows: ${most} MB, of which ${Math.round(usedSize / 2 ** 20)} MB are the page's at Result; ${steps.join('; ')}\n`,
    );
    expect(await person.sorted()).toEqual(SORTED);
    const { repeated, 'left out': left, 'cannot be written': rejected } = SORTED;
    const skipped = repeated + left;
    expect(await person.counts()).toEqual({ applied: SORTED.written, updated: 0, unchanged: 0, skipped, rejected });
    const run_id = decodeURIComponent(/run=([^&]+)/.exec(page.url())?.[1] ?? '');
    const client = new MigrationClient({ baseUrl: stack.url, company_id: COMPANY });
    await client.session.login(ADMIN);
    const { counts, plan } = await client.getRun(run_id);
    expect([counts.succeeded, counts.archived, plan?.status]).toEqual([SORTED.written, 0, 'applied']);
    let applied = 0;
    for await (const { outcome } of client.runRecords(run_id)) applied += Number(outcome === 'applied');
    expect(applied).toBe(SORTED.written);
    const { text } = await person.saved('Download these rows');
    expect(text.trimEnd().split('\n').length - 1).toBe(rejected);
    expect(Math.max(...all)).toBeLessThan(MOST_TASK_MS);
    expect(most).toBeLessThan(MOST_MB);
    expect(person.complaints).toEqual([]);
    await page.context().close();
    await stack.stop();
  },
  LONGEST_MS,
);
