/** What the page asks about a whole file: each answer leads to its records. Costs half a minute; needs Chromium. */
import { expect, it } from 'vitest';
import { MigrationClient } from '../../bin/importer/client/index.ts';
import { textRow, workbookOf } from '../importer/command/support/workbook.ts';
import COMPANY from './five-files/company.json' with { type: 'json' };
import { ADMIN, type ChosenFile, Person } from './person.ts';
import { COMPANY_FILE, storedOf } from './support/five-files.ts';
import { usePage } from './support/use-page.ts';

const used = usePage({ data: COMPANY_FILE });

/** Each case has a learner of its own, who has nothing on the platform before. */
const whoOf = (index: number): string => COMPANY.users[index + 1]?.email ?? '';
const [FIRE, WELCOME] = ['Fire Safety', 'Welcome to the Company'];
const sheetOf = (...lines: readonly string[]): string =>
  lines.map((line, index) => textRow(index + 1, line.split(','))).join('');
const csv = (...lines: readonly string[]): ChosenFile => ({ name: 'asked.csv', text: lines.join('\n') });
const HEADER = 'Email,Course,Status,Completed on';

interface Case {
  readonly asks: string;
  readonly file: (who: string) => ChosenFile;
  /** A button that is pressed, or a field and what is chosen there; each right after the one before. */
  readonly answers: readonly (string | readonly [field: RegExp, choice: string])[];
  /** What the learner has then, by course; no other course. */
  readonly stored: Readonly<Record<number, string>>;
}

const CASES: readonly Case[] = [
  {
    asks: 'whether sheets are courses',
    file: (who) => ({
      name: 'sheets.xlsx',
      text: workbookOf({
        sheets: {
          [FIRE]: sheetOf('Email,Status,Completed on', `${who},Completed,2024-01-22`),
          [WELCOME]: sheetOf('Email,Status,Completed on', `${who},In progress,`),
        },
      }),
    }),
    answers: ['Yes, they are', 'Confirm 2 suggestions'],
    stored: { 201: '100 2024-01-22', 203: '0' },
  },
  {
    asks: 'whether lists are courses',
    file: (email) => ({
      name: 'lists.json',
      text: JSON.stringify({
        [FIRE]: [{ email, status: 'Completed', completed_on: '2024-01-22' }],
        [WELCOME]: [{ email, status: 'In progress', completed_on: null }],
      }),
    }),
    answers: ['Yes, they are', 'Confirm 2 suggestions'],
    stored: { 201: '100 2024-01-22', 203: '0' },
  },
  {
    asks: 'whether lists are people',
    file: (who) => ({
      name: 'people.json',
      text: JSON.stringify({
        [who]: [{ course: FIRE, status: 'Completed', completed_on: '2024-01-22' }],
        'gone@old.test': [{ course: WELCOME, status: 'Completed', completed_on: '2024-01-23' }],
      }),
    }),
    answers: ['Yes, they are', 'Confirm 1 suggestion'],
    stored: { 201: '100 2024-01-22' },
  },
  {
    asks: 'whether the numbers of a matrix are percentages',
    file: (who) => csv(`Email,${FIRE},${WELCOME}`, `${who},85,40`),
    answers: ['Yes, they are percentages of progress', 'Confirm 1 suggestion'],
    stored: { 201: '85', 203: '40' },
  },
  {
    asks: 'which part of a course decides',
    file: (who) =>
      csv(
        'Email,Course,Part,Status,Completed on',
        ...[who, 'gone@old.test', 'left@old.test'].flatMap((each) => [
          `${each},${WELCOME},Theory,Completed,2024-01-22`,
          `${each},${WELCOME},Practice,Completed,2024-01-21`,
          `${each},${FIRE},Theory,Completed,2024-01-24`,
        ]),
      ),
    answers: ['No, Part decides what they become', [/^What .* Practice/, 'Completed on Completed on']],
    stored: { 203: '100 2024-01-21' },
  },
  {
    asks: 'whose a mailbox is',
    file: (who) =>
      csv(
        'Email,Name,Course,Status,Completed on',
        `training@acme.test,Ann Smith,${FIRE},Completed,2024-01-22`,
        `training@acme.test,Ben Castillo,${FIRE},Completed,2024-01-23`,
        `${who},Han Solo,${FIRE},Completed,2024-01-24`,
      ),
    answers: ['Leave these rows out', 'Confirm 1 suggestion'],
    stored: { 201: '100 2024-01-24' },
  },
  {
    asks: 'which columns matter',
    file: (who) =>
      csv(`${HEADER},Seen`, `${who},${FIRE},Completed,2024-01-22,yes`, `${who},${WELCOME},Completed,2024-01-23,no`),
    answers: ['Leave out Seen', 'Confirm 1 suggestion'],
    stored: { 201: '100 2024-01-22', 203: '100 2024-01-23' },
  },
  {
    asks: 'whether the day or the month is first',
    file: (who) => csv(HEADER, `${who},${FIRE},Completed,02/03/2024`),
    answers: [[/^Format of Completed on/, 'D/M/YYYY'], 'Confirm 1 suggestion', 'Yes, completed means passed'],
    stored: { 201: '100 2024-03-02 C' },
  },
  {
    asks: 'whether dates of both orders are read',
    file: (who) =>
      csv(
        'Email,Course,Status,Completed on,Started on',
        ...['25/03/2024', '26/03/2024', '03/27/2024'].map((day) => `${who},${FIRE},Completed,2024-02-03,${day}`),
      ),
    answers: [[/^Format of Started on/, 'Leave the column out'], 'Confirm 1 suggestion', 'Yes, completed means passed'],
    stored: { 201: '100 2024-02-03 C' },
  },
];

it.each(CASES.map((each, index) => ({ ...each, who: whoOf(index) })))(
  '$asks is asked, and the answer decides',
  async ({ file, answers, stored, who }) => {
    const person = await Person.signedIn(used.browser, used.stack.url);
    const { page } = person;
    await person.toReview(file(who));
    for (const answer of answers)
      if (typeof answer === 'string') await person.press(answer);
      else await page.getByLabel(answer[0]).selectOption({ label: answer[1] });
    await person.press('Continue');
    await page.getByRole('heading', { level: 1, name: /^(?:People|Check)$/ }).waitFor();
    if ((await person.heading()) === 'People') await person.continueTo('Check');
    await person.isChecked();
    await person.importAll();
    const client = new MigrationClient({ baseUrl: used.stack.url, company_id: 'acme' });
    await client.session.login(ADMIN);
    const expected = Object.fromEntries(Object.entries(stored).map(([course, has]) => [`${who} ${course}`, has]));
    expect(await storedOf(client, [who])).toEqual(expected);
    expect(person.complaints).toEqual([]);
    await page.close();
  },
);
