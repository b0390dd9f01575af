/**
 * Rows that the archive keeps, from the question on Import to the day on which the platform knows their course: each sentence with a
 * number is compared with the file and with what is stored. Costs half a minute; needs Chromium.
 */
import { beforeAll, expect, it } from 'vitest';
import { MigrationClient } from '../../bin/importer/client/index.ts';
import { ADMIN, Person } from './person.ts';
import { COMPANY_FILE } from './support/five-files.ts';
import { usePage } from './support/use-page.ts';

const used = usePage({ data: COMPANY_FILE });
let client: MigrationClient;

beforeAll(async () => {
  client = new MigrationClient({ baseUrl: used.stack.url, company_id: 'acme' });
  await client.session.login(ADMIN);
});

const SERVICE = 'Customer Service Excellence';
const RETIRED = 'Old Forklift Basics';
const FILE = [
  'Email,Course,Status,Completed on',
  `elena.gruber@acme.test,${SERVICE},Completed,2024-05-22`,
  `gone.gruber@acme.test,${SERVICE},Completed,2023-03-02`,
  `gone.gruber@acme.test,${RETIRED},Completed,2022-02-03`,
  `felix.gruber@acme.test,${RETIRED},Completed,2021-01-04`,
  `greta.gruber@acme.test,${SERVICE},Completed,2024-15-45`,
].join('\n');

/** By person and course. */
async function stored(): Promise<string[]> {
  const kept: string[] = [];
  for await (const { record } of client.archive({ include: 'record' })) {
    const { user, content } = record as { user: { email: string }; content: { external_course_id?: string } };
    kept.push(`${user.email} ${content.external_course_id ?? SERVICE}`);
  }
  return kept.toSorted();
}

const listed = ({ page }: Person): Promise<string[]> =>
  page
    .locator('main table tbody tr')
    .evaluateAll((rows) =>
      rows.map(({ children: [person, course] }) => `${person?.textContent} ${course?.textContent}`).toSorted(),
    );

const shows = (person: Person, title: string) => person.page.getByRole('heading', { level: 2, name: title }).waitFor();

it('what is kept is said wherever it is counted, listed by its filters, and imported once the platform knows it', async () => {
  const person = await Person.signedIn(await used.browser.newContext(), used.stack.url);
  const { page } = person;
  await person.toCheck({ name: 'leavers.csv', text: FILE });
  await page
    .getByLabel('In 3 rows, the person or the course is not on the platform: keep them in the archive?')
    .check();
  await person.checkAgain();
  await person.importAll();
  expect(await person.sorted()).toMatchObject({ written: 1, 'kept in the archive': 3, 'cannot be written': 1 });
  await shows(person, '1 row could not be written');
  const result = page.getByRole('row', { name: /^kept in the archive/ });
  expect(await result.allInnerTexts()).toEqual([expect.stringMatching(/3$/), expect.stringMatching(/3$/)]);
  expect((await stored()).length).toBe(3);
  expect(await person.counts()).toMatchObject({ applied: 1, rejected: 1 });

  await page.getByRole('link', { name: 'Migrations' }).click();
  await person.isAt('Migrations');
  await page.getByText('3 kept in the archive', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Open: leavers.csv' }).click();
  await shows(person, '3 records kept in the archive');
  const counts = await page.locator('[aria-label="Counts of the migration"] tr').allInnerTexts();
  expect(counts.map((row) => row.replaceAll(/\s+/g, ' '))).toEqual([
    'Records 4',
    'Imported 1',
    'Rejected 0',
    'Kept in the archive 3',
  ]);

  // The archive: of the migration, and by each filter.
  await page.getByRole('link', { name: 'What the archive keeps of it' }).click();
  await person.isAt('Archive');
  await shows(person, '3 records');
  expect(await listed(person)).toEqual(await stored());
  const narrowed = async (label: string, value: string, words: string): Promise<void> => {
    await page.getByLabel(label, { exact: true }).fill(value);
    await person.press('Show');
    const wanted = (await stored()).filter((each) => each.includes(words));
    await expect.poll(() => listed(person)).toEqual(wanted);
    await shows(person, `${wanted.length} records`);
    await page.getByLabel(label, { exact: true }).fill('');
  };
  await narrowed('E-mail address', 'GONE.gruber@acme.test', 'gone');
  await narrowed('Course', RETIRED, RETIRED);
  await page.getByLabel('Why').selectOption({ label: 'The platform does not know the person.' });
  await narrowed('Course', '', 'gone');
  await page.getByLabel('Why').selectOption({ label: 'All reasons' });

  // The platform learns of the course.
  await client.registerCourseMappings([{ external_course_id: RETIRED, platform_course_id: 203 }]);
  await person.press('See what can be imported now');
  await page.getByText('1 of 3 records can be imported now').waitFor();
  expect((await stored()).length).toBe(3);
  await person.press('Make a plan of them');
  await person.isAt('Migration');
  await page.getByText('1 of 1 record will be imported').waitFor();

  const run_id = (await client.listRuns()).runs[0]?.run_id ?? '';
  // A plan that waits is not withdrawn by another try.
  await page.getByRole('link', { name: 'What the archive keeps of it' }).click();
  await person.press('See what can be imported now');
  await page.getByRole('alert').getByText('This migration has a plan already.').waitFor();
  await page.goBack();
  await person.isAt('Migration');
  await person.press('Withdraw the plan');
  await page.getByText('complete, the rest in the archive').waitFor();
  expect((await client.getRun(run_id)).plan?.status).toBe('withdrawn');
  await page.getByRole('link', { name: 'What the archive keeps of it' }).click();
  await person.press('See what can be imported now');
  await person.press('Make a plan of them');
  await person.press('Import 1 record');
  await page.getByText('complete, the rest in the archive').waitFor();
  expect(await stored()).toEqual([`gone.gruber@acme.test ${SERVICE}`, `gone.gruber@acme.test ${RETIRED}`]);
  await page.getByRole('link', { name: 'Archive', exact: true }).click();
  await shows(person, '2 records');
  expect(await listed(person)).toEqual(await stored());

  // A learner has it with the date of the file, and someone unknown has what is archived alone.
  await page.getByRole('link', { name: 'Learners' }).click();
  await person.isAt('Learners');
  await page.getByLabel('E-mail address').fill('felix.gruber@acme.test');
  await person.press('Show');
  await page.getByText('4 January 2021').first().waitFor();
  expect(await page.getByRole('heading', { name: 'Kept in the archive' }).count()).toBe(0);
  await page.getByLabel('E-mail address').fill('gone.gruber@acme.test');
  await person.press('Show');
  await page.getByText('Your company has no learner with this address.').waitFor();
  await shows(person, 'Kept in the archive');
  expect(await listed(person)).toEqual(await stored());
  expect(person.complaints).toEqual([]);
  await page.context().close();
});

it('a file of nothing but leavers is kept, and none of it can be imported yet', async () => {
  const person = await Person.signedIn(await used.browser.newContext(), used.stack.url);
  const { page } = person;
  const text = ['Email,Course,Status,Completed on', `left.gruber@acme.test,${SERVICE},Completed,2024-05-22`].join('\n');
  await person.toCheck({ name: 'left.csv', text });
  await page.getByLabel('In 1 row, the person or the course is not on the platform: keep it in the archive?').check();
  await person.checkAgain();
  await person.importAll();
  expect(await person.sorted()).toMatchObject({ written: 0, 'kept in the archive': 1, 'cannot be written': 0 });
  expect(await stored()).toContain(`left.gruber@acme.test ${SERVICE}`);
  await page.getByRole('link', { name: 'What the archive keeps of it' }).click();
  await person.press('See what can be imported now');
  await page.getByText('0 of 1 record can be imported now').waitFor();
  expect(await page.getByRole('button', { name: 'Make a plan of them' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Migrations' }).click();
  await page.getByRole('link', { name: 'Open: left.csv' }).click();
  await page.getByText('all in the archive', { exact: true }).waitFor();
  expect(person.complaints).toEqual([]);
  await page.context().close();
});
