/** The page reports a check, and an import that stops or resumes, as it is. Costs half a minute; needs Chromium. */
import { beforeAll, expect, it } from 'vitest';
import { MigrationClient } from '../../bin/importer/client/index.ts';
import { ADMIN, historyOf, isInView, Person } from './person.ts';
import { storedOf } from './support/five-files.ts';
import { usePage } from './support/use-page.ts';

const used = usePage();
let client: MigrationClient;

beforeAll(async () => {
  client = new MigrationClient({ baseUrl: used.stack.url, company_id: 'acme' });
  await client.session.login(ADMIN);
});

const newcomer = async (): Promise<Person> => Person.signedIn(await used.browser.newContext(), used.stack.url);

/** What has the focus: never the page itself, from where a person without a mouse would begin anew. */
const focused = ({ page }: Person): Promise<string> => page.evaluate(() => document.activeElement?.tagName ?? '');

const ROWS = 3000;

/** An import that the platform has begun to apply. */
async function applying(name: string): Promise<Person> {
  const person = await newcomer();
  await person.toCheck({ name: `${name}.csv`, text: historyOf(name, ROWS) });
  await person.startImport();
  await person.page.getByText('You may close this tab').waitFor();
  return person;
}

it('a cancelled import is no error: it says how many were written, offers to take them back, and to resume', async () => {
  const person = await applying('cancelled');
  const { page } = person;
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await isInView(page.getByRole('progressbar'))).toBe(true);
  await person.press('Cancel the import');
  await page.getByText('Cancelling. What was begun').waitFor();
  const said = await page.getByText(/^Cancelled\. /).innerText();
  const [written = 0] = [...said.matchAll(/[\d,]+/g)].map(([count]) => Number(count.replace(',', '')));
  expect(said).toBe(`Cancelled. ${written.toLocaleString('en')} of 3,000 records were imported.`);
  expect(written).toBeLessThanOrEqual(ROWS);
  expect(await page.getByRole('alert').count()).toBe(0);
  await expect.poll(() => focused(person)).not.toBe('BODY');
  expect(await page.getByRole('button', { name: 'Take it back' }).count()).toBe(written > 0 ? 1 : 0);
  await person.press('Resume the import');
  await person.isAt('Result');
  expect(await person.counts()).toMatchObject({ applied: ROWS - written, unchanged: written, rejected: 0 });
  expect(person.complaints).toEqual([]);
  await page.context().close();
});

it('a file whose run has ended is sent again on the next visit: the platform knows by now who was unknown', async () => {
  const rows = ['again-1,farid.haddad@acme.test,,104,40', 'again-2,,HR-LATE,104,40'];
  const header =
    'external_record_id,user.email,user.external_user_id,content.platform_course_id,progress.completion_pct';
  const visited = async () => {
    const person = await newcomer();
    await person.toCheck({ name: 'again.csv', text: [header, ...rows].join('\n') });
    await person.importAll();
    const counts = await person.counts();
    await person.page.context().close();
    return counts;
  };
  expect(await visited()).toMatchObject({ applied: 1, rejected: 1 });
  await client.registerUserMappings([{ external_user_id: 'HR-LATE', email: 'lena.bauer@acme.test' }]);
  expect(await visited()).toMatchObject({ applied: 1, unchanged: 1, rejected: 0 });
});

it("a file of the interface's names says which of its columns are not imported: one may be misspelt", async () => {
  const person = await newcomer();
  const { page } = person;
  const header = 'external_record_id,user.email,content.platform_course_id,progress.completion_pct';
  const row = 'named-1,farid.haddad@acme.test,104,40';
  await person.choose({ name: 'named.csv', text: [`${header},error_codes`, `${row},`].join('\n') });
  await page.getByText('The file speaks the language of the platform').waitFor();
  expect(await page.getByRole('heading', { name: 'Not imported' }).count()).toBe(0);
  const others = 'progress.completed_on,Department';
  await person.choose({ name: 'named.csv', text: [`${header},${others}`, `${row},2022-05-14,Sales`].join('\n') });
  const noted = page.locator('section', { has: page.getByRole('heading', { name: 'Not imported' }) });
  await noted.waitFor();
  expect(await noted.getByRole('listitem').allInnerTexts()).toEqual(others.split(','));
  await page.context().close();
});

it('the focus stays where the person is after an action that removes or disables what was pressed', async () => {
  const person = await newcomer();
  const { page } = person;
  await page.getByRole('button', { name: 'Continue' }).press('Enter');
  await page.getByRole('alert').waitFor();
  await expect.poll(() => focused(person)).toBe('BUTTON');
  const text = CHECKED.replace('Failed', 'Unheard').replace('In Progress,40,', 'Verworfen,40,2024-01-05');
  await person.toReview({ name: 'focus.csv', text });
  await page.getByRole('button', { name: /^Confirm/ }).press('Enter');
  await page.getByRole('button', { name: /^Confirm/ }).waitFor({ state: 'detached' });
  await expect.poll(() => focused(person)).toBe('MAIN');
  const choice = page.getByRole('combobox', { name: /Unheard/ });
  await choice.focus();
  await choice.selectOption({ label: 'Leave out' });
  await expect.poll(() => focused(person)).toBe('UL');
  await page.keyboard.press('Tab');
  await page
    .getByRole('combobox', { name: /Verworfen/ })
    .and(page.locator(':focus'))
    .waitFor();
  await page.context().close();
});

it('a tab that is closed asks nothing, and the platform imports every record without it', async () => {
  const { page } = await applying('closed');
  const run_id = /run=([\w-]+)/.exec(page.url())?.[1] ?? '';
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => void (dialogs.push(dialog.type()), dialog.accept()));
  await page.close({ runBeforeUnload: true });
  const { counts, plan } = await client.waitForRun(run_id);
  expect([dialogs, counts.succeeded, plan?.status]).toEqual([[], ROWS, 'applied']);
  await page.context().close();
});

const SAID = [
  ['ben.castillo', 'Information Security Essentials', 'Completed,100,2022-05-14'],
  ['ben.castillo', 'Information Security Essentials', 'Completed,100,2023-05-14'],
  ['chiara.romano', 'Data Protection in Practice', 'In Progress,40,'],
  ['dmitri.volkov', 'Welcome to Acme', 'In Progress,60,'],
  ['grace.mensah', 'Welcome to Acme', 'Failed,20,2023-03-02'],
  ['hana.suzuki', 'Data Protection in Practice', 'Completed,100,1985-05-14'],
  ['elif.yilmaz', 'Giving Feedback', 'Completed,100,2024-05-14'],
] as const;
const CHECKED = [
  'Email,Course,Status,Progress %,Completed on',
  ...SAID.map(([who, course, state]) => `${who}@acme.test,${course},${state}`),
  'nobody@else.test,Giving Feedback,In Progress,30,',
].join('\n');

const SORTED = {
  written: 7,
  unchanged: 0,
  repeated: 0,
  'left out': 0,
  'kept in the archive': 0,
  'cannot be written': 1,
};
const DOUBTS = [
  '1 course was completed 2 times by the same person. Each completion is kept; the platform shows the latest.',
  'A date is before 1990: 1 row, first in line 7.',
  "1 row says less than the platform has. The platform's progress is kept.",
  '1 row has an exam result for a course without an exam. The result is ignored.',
];

async function transcriptOf({ page }: Person, email: string): Promise<void> {
  await page.getByRole('link', { name: 'Learners' }).click();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('rowheader').first().waitFor();
}

it('a learner is found by a part of the address, among those whom the last migrations name', async () => {
  const person = await newcomer();
  const { page } = person;
  await person.toCheck({ name: 'parts.csv', text: historyOf('parts', 10) });
  await person.importAll();
  await transcriptOf(person, 'SUZ');
  const address = page.getByLabel('E-mail address');
  expect(await address.inputValue()).toBe('hana.suzuki@acme.test');
  await address.fill('@acme');
  await person.press('Show');
  await page.getByRole('heading', { name: 'Who is meant?' }).waitFor();
  await person.press('kofi.asante@acme.test');
  await page.getByRole('rowheader').first().waitFor();
  expect(await address.inputValue()).toBe('kofi.asante@acme.test');
  await address.fill('zzz');
  await person.press('Show');
  expect(await page.getByRole('alert').innerText()).toContain('Nobody with “zzz” was found');
  expect(person.complaints).toEqual([]);
  await page.context().close();
});

/** As the tables of the check have it: completed, in progress and certified of each course, and completions of each year. */
const BEFORE_AND_AFTER = {
  courses: {
    'Information Security Essentials': ['0 → 1', '1 → 0', '0: no row says “passed” Change'],
    'Data Protection in Practice': ['1 → 2', '0', '1'],
    'Welcome to Acme': ['0', '1 → 2', '0'],
    'Giving Feedback': ['0 → 1', '0', '0'],
  },
  years: { 1985: ['0 → 1'], 2023: ['0 → 1'], 2024: ['0 → 1'], 2025: ['1'] },
};
/** What the platform has of them afterwards. */
const STORED = {
  'ben.castillo@acme.test 101': '100 2023-05-14',
  'chiara.romano@acme.test 102': '100 2025-11-14 C',
  'dmitri.volkov@acme.test 103': '60',
  'grace.mensah@acme.test 103': '20',
  'hana.suzuki@acme.test 102': '100 1985-05-14',
  'elif.yilmaz@acme.test 104': '100 2024-05-14',
};

const tableOf = async ({ page }: Person, name: string): Promise<Record<string, string[]>> => {
  const rows = await page
    .getByRole('region', { name, includeHidden: true })
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map(({ textContent }) => textContent)));
  return Object.fromEntries(rows.map(([title = '', ...cells]) => [title, cells]));
};

it('each number and sentence of the check is what is then stored; elsewhere the run and the learners say the same', async () => {
  const person = await newcomer();
  const { page } = person;
  await person.toCheck({ name: 'said.csv', text: CHECKED });
  const courses = await tableOf(person, 'By course, before → after');
  const years = await tableOf(person, 'Completions by year, before → after');
  const sorted = await person.sorted();
  const doubts = await page.locator('.notice.warning li').allInnerTexts();
  await person.importAll();
  expect({ courses, years }).toEqual(BEFORE_AND_AFTER);
  expect(
    await storedOf(
      client,
      Object.keys(STORED).map((key) => key.replace(/ .*/, '')),
    ),
  ).toMatchObject(STORED);
  expect([sorted, doubts]).toEqual([SORTED, DOUBTS]);
  expect(await person.sorted()).toEqual(SORTED);
  expect(await person.counts()).toMatchObject({ applied: 7, rejected: 1 });
  expect(person.complaints).toEqual([]);
  await page.context().close();

  // Somebody else corrects a completion, at another machine.
  const [[who]] = SAID;
  const transcript = [];
  for await (const course of client.learnerCourses({ email: `${who}@acme.test` })) transcript.push(course);
  const [wrong] = transcript.flatMap(({ contributions }) => contributions);
  expect(transcript.map(({ contributions }) => contributions.length)).toEqual([2]);
  await client.waitForImport(
    (
      await client.startImport({
        dry_run: false,
        replace: true,
        records: [
          {
            external_record_id: wrong?.external_record_id,
            user: { email: `${who}@acme.test` },
            content: { type: 'course', platform_course_id: 101 },
            progress: { completion_pct: 100, completed_at: '2021-05-14' },
          },
        ],
      })
    ).import.import_id,
  );
  const colleague = await newcomer();
  await transcriptOf(colleague, `${who}@acme.test`);
  const from = await colleague.page.getByRole('row').last().getByRole('listitem').allInnerTexts();
  const days = from.map((text) => text.replace(/^import of \d+ \w+ \d+ /, ''));
  const told = ['the platform itself', '14 May 2021', '14 May 2022 replaced later', '14 May 2023'];
  expect(days).toEqual(told);
  await colleague.page.getByRole('cell').getByRole('link').first().click();
  await colleague.isAt('Migration');
  await colleague.page
    .getByRole('cell', { name: /, Ada Okafor$/ })
    .first()
    .waitFor();
  for (const said of ['complete, some rejected', '7'])
    await colleague.page.getByText(said, { exact: true }).first().waitFor();
  // The titles of courses come after the records.
  await expect
    .poll(() => tableOf(colleague, '1 record rejected'))
    .toEqual({
      'The platform does not know “nobody@else.test”.': ['1', 'nobody@else.test · Giving Feedback · percentage 30'],
    });
  await colleague.page.getByRole('button', { name: 'Take it back' }).waitFor();
  await colleague.page.getByRole('button', { name: 'Sign evidence' }).waitFor();
  await colleague.page.context().close();
});
