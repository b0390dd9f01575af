/** A choice decides nothing while a person moves through it by keyboard (WCAG 3.2.2). Costs seconds; needs Chromium. */
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { Person } from './person.ts';
import { usePage } from './support/use-page.ts';

const used = usePage('shared');

const EXPORT = [
  'Email,Alternative,Course,Status,Completed on',
  'ben.castillo@acme.test,b@acme.test,Welcome to Acme,Completed,2023-05-14',
  'chiara.romano@acme.test,c@acme.test,Welcome to Acme,Completed,2023-05-15',
  'dmitri.volkov@acme.test,d@acme.test,Welcome to Acme,Unheard,2023-05-16',
  'farid.haddad@acme.test,f@acme.test,Welcome to Acme,Verworfen,',
].join('\n');

async function review(): Promise<Person> {
  const person = await Person.signedIn(await used.browser.newContext(), used.stack.url);
  await person.toReview({ name: 'keys.csv', text: EXPORT });
  return person;
}

const confirmed = ({ page }: Person, rows: number): Promise<void> =>
  page.getByText(`${rows} of 4 rows confirmed`).first().waitFor();

/** The heading of the group that a row is in. */
const groupOf = (choice: Locator): Promise<string> =>
  choice.evaluate((each) => each.closest('section')?.querySelector('h2')?.textContent ?? '');

/** With the tab key, out of its row. */
async function leave(choice: Locator): Promise<void> {
  const row = choice.locator('xpath=ancestor-or-self::*[self::li or self::select or self::input][last()]');
  await choice.focus();
  while (await row.evaluate((each) => each.contains(document.activeElement))) await choice.page().keyboard.press('Tab');
}

const hasFocus = (choice: Locator): Promise<boolean> => choice.evaluate((each) => each === document.activeElement);

it.each(['Unheard', 'Completed'])('an arrow key decides nothing of %s, and the enter key does', async (status) => {
  const person = await review();
  const choice = person.page.getByRole('combobox', { name: new RegExp(`Status ${status}`, 'i') });
  const before = await choice.inputValue();
  const group = await groupOf(choice);
  const rows = status === 'Completed' ? 2 : 1;
  await choice.press('ArrowDown');
  await expect.poll(() => choice.inputValue()).not.toBe(before);
  await choice.press('l');
  await confirmed(person, 0);
  expect([await groupOf(choice), await hasFocus(choice)]).toEqual([group, true]);
  const chosen = await choice.inputValue();
  await choice.press('Enter');
  await confirmed(person, rows);
  // The row stays where the person is until it is left.
  expect(await groupOf(choice)).not.toContain('confirmed');
  expect([await choice.inputValue(), await hasFocus(choice)]).toEqual([chosen, true]);
  expect(await person.heading()).toBe('Review');
  await leave(choice);
  await expect.poll(() => groupOf(choice)).toContain('1 confirmed');
  expect(await person.page.evaluate(() => document.activeElement?.matches('body, main, .kinds'))).toBe(false);
  expect(person.complaints).toEqual([]);
  await person.page.context().close();
});

it('leaving a choice decides it, and the escape key takes back what an arrow key has shown', async () => {
  const person = await review();
  const choice = person.page.getByRole('combobox', { name: /Status Unheard/i });
  await choice.press('ArrowDown');
  await choice.press('Escape');
  expect(await choice.inputValue()).toBe('');
  await leave(choice);
  await confirmed(person, 0);
  await choice.press('ArrowDown');
  await leave(choice);
  await confirmed(person, 1);
  await person.page.context().close();
});

it('a suggestion is confirmed by itself, and a decision is undone, while row and focus stay', async () => {
  const person = await review();
  const { page } = person;
  const choice = page.getByRole('combobox', { name: /Status Completed/i });
  const button = (name: string) => page.getByRole('button', { name: new RegExp(`^Status Completed.*: ${name}$`) });
  const suggested = [await choice.inputValue(), await groupOf(choice)];
  await button('Confirm').press('Enter');
  await confirmed(person, 2);
  expect([await choice.inputValue(), await groupOf(choice), await hasFocus(button('Undo'))]).toEqual([
    suggested[0],
    expect.not.stringContaining('confirmed'),
    true,
  ]);
  await choice.selectOption({ label: 'Leave out' });
  await leave(choice);
  await button('Undo').press('Enter');
  await confirmed(person, 0);
  expect(await hasFocus(button('Confirm'))).toBe(true);
  await leave(choice);
  // What we suggested is there again, and not what was decided in between.
  expect([await choice.inputValue(), await groupOf(choice)]).toEqual([
    suggested[0],
    expect.stringContaining('suggestion'),
  ]);
  await page.context().close();
});

it('outcomes are listed by what they mean, and no day by which a course is due comes first', async () => {
  const person = await Person.signedIn(await used.browser.newContext(), used.stack.url);
  const text = EXPORT.replace('Completed on', 'Due Date').replaceAll('2023-05', '2023-06');
  const header = text.split('\n').map((line, index) => `${line},${index === 0 ? 'Completed on' : '2023-05-1' + index}`);
  await person.toReview({ name: 'due.csv', text: header.join('\n') });
  const groups = await person.page
    .getByRole('combobox', { name: /Status Unheard/i })
    .first()
    .locator('optgroup')
    .evaluateAll((all) => all.map((each) => [each.getAttribute('label'), each.querySelector('option')?.textContent]));
  expect(groups).toEqual([
    ['Done', 'Completed on Completed on'],
    ['In progress', 'In progress, at 0 %'],
    ['Failed', 'Failed on Completed on'],
    ['Out', 'Leave out'],
  ]);
  await person.page.context().close();
});

it('an arrow key neither reads a file again nor changes a column', async () => {
  const person = await Person.signedIn(await used.browser.newContext(), used.stack.url);
  const { page } = person;
  await person.choose({ name: 'keys.csv', text: EXPORT });
  await page.getByText('Change', { exact: true }).click();
  const lines = page.getByRole('columnheader', { name: 'Email', exact: true });
  for (const [label, key] of [
    ['Line of the header', 'ArrowUp'],
    ['Encoding', 'ArrowDown'],
    ['Separator', 'ArrowDown'],
  ] as const) {
    const choice = page.getByLabel(label);
    const before = await choice.inputValue();
    await choice.press(key);
    await choice.press(key);
    expect(await choice.inputValue()).not.toBe(before);
    expect([await hasFocus(choice), await lines.count()]).toEqual([true, 1]);
    await choice.press('Escape');
    expect(await choice.inputValue()).toBe(before);
  }
  const header = page.getByLabel('Line of the header');
  await header.press('ArrowUp');
  await header.press('Enter');
  await lines.waitFor({ state: 'detached' });
  await page.getByText('Change', { exact: true }).click();
  await header.press('ArrowDown');
  await leave(header);
  await lines.waitFor();
  await person.continueTo('Review');
  await page.locator('.fact summary', { hasText: 'Learner' }).click();
  const column = page.getByLabel('Column of the learner');
  await column.press('ArrowDown');
  expect(await page.locator('fieldset').isEnabled()).toBe(true);
  await page.locator('summary', { hasText: 'Email' }).waitFor();
  await column.press('Enter');
  await page.locator('summary', { hasText: 'Alternative' }).waitFor();
  expect(person.complaints).toEqual([]);
  await page.context().close();
});
