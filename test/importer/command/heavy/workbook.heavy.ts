/** A workbook from its courses to the page that is signed, in a session of its own. Costs about ten seconds. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalStack, startLocalStack } from '../../../../bin/local/stack.ts';
import { type Desk, type Finished, runCli } from '../support/run-cli.ts';
import { textRow, workbookOf } from '../support/workbook.ts';
import { temporaryFolder } from '../../../kit/temporary-folder.ts';

let stack: LocalStack;
const cwd = temporaryFolder('migration-workbook');
const desk: Desk = { cwd, config: join(cwd, 'config') };
const path = (name: string): string => join(desk.cwd, name);
const cli = (...args: string[]): Promise<Finished> => runCli(desk, args);

const LOGIN = ['login', '--email', 'admin@acme.test', '--password-stdin'];

const HEADER = ['Record', 'Email', 'Course', 'Done'];
const ROWS = [
  ['0001', 'ben.castillo@acme.test', 'information security essentials', '80'],
  ['0002', 'grace.mensah@acme.test', 'Data protection in Practise', '100'],
];

function writeWorkbook(name: string, rows: readonly (readonly string[])[]): void {
  const lines = rows.map((row, i) => textRow(i + 2, row)).join('');
  const sheets = { Notes: textRow(1, ['nothing here']), History: textRow(1, HEADER) + lines };
  writeFileSync(path(name), workbookOf({ sheets }));
}

beforeAll(async () => {
  stack = await startLocalStack({ port: 0 });
  await runCli(desk, [...LOGIN, '--url', stack.url], 'changeme\n');
  writeWorkbook('history.xlsx', ROWS);
  writeFileSync(
    path('history.mapping.json'),
    JSON.stringify({
      record: {
        external_record_id: 'Record',
        'user.email': 'Email',
        'content.external_course_id': 'Course',
      },
      kinds: {
        columns: { Done: { read: 'percent' } },
        confirmed: [
          { values: { Done: 'between' }, outcome: 'in_progress', percent: 'Done' },
          { values: { Done: '100' }, outcome: 'completed', date: ':import day' },
        ],
      },
    }),
  );
});

afterAll(() => stack.stop());

describe('workbooks', () => {
  it('the courses of a workbook are matched, and the table is registered as it is', async () => {
    const matched = await cli('courses', 'history.xlsx', '--sheet', 'History', '--title-column', 'Course');
    expect(`${matched.code} ${matched.stderr}`).toBe('0 ');
    const registered = await cli('courses', 'history.courses.csv', '--register', '--yes', '--json');
    expect(JSON.parse(registered.stdout)).toMatchObject({ created: 2, failed: 0 });
    expect((await cli('courses', 'history.xlsx', '--sheet', 'History', '--title-column', 'Course')).code).toBe(2);
  });

  it('a workbook is imported', async () => {
    const { code, stdout } = await cli('import', 'history.xlsx', '--sheet', 'History', '--yes', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ rows: 2, applied: 2 });
    expect(code).toBe(0);
  });
});

it('a profile has a session of its own', async () => {
  const other = [...LOGIN, '--url', stack.url, '--profile', 'staging'];
  expect((await runCli(desk, other, 'changeme\n')).code).toBe(0);
  expect((await cli('logout')).code).toBe(0);
  expect((await cli('courses', '--profile', 'staging')).code).toBe(0);
  expect((await cli('courses')).code).toBe(3);
});
