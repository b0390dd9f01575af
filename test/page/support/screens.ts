/** The way through every screen and state of the page, in any language: each yields its name once it is there. */
import type { Page } from 'playwright-core';
import type { Texts } from '../../../bin/importer/page/texts/en-page.ts';
import { ADMIN } from '../person.ts';
import { sampleOf } from './cases.ts';

const COURSES = ['Information Security Essentials', 'Data Protection in Practice', 'Welcome to Acme'];
const PEOPLE = ['ben.castillo', 'chiara.romano', 'dmitri.volkov', 'farid.haddad', 'grace.mensah', 'hana.suzuki'];
const STATES = [
  'Completed,100,05/14/2023',
  'Completed,100,11/30/2022',
  'In Progress,40,',
  'Failed,60,03/02/2023',
  'Exempt,,',
];

/** An export with a mistyped address, a person who left, a course that is gone, and a date that is none. */
const EXPORT = [
  'Name,Email,Course,Status,Progress %,Completed Date,Assigned Date,Department',
  ...Array.from({ length: 60 }, (_, row) => {
    const who = PEOPLE[row % PEOPLE.length] ?? '';
    const state = row === 33 ? 'Completed,100,13/45/2022' : STATES[(row * 7) % STATES.length];
    const course = row % 20 === 19 ? 'Forklift Refresher 2019' : COURSES[Math.floor(row / 6) % 3];
    const email = row === 8 ? 'elif.yilmaz@acme.tset' : row === 20 ? 'gone@old.test' : `${who}@acme.test`;
    return `${who},${email},${course},${state},01/15/2021,Sales`;
  }),
].join('\n');

/** The start of a text that is made of a count. */
const like = (make: (count: number) => string): RegExp => new RegExp(`^${make(2).replace('2', '\\d+')}$`);

function hands(page: Page, text: Texts) {
  return {
    press: (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click(),
    fill: (label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value),
    isAt: (screen: keyof Texts['screens']) =>
      page.getByRole('heading', { level: 1, name: text.screens[screen], exact: true }).waitFor(),
    link: (name: string) => page.getByRole('link', { name, exact: true }).click(),
  };
}

const openAll = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (const each of document.querySelectorAll('details')) each.open = true;
    // What is drawn once a part is open.
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  });

/** @param page of a new context, at the address of the page */
export async function* screens(page: Page, text: Texts): AsyncGenerator<string> {
  const { press, fill, isAt, link } = hands(page, text);
  const goOn = async (screen: keyof Texts['screens']): Promise<void> => {
    await press(text.continue);
    await isAt(screen);
  };
  await isAt('sign-in');
  await fill(text.signIn.email, ADMIN.email);
  await fill(text.signIn.password, 'wrong');
  await press(text.screens['sign-in']);
  await page.getByRole('alert').waitFor();
  yield 'sign-in';
  await fill(text.signIn.password, ADMIN.password);
  await press(text.screens['sign-in']);
  const home = page.getByRole('heading', { level: 1, name: text.screens.migrations });
  await home.or(page.getByRole('heading', { level: 1, name: text.screens.file })).waitFor();
  if (await home.isVisible()) await press(text.migrations.add);
  await isAt('file');
  yield 'file-empty';
  await press(text.continue);
  await page.getByRole('alert').waitFor();
  yield 'file-error';
  const choose = async (name: string, buffer: Buffer): Promise<void> => {
    await page.getByLabel(text.file.label).setInputFiles({ name, mimeType: '', buffer });
    await page.getByRole('heading', { name }).waitFor();
  };
  /** Until the platform has what is decided: before, the line still says it of what was decided earlier. */
  const keepAfter = async (decide: () => Promise<void>): Promise<void> => {
    const taken = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok());
    await decide();
    await taken;
    await page.getByText(text.draft.kept).waitFor();
  };
  await choose('moodle.csv', sampleOf('moodle-course-completion').bytes);
  await goOn('review');
  await page.getByRole('button', { name: text.review.systemYes }).waitFor();
  yield 'review-system';
  // A draft, which the home shows below.
  await press(text.review.systemNo);
  await page.getByText(text.draft.kept).waitFor();
  await link(text.screens.migrations);
  await press(text.migrations.add);
  await isAt('file');
  await choose('history.csv', Buffer.from(EXPORT));
  yield 'file';
  await goOn('review');
  yield 'review';
  await press(text.continue);
  await page.getByRole('alert').waitFor();
  yield 'review-error';
  await openAll(page);
  await keepAfter(() => press(like(text.review.confirmAll)));
  await page.getByRole('button', { name: like(text.review.confirmAll) }).waitFor({ state: 'detached' });
  yield 'review-open';
  const imports = Promise.withResolvers<void>();
  await page.route('**/progress/imports', async (route) => {
    await imports.promise;
    await route.continue();
  });
  await goOn('import');
  await page.getByText(text.check.reading(60)).waitFor();
  yield 'import-busy';
  imports.resolve();
  await page.locator('.verdict').waitFor();
  await page.getByRole('button', { name: text.rejected.useAll(1) }).waitFor();
  yield 'import';
  await openAll(page);
  await press(text.rejected.match);
  yield 'import-open';
  await keepAfter(() => press(text.rejected.useAll(1)));
  yield 'import-stale';
  await page.getByLabel(text.import.archive(5)).check();
  await press(text.rejected.again);
  await page.getByRole('button', { name: like(text.import.action), disabled: false }).waitFor();
  await press(like(text.import.action));
  await isAt('result');
  await press(text.result.revert);
  await page.getByRole('button', { name: text.keep, exact: true }).waitFor();
  yield 'result';
  await fill(text.evidence.reason, 'The old system ends');
  await press(text.evidence.sign);
  await isAt('evidence');
  yield 'evidence';
  await page.goBack();
  await isAt('result');
  await link(text.result.run);
  await isAt('run');
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  yield 'run';
  await link(text.archive.ofRun);
  await isAt('archive');
  await press(text.archive.tryAll);
  await page.locator('.verdict').waitFor();
  await page.getByRole('rowheader').first().waitFor();
  yield 'archive';
  await link(text.screens.migrations);
  await isAt('migrations');
  await page.getByRole('heading', { name: text.migrations.done }).waitFor();
  yield 'migrations';
  await link(text.screens.learner);
  await isAt('learner');
  await fill(text.learner.who, 'nobody@acme.test');
  await press(text.learner.action);
  await page.getByRole('alert').waitFor();
  yield 'learner-error';
  await fill(text.learner.who, 'ben.castillo@acme.test');
  await press(text.learner.action);
  await page.getByRole('rowheader').first().waitFor();
  yield 'learner';
  await fill(text.learner.who, 'gone@old.test');
  await press(text.learner.action);
  await page.getByRole('heading', { name: text.archive.ofLearner }).waitFor();
  yield 'learner-archived';
}
