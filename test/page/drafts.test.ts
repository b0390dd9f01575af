/** What administrators decide is on the platform at every decision, for each of them. Costs half a minute; needs Chromium. */
import { beforeAll, describe, expect, it } from 'vitest';
import { MigrationClient } from '../../bin/importer/client/index.ts';
import { ADMIN, Person } from './person.ts';
import { COLLEAGUE, twoAdministrators } from './support/two-administrators.ts';
import { usePage } from './support/use-page.ts';

const used = usePage({ data: twoAdministrators() });
let client: MigrationClient;
beforeAll(async () => {
  client = new MigrationClient({ baseUrl: used.stack.url, company_id: 'acme' });
  await client.session.login(ADMIN);
});

/** In a browser of their own. */
const signedIn = async (who = ADMIN, place = ''): Promise<Person> => {
  const person = await Person.visit(await used.browser.newContext(), used.stack.url, place);
  await person.signIn(who);
  await person.isAtFile();
  return person;
};

const HEADER = 'Email,Course,Status,Completed on';
const ROWS = [
  'ben.castillo@acme.test,Information Security Essentials,Completed,2022-05-14',
  'chiara.romano@acme.test,Data Protection in Practice,Unheard,2022-05-15',
  'dmitri.volkov@acme.test,Welcome to Acme,Unspoken,2022-05-16',
];
const fileOf = (name: string, rows: readonly string[] = ROWS) => ({ name, text: [HEADER, ...rows].join('\n') });

const choiceOf = ({ page }: Person, kind: string) => page.getByRole('combobox', { name: new RegExp(`Status ${kind}`) });

async function decide(person: Person, kind: string, outcome: string): Promise<void> {
  await choiceOf(person, kind).selectOption({ label: outcome });
}

const kept = ({ page }: Person): Promise<void> => page.getByText('All that you decided is kept.').waitFor();
/** Until the platform has taken it: before, the line still says it of what was decided earlier. */
async function decideKept(person: Person, kind: string, outcome: string): Promise<void> {
  const taken = person.page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok());
  await decide(person, kind, outcome);
  await taken;
  await kept(person);
}

const decided = ({ page }: Person, count: number): Promise<void> =>
  page.getByRole('heading', { name: new RegExp(`^${count} confirmed`) }).waitFor();

/** What the home says of a migration, of whoever is signed in. */
async function saidOf({ page }: Person, name: string): Promise<string> {
  await page.getByRole('link', { name: 'Migrations' }).click();
  return page.getByRole('listitem').filter({ hasText: name }).locator('.hint').last().innerText();
}

const runOf = ({ page }: Person): string => new URL(page.url()).hash.replace(/^.*run=/, '');
const documentOf = async (person: Person) => (await client.getRun(runOf(person), { include: 'document' })).document;

describe('a draft', () => {
  it('is there after a reload, for a colleague in another browser, and holds no row', async () => {
    const person = await signedIn();
    const file = fileOf('spring.csv');
    await person.toReview(file);
    await decideKept(person, 'Unheard', 'Leave out');
    const text = JSON.stringify(await documentOf(person));
    for (const cell of ['ben.castillo', '2022-05-1']) expect(text).not.toContain(cell);

    await person.page.reload();
    await person.signIn();
    await person.page.getByText(/^Go on with spring\.csv\. Last changed by /).waitFor();
    await person.choose(file);
    await person.continueTo('Review');
    await decided(person, 1);

    const colleague = await signedIn(COLLEAGUE, new URL(person.page.url()).hash);
    await colleague.choose(file);
    await colleague.continueTo('Review');
    await decided(colleague, 1);
    await decideKept(colleague, 'Unspoken', 'Leave out');
    expect((await client.getRun(runOf(person))).updated_by).toBe(9001);
    for (const each of [person, colleague]) await each.page.context().close();
  });

  it('says on the home what is open of it, until it is imported', async () => {
    const person = await signedIn();
    const lost = [
      'nobody@else.test,Old Course,Completed,2022-05-18',
      'nobody@else.test,Welcome to Acme,Completed,2022-05-19',
    ];
    const file = fileOf('open.csv', [...ROWS, ...lost]);
    await person.toReview(file);
    await decideKept(person, 'Unheard', 'Leave out');
    const { title } = await client.getRun(runOf(person));
    expect(title).toBe('open.csv (open: kinds 2, courses 1)');
    const colleague = await signedIn(COLLEAGUE);
    expect(await saidOf(colleague, 'open.csv')).toBe('2 kinds, 1 course open');
    await decideKept(person, 'Unspoken', 'Leave out');
    await person.confirmSuggestions();
    await person.isChecked();
    await kept(person);
    await colleague.page.reload();
    await colleague.signIn(COLLEAGUE);
    expect(await saidOf(colleague, 'open.csv')).toBe('1 course, 1 person open');
    await person.importAll();
    expect((await client.getRun(runOf(person))).title).toBe('open.csv');
    for (const each of [person, colleague]) await each.page.context().close();
  });

  it('that two have changed at once says so, and one of them says whose decisions count', async () => {
    const person = await signedIn();
    const file = fileOf('both.csv');
    await person.toReview(file);
    await decideKept(person, 'Unheard', 'Leave out');
    const colleague = await signedIn(COLLEAGUE, new URL(person.page.url()).hash);
    await colleague.choose(file);
    await colleague.continueTo('Review');
    await decideKept(colleague, 'Unspoken', 'Leave out');

    await decide(person, 'Completed', 'Failed on Completed on');
    await person.page.getByText(/^This migration was changed by second@acme\.test as well/).waitFor();
    const dialog = person.page.waitForEvent('dialog');
    await person.page.close({ runBeforeUnload: true });
    await (await dialog).dismiss();
    await person.press('Take theirs');
    await decided(person, 2);
    await kept(person);

    await decideKept(person, 'Completed', 'Leave out');
    await decide(colleague, 'Completed', 'Failed on Completed on');
    await colleague.page.getByText(/^This migration was changed by /).waitFor();
    await colleague.press('Keep mine');
    await kept(colleague);
    const document = JSON.stringify(await documentOf(colleague));
    expect([document.includes('"failed"'), document.match(/"leave_out"/g)?.length]).toEqual([true, 2]);
    for (const each of [person, colleague]) await each.page.context().close();
  });

  it('whose reply was lost is no conflict', async () => {
    const person = await signedIn();
    await person.toReview(fileOf('lost.csv'));
    let lost = 0;
    await person.page.context().route('**/progress/runs/*', async (route) => {
      if (route.request().method() !== 'PUT' || lost > 1) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
    await decideKept(person, 'Unheard', 'Leave out');
    await decideKept(person, 'Unspoken', 'Leave out');
    expect(lost).toBe(2);
    await person.page.context().close();
  });

  it('whose first reply was lost does not overwrite what a colleague decided meanwhile', async () => {
    const person = await signedIn();
    await person.toReview(fileOf('first.csv'));
    const theirs = { files: [{ name: 'first.csv' }], archive: true };
    let run_id: string | undefined;
    await person.page.context().route('**/progress/runs/*', async (route) => {
      if (route.request().method() !== 'PUT' || run_id !== undefined) return route.continue();
      run_id = new URL(route.request().url()).pathname.replace(/^.*\//, '');
      await route.fetch();
      await client.saveRun(run_id, { document: theirs });
      return route.abort();
    });
    await decide(person, 'Unheard', 'Leave out');
    await person.page.getByText(/^This migration was changed by /).waitFor();
    expect((await client.getRun(run_id ?? '', { include: 'document' })).document).toEqual(theirs);
    await person.page.context().close();
  });

  it('says who gets its notices by mail, also after a reload, and leaves the others', async () => {
    const person = await signedIn();
    const { page } = person;
    const file = fileOf('mail.csv', ROWS.slice(0, 1));
    const box = page.getByRole('checkbox', { name: /^Mail me when / });
    const notified = async () => (await client.getRun(runOf(person))).notify;
    await person.toReview(file);
    await person.confirmSuggestions();
    await person.isChecked();
    // A draft that the platform does not have yet is nobody else's.
    await kept(person);
    const run_id = runOf(person);
    await client.saveRun(run_id, { notify: [COLLEAGUE.id] });
    await box.check();
    const { id } = await client.profile();
    await expect.poll(notified).toEqual([id, COLLEAGUE.id]);
    expect((await client.getRun(run_id)).language).toBe('en');

    await page.reload();
    await person.signIn();
    await person.choose(file);
    await person.continueTo('Review');
    await person.continueTo('Import');
    await person.isChecked();
    expect(await box.isChecked()).toBe(true);
    await box.uncheck();
    await expect.poll(notified).toEqual([COLLEAGUE.id]);
    await page.context().close();
  });

  it('of another file says so; the same file that is chosen anew is offered it', async () => {
    const person = await signedIn();
    const rows = [...ROWS, 'elif.yilmaz@acme.test,Welcome to Acme,Unspoken,2022-05-17'];
    await person.toReview(fileOf('autumn.csv', rows));
    await decideKept(person, 'Unheard', 'Leave out');
    await person.page.getByRole('link', { name: 'File' }).click();
    await person.choose(fileOf('autumn-2.csv', rows.slice(0, 2)));
    await person.continueTo('Review');
    await decided(person, 1);
    await decide(person, 'Completed', 'Leave out');
    await decideKept(person, 'Completed', 'Failed on Completed on');
    await person.page.reload();
    await person.signIn();
    await person.choose(fileOf('winter.csv', rows.slice(1)));
    await person.page.getByText('This is another file than autumn-2.csv, which this migration is of.').waitFor();
    await person.press('Begin a new migration');
    await person.page.getByText('This is another file').waitFor({ state: 'detached' });

    const other = await signedIn();
    await other.choose(fileOf('copy.csv', rows.slice(0, 2)));
    await other.page.getByText(/^This file is being prepared already: /).waitFor();
    await other.press('Go on with what is decided');
    await other.page.getByText('This file is being prepared').waitFor({ state: 'detached' });
    await other.continueTo('Review');
    await decided(other, 2);
    expect(runOf(other)).toMatch(/^autumn-/);
    for (const each of [person, other]) await each.page.context().close();
  });
});

it('a file of a known form is offered the answers of its last migration', async () => {
  const header = (text: string) => text.replace('Completed on', 'Done on');
  const of = (name: string, rows = ROWS) => ({ name, text: header(fileOf(name, rows).text) });
  const person = await signedIn();
  await person.toReview(of('known.csv'));
  for (const kind of ['Unheard', 'Unspoken']) await decide(person, kind, 'Leave out');
  await person.confirmSuggestions();
  await person.isChecked();
  await person.importAll();
  const colleague = await signedIn(COLLEAGUE);
  await colleague.choose(of('next.csv', ROWS.slice(0, 2)));
  await colleague.page.getByText(/^A file of this form was imported before: known\.csv, by /).waitFor();
  await colleague.press('Use its answers');
  await colleague.page.getByText('The choices of known.csv are used.').waitFor();
  await colleague.continueTo('Import');
  for (const each of [person, colleague]) {
    expect(each.complaints).toEqual([]);
    await each.page.context().close();
  }
});
