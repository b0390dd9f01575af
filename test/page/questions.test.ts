/** What the page asks about a whole file: each answer leads to its records. A third of the cases costs seconds; needs Chromium. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MigrationClient } from '../../bin/importer/client/index.ts';
import { tablesIn } from '../importer/command/support/tables.ts';
import { someOf } from '../kit/at-length.ts';
import { ADMIN, Person } from './person.ts';
import { COMPANY_FILE, storedOf } from './support/five-files.ts';
import { usePage } from './support/use-page.ts';

const used = usePage({ data: COMPANY_FILE });

interface Expected {
  /** A button that is pressed, or a field and what is chosen there; each right after the one before. */
  readonly answers: readonly (string | readonly [field: string, choice: string])[];
  /** What the learner of the case, who has nothing on the platform before, has then; no other course. */
  readonly stored: Readonly<Record<string, string>>;
}

it.each(someOf(tablesIn<Expected>(join(import.meta.dirname, 'questions.txt')), 3))(
  '$name is asked, and the answer decides',
  async ({ file, bytes, expected: { answers, stored } }) => {
    const person = await Person.signedIn(used.browser, used.stack.url);
    const { page } = person;
    await person.toReview({ name: file, text: bytes });
    for (const answer of answers)
      if (typeof answer === 'string') await person.press(answer);
      else await page.getByLabel(new RegExp(answer[0])).selectOption({ label: answer[1] });
    await person.press('Continue');
    await person.isChecked();
    await person.importAll();
    const client = new MigrationClient({ baseUrl: used.stack.url, company_id: 'acme' });
    await client.session.login(ADMIN);
    const learners = Object.keys(stored).map((row) => row.split(' ', 1).join());
    expect(await storedOf(client, new Set(learners))).toEqual(stored);
    expect(person.complaints).toEqual([]);
    await page.close();
  },
);
