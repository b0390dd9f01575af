/** The sentences of Review are true of the file: each number is counted here anew. Costs half a minute; needs Chromium. */
import { expect, it } from 'vitest';
import { Person } from './person.ts';
import { usePage } from './support/use-page.ts';

const used = usePage('shared');

const KNOWN = ['ben.castillo', 'chiara.romano', 'dmitri.volkov', 'elif.yilmaz', 'farid.haddad', 'grace.mensah'];
const COURSES = ['Information Security Essentials', 'Data Protection in Practice', 'Welcome to Acme', 'Knitting'];

/** Of 130 people, those of the platform come last. */
const PEOPLE = [
  ...Array.from({ length: 124 }, (_, index) => `stranger.${index}@else.test`),
  ...KNOWN.map((name) => `${name}@acme.test`),
];
const ROWS = PEOPLE.map((email, index) => {
  const state = index % 10 === 0 ? 'In Progress,' : `Completed,2024-01-${String((index % 28) + 1).padStart(2, '0')}`;
  return `${email},${COURSES[index % 4] ?? ''},${state}`;
});
const EXPORT = ['Email,Course,Status,Completed on', ...ROWS].join('\n');

const countOf = (part: string): number => ROWS.filter((row) => row.includes(part)).length;

it('people who were looked up are no more than that, and a course that is left out is not matched', async () => {
  const person = await Person.signedIn(await used.browser.newContext(), used.stack.url);
  const { page } = person;
  // Those that the platform knows come first, so that the column is found.
  await person.toReview({ name: 'words.csv', text: [EXPORT.split('\n', 1).join(), ...ROWS.toReversed()].join('\n') });
  const facts = page.locator('.fact .what');
  const said = async (position: number): Promise<string> =>
    (await facts.nth(position).innerText()).replaceAll('\n', ' ');
  expect(await said(0)).toBe(`Email · ${KNOWN.length} of the first 100 people known`);
  expect(await said(1)).toBe('Course · 3 of 4 courses matched');
  await page.locator('.fact', { hasText: 'courses matched' }).locator('summary').first().click();
  await page.getByRole('button', { name: 'Leave out: Knitting' }).click();
  await expect.poll(() => said(1)).toBe('Course · 3 of 4 courses matched · 1 left out');
  const legend = await page.getByRole('list', { name: 'What the rows become' }).getByRole('listitem').allInnerTexts();
  expect(legend.map((each) => each.trim())).toEqual([
    `${countOf(',Completed,')} completed`,
    `${countOf(',In Progress,')} in progress`,
  ]);
  expect(await page.locator('.hint').allInnerTexts()).toContainEqual(
    expect.stringMatching(/^Your file says 2 different things\./),
  );
  await page.getByRole('heading', { name: `2 suggestions · ${ROWS.length} rows` }).waitFor();
  await page.getByText(`0 of ${ROWS.length} rows confirmed · ${ROWS.length} wait for your confirmation`).waitFor();
  await person.press(/^Confirm 2 suggestions$/);
  await page.getByText(`${ROWS.length} of ${ROWS.length} rows confirmed`).first().waitFor();
  expect(person.complaints).toEqual([]);
  await page.context().close();
});

const MATRIX = [
  'Email,Information Security Essentials,Information Security Essentials expiry,Welcome to Acme,Welcome to Acme expiry',
  'ben.castillo@acme.test,2024-01-02,2027-01-02,2024-02-03,2026-02-03',
  'chiara.romano@acme.test,2024-01-05,2027-01-05,,',
].join('\n');

it.each([
  ['en-GB', 'Course in the header', 'Day in the cell', 'one thing', 'Review'],
  ['de-DE', 'Kurs in der Überschrift', 'Tag in der Zelle', 'hat 1 Fall', 'Durchsehen'],
])('a column that the engine has added has a name of people, in %s', async (locale, course, day, one, review) => {
  const context = await used.browser.newContext({ locale });
  const person = await Person.visit(context, used.stack.url, '#/file');
  const { page } = person;
  await page.locator('[type=email]').fill('admin@acme.test');
  await page.locator('[type=password]').fill('changeme');
  await page.locator('form [type=submit]').click();
  await page.locator('[name=files]').setInputFiles({ name: 'matrix.csv', mimeType: '', buffer: Buffer.from(MATRIX) });
  await page.getByRole('heading', { level: 2, name: 'matrix.csv', exact: true }).waitFor();
  await page.locator('#action').click();
  await person.isAt(review);
  const text = await page.locator('main').innerText();
  for (const name of [course, day, one]) expect(text).toContain(name);
  expect(text).not.toMatch(/:course|:completed|:expires/);
  await page.context().close();
});
