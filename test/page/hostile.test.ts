/** Hostile files are read, or refused in words; downloads run as no formula. Costs half a minute; needs Chromium. */
import { beforeAll, expect, it } from 'vitest';
import { HOSTILE_WORKBOOKS } from '../importer/command/support/hostile-workbooks.ts';
import { someOf } from '../kit/at-length.ts';
import { Person } from './person.ts';
import { usePage } from './support/use-page.ts';

const used = usePage('shared');
let person: Person;

beforeAll(async () => {
  person = await Person.signedIn(used.browser, used.stack.url);
});

const MIB = 1024 * 1024;
const WIDE = Array.from({ length: 100_000 }, (_, i) => `c${i}`).join(',');

/** The mistakes that are found when a file is opened; a third of the workbooks, all of which the engine refuses alike. */
const REFUSED: readonly (readonly [name: string, file: string, content: string | Buffer, sentence: string])[] = [
  ...someOf(HOSTILE_WORKBOOKS, 3).map(
    ([name, content, sentence]) => [name, 'history.xlsx', content, sentence] as const,
  ),
  [
    'of a web page under the name of a workbook',
    'history.xls',
    '<html><table><tr><td>1</table>',
    'is a web page with a table',
  ],
  ['with 100,000 columns', 'wide.csv', `${WIDE}\n${WIDE}\n`, '100,000 columns'],
  ['with a cell of 2 MiB', 'cell.csv', `a,b\n1,"${'x\n'.repeat(MIB)}"\n`, 'longer than 1 MiB'],
  ['with a line of 2 MiB', 'line.csv', `a,b\n1,${'x'.repeat(2 * MIB)}\n`, 'longer than'],
  ['of nothing but nested arrays', 'deep.json', '['.repeat(MIB), 'deep.json'],
  ['without a byte', 'empty.csv', '', 'is empty'],
];

it.each(REFUSED)('a file %s is refused in a sentence', async (_, name, content, sentence) => {
  const { page } = person;
  await page.getByLabel('Files').setInputFiles({ name, mimeType: '', buffer: Buffer.from(content as string) });
  const alert = page.getByRole('alert').filter({ hasText: sentence });
  await alert.waitFor();
  expect(await alert.innerText()).toMatch(/[.?]$/);
  await page.getByText('Reading the file').waitFor({ state: 'detached' });
  expect(person.requested.filter((url) => url.endsWith('/imports'))).toEqual([]);
  expect(person.complaints).toEqual([]);
});

it('a table of 16,384 columns is shown without its last ones, and the page responds', async () => {
  const names = WIDE.split(',').slice(0, 16_384).join(',');
  await person.choose({ name: 'table.csv', text: `${names}\n${names.replaceAll('c', 'v')}\n` });
  await person.page.getByText('16,324 more columns to the right.').waitFor();
  expect(await person.page.getByRole('columnheader').count()).toBe(60);
});

it('a cell that looks like a formula is text in the downloaded file', async () => {
  const text = [
    'external_record_id,user.email,content.platform_course_id,progress.completion_pct',
    '=HYPERLINK("x"),nobody@acme.test,101,50',
    '+1,"\u202Enobody@acme.test",101,50',
    'fine,ben.castillo@acme.test,101,50',
  ]
    .join('\n')
    .replace('=HYPERLINK("x")', '"=HYPERLINK(""x"")"');
  await person.toCheck({ name: 'formulas.csv', text });
  await person.page.getByText('2 rows need you, or stay out').first().waitFor();
  await person.page.getByText('The rows', { exact: true }).click();
  const rows = person.page.getByRole('region', { name: 'The rows' });
  await rows
    .getByText(String.raw`\u202enobody`)
    .first()
    .waitFor();
  const cells = (await person.saved('Download these rows')).text.split(/[\n,]/);
  expect(cells.filter((cell) => /^"?[=+\-@]/.test(cell))).toEqual([]);
  expect(cells).toContain(`'+1`);
});
