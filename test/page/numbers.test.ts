/**
 * Each number that the page says of a file is that of its rows and of what is then stored: on Review, Import, Result, in the download,
 * the run and the evidence. Twelve files, of which a third costs half a minute; needs Chromium.
 */
import { beforeAll, expect, it } from 'vitest';
import { MigrationClient } from '../../bin/importer/client/index.ts';
import { someOf } from '../kit/at-length.ts';
import { ADMIN, type ChosenFile, historyOf, Person, SUGGESTIONS } from './person.ts';
import { COMPANY_FILE, FIVE } from './support/five-files.ts';
import { usePage } from './support/use-page.ts';

const used = usePage({ data: COMPANY_FILE });
let client: MigrationClient;

beforeAll(async () => {
  client = new MigrationClient({ baseUrl: used.stack.url, company_id: 'acme' });
  await client.session.login(ADMIN);
});

interface Case {
  readonly name: string;
  readonly file: ChosenFile;
  readonly rows: number;
  /** Rows of sums, which are no kind of row and have no place on Review. */
  readonly sums?: number;
  /** What is chosen on Review for kinds without a suggestion: words of the kind, and the outcome. */
  readonly answers?: Readonly<Record<string, string>>;
  /** What is done on Import before the button. */
  readonly onImport?: (person: Person) => Promise<void>;
  /** Rows that are written, by hand; else as many as the truth of a system has. */
  readonly sorted: Readonly<Record<string, number>>;
  /** Records of several rows have fewer numbers than rows. */
  readonly isJoined?: boolean;
}

const HEADER = 'Email,Course,Status,Completed on,Score';
const rowOf = (who: string, course: string, status: string, day: string, score = ''): string =>
  `${who}.gruber@acme.test,${course},${status},${day},${score}`;
const fileOf = (name: string, rows: readonly string[], header = HEADER): ChosenFile => ({
  name: `${name}.csv`,
  text: [header, ...rows].join('\n'),
});

const WELCOME = 'Welcome to the Company';
const SERVICE = 'Customer Service Excellence';

const OWN: readonly Case[] = [
  {
    name: 'rows that are repeated, and one that says something else',
    file: fileOf(
      'repeated',
      [
        ...['n-1', 'n-1', 'n-1', 'n-2'].map((id) => `${id},amara.gruber@acme.test,203,40`),
        'n-2,bruno.gruber@acme.test,203,50',
      ],
      'external_record_id,user.email,content.platform_course_id,progress.completion_pct',
    ),
    rows: 5,
    sorted: { written: 2, repeated: 2, 'cannot be written': 1 },
  },
  {
    name: 'rows that are joined to one record',
    file: fileOf(
      'joined',
      [
        `${rowOf('clara', SERVICE, 'Completed', '2024-02-14')},2024-02-15`,
        `${rowOf('clara', SERVICE, 'Completed', '2024-02-14')},2024-02-16`,
        `${rowOf('daan', SERVICE, 'Not started', '')},`,
        `${rowOf('daan', SERVICE, 'Void', '2024-02-14')},`,
      ],
      `${HEADER},Last access`,
    ),
    rows: 4,
    sorted: { written: 2, 'left out': 1, 'cannot be written': 1 },
    isJoined: true,
  },
  {
    name: 'a course that is left out, and a person',
    file: fileOf('left-out', [
      rowOf('elena', WELCOME, 'Completed', '2024-03-22'),
      rowOf('felix', 'Old Forklift Basics', 'Completed', '2024-03-22'),
      rowOf('nobody', WELCOME, 'Completed', '2024-03-22'),
    ]),
    rows: 3,
    onImport: async (person) => {
      const { page } = person;
      await person.press('Choose the course');
      await page.getByRole('button', { name: 'Leave out: Old Forklift Basics' }).click();
      await person.press('Match or leave out');
      await person.press('Leave all of them out');
      await person.checkAgain();
    },
    sorted: { written: 1, 'left out': 2, 'cannot be written': 0 },
  },
  {
    name: 'rows of people and courses that the archive keeps',
    file: fileOf('archived', [
      rowOf('elena', SERVICE, 'Completed', '2024-05-22'),
      rowOf('gone', SERVICE, 'Completed', '2024-05-22'),
      rowOf('felix', 'Old Forklift Basics', 'Completed', '2024-05-22'),
      rowOf('greta', SERVICE, 'Completed', '2024-15-45'),
    ]),
    rows: 4,
    onImport: async (person) => {
      await person.page.getByLabel('keep them in the archive?').check();
      await person.checkAgain();
    },
    sorted: { written: 1, 'kept in the archive': 2, 'cannot be written': 1 },
  },
  {
    name: 'a cell that is corrected, and one that is not',
    file: fileOf('corrected', [
      rowOf('greta', WELCOME, 'Completed', '2024-13-45'),
      rowOf('hugo', WELCOME, 'Completed', '2024-04-22'),
      rowOf('ines', WELCOME, 'Completed', '2024-14-46'),
    ]),
    rows: 3,
    onImport: async (person) => {
      await person.press('Correct it');
      await person.page.getByLabel('Correct 2024-13-45, 1 row').fill('2024-04-21');
      await person.checkAgain();
    },
    sorted: { written: 2, 'cannot be written': 1 },
  },
];

const CASES: readonly Case[] = [
  ...FIVE.map(({ name, file, rows, answers, truth }) => ({
    name,
    file,
    rows,
    answers,
    sums: file.name.endsWith('.xlsx') ? 2 : 0,
    onImport: useSuggestions,
    sorted: { written: Object.keys(truth).length },
  })),
  ...OWN,
];

async function useSuggestions(person: Person): Promise<void> {
  const use = person.page.getByRole('button', { name: /^Use (?:all|the) / });
  if ((await person.page.getByText('not on the platform').count()) === 0) return;
  await use.click();
  await person.checkAgain();
}

const noChange = async (): Promise<void> => {};

const numberIn = (text: string, pattern: RegExp): number =>
  Number((pattern.exec(text)?.[1] ?? '').replaceAll(/[,.]/g, ''));
const countOf = (sorted: Readonly<Record<string, number>>, name: string): number => sorted[name] ?? 0;
const sumOf = (numbers: Readonly<Record<string, number>>): number =>
  Object.values(numbers).reduce((sum, each) => sum + each, 0);

/** From the file to the end of Review. @returns its rows, by what is said of them and by what they become */
async function reviewed(person: Person, { file, rows, answers = {} }: Case): Promise<readonly number[]> {
  const { page } = person;
  await person.choose(file);
  await person.press('Continue');
  await page.getByRole('heading', { level: 1, name: /^(?:Review|Import)$/ }).waitFor();
  if ((await person.heading()) === 'Import') {
    // It has the names of the platform, and nothing to review.
    await person.isChecked();
    return [rows, rows];
  }
  const confirm = page.getByRole('button', { name: SUGGESTIONS });
  if (await confirm.isVisible()) await confirm.click();
  for (const [words, outcome] of Object.entries(answers))
    await page.getByLabel(new RegExp(`^What .* with .*${words}`)).selectOption({ label: outcome });
  const said = numberIn(await page.locator('.footer').innerText(), /of ([\d,]+) rows? confirmed/);
  const states = await page.locator('.legend').first().locator('strong').allInnerTexts();
  await person.continueTo('Import');
  await person.isChecked();
  return [said, states.reduce((sum, each) => sum + numberIn(each, /([\d,]+)/), 0)];
}

/** The rows that the download of a person has. */
async function downloaded(person: Person, count: number): Promise<number> {
  if (count === 0) return 0;
  const { text } = await person.saved('Download these rows');
  return text.trimEnd().split('\n').length - 1;
}

const runOf = (address: string | null): string =>
  decodeURIComponent(/(?:run|id)=([^&]+)/.exec(address ?? '')?.[1] ?? '');

/** Records that evidence says were moved, and those that were not. */
async function evidenceOf(person: Person): Promise<readonly [moved: number, notMoved: number]> {
  const { page } = person;
  await page.getByLabel('Reason of the migration').fill('The old system ends.');
  await person.press('Sign evidence');
  await person.isAt('Evidence');
  await page.getByText('Everything that was checked holds.').waitFor();
  const cells = (region: string, column: number): Promise<number> =>
    page
      .locator(`[aria-label="${region}"] tbody tr`)
      .evaluateAll(
        (rows, at) =>
          rows.reduce((sum, { children }) => sum + Number(children[at]?.textContent.replaceAll(',', '') ?? 0), 0),
        column,
      );
  return [await cells('By course', 1), await cells('Not moved, by reason', 1)];
}

it.each(someOf(CASES, 3))('$name: each number is true', async (each) => {
  const { rows, sorted, sums = 0, onImport = noChange, isJoined = false } = each;
  const person = await Person.signedIn(await used.browser.newContext(), used.stack.url);
  const { page } = person;
  expect(await reviewed(person, each)).toEqual([rows - sums, rows - sums]);
  await onImport(person);
  const before = await person.sorted();
  expect(before).toMatchObject(sorted);
  expect(sumOf(before)).toBe(rows);
  const failed = countOf(before, 'cannot be written');
  await page
    .getByText(`${rows - failed} of ${rows} rows are ready`)
    .first()
    .waitFor();
  expect(await downloaded(person, failed)).toBe(failed);
  const button = page.getByRole('button', { name: /^Import [\d,]+ records?$/ });
  const records = numberIn(await button.innerText(), /([\d,]+)/);
  await person.importAll();
  const run_id = runOf(await page.getByRole('link', { name: 'The page of this run' }).getAttribute('href'));
  expect(await person.sorted()).toEqual(before);
  const { skipped, rejected, ...there } = await person.counts();
  const left = countOf(before, 'left out') + countOf(before, 'repeated');
  const archived = countOf(before, 'kept in the archive');
  expect([sumOf(there), skipped, Number(rejected) <= failed]).toEqual([records, left, true]);
  expect(await downloaded(person, failed)).toBe(failed);
  // What the platform has.
  const { counts, plan } = await client.getRun(run_id);
  let stored = 0;
  for await (const { outcome } of client.runRecords(run_id)) stored += outcome === null ? 0 : 1;
  expect([counts.succeeded, stored, counts.archived, plan?.status]).toEqual([records, records, archived, 'applied']);
  const [moved, notMoved] = await evidenceOf(person);
  expect(moved).toBe(records);
  // Of rows that were joined, the evidence counts records.
  const inRows = [records, rejected, notMoved];
  expect(isJoined ? [] : inRows).toEqual(
    isJoined ? [] : [countOf(before, 'written'), failed, left + failed + archived],
  );
  expect(person.complaints).toEqual([]);
  await page.context().close();
});

const csvOf = (name: string, rows: number): ChosenFile => ({
  name: `${name}.csv`,
  text: historyOf(name, rows)
    .replaceAll(/\w+\.\w+@/g, 'jonas.gruber@')
    .replaceAll(/,10([45]),/g, ',20$1,')
    .replaceAll(',205,', ',203,'),
});

it('an import that is cancelled and resumed, and then taken back, says each time what is stored', async () => {
  const person = await Person.signedIn(await used.browser.newContext(), used.stack.url);
  const { page } = person;
  await person.toCheck(csvOf('cancelled', 3000));
  await person.startImport();
  await person.press('Cancel the import');
  const run_id = runOf(page.url());
  const written = numberIn(await page.getByText(/^Cancelled\. /).innerText(), /^Cancelled\. ([\d,]+) of 3,000/);
  expect((await client.getRun(run_id)).counts.succeeded).toBe(written);
  await person.press('Resume the import');
  await person.isAt('Result');
  expect(await person.sorted()).toMatchObject({ written: 3000 - written, unchanged: written });
  await person.press('Take it back');
  await person.press('Yes, take back 3,000 records');
  await page.getByText('Taken back: 3,000 records are no longer on the platform').waitFor();
  expect((await client.getRunRevert(run_id)).counts.reverted).toBe(3000);
  await page.context().close();
});

it('the same file tells the truth again after the platform was corrected', async () => {
  const header = 'external_record_id,user.external_user_id,content.platform_course_id,progress.completion_pct';
  const file = fileOf('again', ['again-1,HR-1,203,40', 'again-2,HR-2,203,50'], header);
  const visited = async () => {
    const person = await Person.signedIn(await used.browser.newContext(), used.stack.url);
    await person.toCheck(file);
    const sorted = await person.sorted();
    await person.importAll();
    expect(await person.sorted()).toEqual(sorted);
    await person.page.context().close();
    return sorted;
  };
  const register = (id: string, name: string) =>
    client.registerUserMappings([{ external_user_id: id, email: `${name}.gruber@acme.test` }]);
  await register('HR-1', 'hugo');
  expect(await visited()).toMatchObject({ written: 1, unchanged: 0, 'cannot be written': 1 });
  await register('HR-2', 'ines');
  expect(await visited()).toMatchObject({ written: 1, unchanged: 1, 'cannot be written': 0 });
});
