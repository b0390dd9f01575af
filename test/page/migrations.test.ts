/**
 * Two administrators at two machines, where nothing is imported without a second person: plan, approval, application, result. Each
 * number on the screen is the service's. Costs half a minute; needs Chromium.
 */
import { beforeAll, expect, it } from 'vitest';
import { MigrationClient } from '../../bin/importer/client/index.ts';
import * as ENV from '../../functions/runtime/variables.ts';
import { ADMIN, historyOf, isInView, Person } from './person.ts';
import { COLLEAGUE, twoAdministrators } from './support/two-administrators.ts';
import { usePage } from './support/use-page.ts';

const used = usePage({ data: twoAdministrators() }, { [ENV.approval]: 'second' });
let client: MigrationClient;

beforeAll(async () => {
  client = new MigrationClient({ baseUrl: used.stack.url, company_id: 'acme' });
  await client.session.login(ADMIN);
});

const recordOf = (id: string, email: string, course: number, progress: object) => ({
  external_record_id: id,
  user: { email },
  content: { type: 'course', platform_course_id: course },
  progress,
});
const RECORDS = [
  recordOf('m-1', 'farid.haddad@acme.test', 104, { completion_pct: 100, completed_at: '2023-05-12' }),
  recordOf('m-2', 'hana.suzuki@acme.test', 104, { completion_pct: 40 }),
  recordOf('m-3', 'late@acme.test', 104, { completion_pct: 40 }),
];

/** A draft whose dry runs are closed in a plan, as the steps of the page and the command leave it. */
async function planned(run_id: string, title: string): Promise<void> {
  await client.saveRun(run_id, { title });
  const { import: dryRun } = await client.startImport({ dry_run: true, run_id, records: RECORDS });
  await client.planRun(run_id, [dryRun.import_id]);
}

const visited = async (who = ADMIN): Promise<Person> => {
  const person = await Person.visit(await used.browser.newContext(), used.stack.url);
  await person.signIn(who);
  return person;
};

const textOf = ({ page }: Person): Promise<string> => page.locator('main').innerText();

it('one plans, another looks and approves, the first starts the import: both see what the service has', async () => {
  await planned('two-people', 'Absorb, until 2024');
  // A dry run of the command: nobody has decided anything.
  await client.startImport({ dry_run: true, run_id: 'only-checked', records: RECORDS });
  const maker = await visited();
  await maker.isAt('Migrations');
  await maker.page.getByText('2 written · 1 rejected').waitFor();
  expect(await textOf(maker)).not.toContain('only-checked');
  await maker.page.getByRole('link', { name: 'Open: Absorb, until 2024' }).click();
  await maker.isAt('Migration');
  await maker.page.getByText('2 of 3 records will be imported').waitFor();
  await maker.page.getByText('Waiting for a second administrator').waitFor();
  expect(await maker.page.getByRole('button', { name: /^(?:Approve|Import)/ }).count()).toBe(0);

  // The notice of the service has this address.
  const colleague = await Person.visit(await used.browser.newContext(), used.stack.url, '#/run?id=two-people');
  await colleague.signIn(COLLEAGUE);
  await colleague.isAt('Migration');
  await colleague.page.getByText('Nothing that matters to the plan has happened since it was made.').waitFor();
  expect(await colleague.page.getByRole('region', { name: 'By course, before → after' }).innerText()).toMatch(/1/);
  expect(await colleague.page.getByRole('button', { name: /^Import/ }).count()).toBe(0);
  await colleague.press('Approve');
  await colleague.page.getByLabel('Comment').fill('As agreed.');
  await colleague.press('Yes, approve 2 records');
  await colleague.page.getByText('approved, not imported yet').waitFor();
  const { plan } = await client.getRun('two-people');
  expect(plan).toMatchObject({ status: 'approved', approved_by: 9001, comment: 'As agreed.' });

  await maker.page.reload();
  await maker.signIn();
  await maker.page.getByText('second@acme.test, As agreed.').waitFor();
  await maker.press('Import 2 records');
  await maker.page.getByText('complete, some rejected').waitFor();
  const { counts } = await client.getRun('two-people');
  expect(counts).toMatchObject({ total: 3, succeeded: 2, failed: 1 });
  await maker.page.getByText('The platform does not know “late@acme.test”.').waitFor();
  await colleague.page.getByRole('link', { name: 'Migrations' }).click();
  await colleague.page.getByText('2 on the platform').waitFor();

  await colleague.page.getByRole('link', { name: 'Open: Absorb, until 2024' }).click();
  await colleague.press('Take it back');
  await colleague.press('Yes, take back 2 records');
  await colleague.page.getByText('taken back', { exact: true }).first().waitFor();
  expect(await colleague.page.getByRole('button', { name: /evidence|Take it back/ }).count()).toBe(0);
  expect([maker.complaints, colleague.complaints]).toEqual([[], []]);
  expect(await textOf(colleague)).not.toMatch(/undefined|NaN/);
  await maker.page.context().close();
  await colleague.page.context().close();
});

it('the button of Import asks for the approval, gives the address of the plan, and imports once it is approved', async () => {
  const maker = await visited();
  await maker.isAtFile();
  await maker.toCheck({ name: 'asks.csv', text: historyOf('asks', 3) });
  expect(await maker.page.getByRole('button', { name: /^Import/ }).count()).toBe(0);
  await maker.press('Ask for approval');
  await maker.page.getByText('Waiting for a second administrator').waitFor();
  expect(await maker.page.getByRole('button', { name: 'Ask for approval' }).count()).toBe(0);
  await maker.page.setViewportSize({ width: 390, height: 800 });
  expect(await isInView(maker.page.getByText('Waiting for a second administrator'))).toBe(true);
  const address = await maker.page.getByLabel('Address of the plan').inputValue();
  const run_id = decodeURIComponent(address.replace(/.*#\/run\?id=/, ''));
  expect((await client.getRun(run_id)).counts.imports).toBe(0);
  const colleague = new MigrationClient({ baseUrl: used.stack.url, company_id: 'acme' });
  await colleague.session.login({ email: COLLEAGUE.email, password: COLLEAGUE.password });
  const { plan_digest } = await colleague.getPlan(run_id);
  await colleague.approvePlan(run_id, { plan_digest });
  await maker.page.getByText('The plan is approved.').waitFor();
  await maker.importAll();
  expect(await maker.counts()).toMatchObject({ applied: 3, rejected: 0 });
  expect(maker.complaints).toEqual([]);
  await maker.page.context().close();
});
