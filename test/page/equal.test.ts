/**
 * The page makes of a file what the command makes of it, byte for byte: the mapping that it drafts, and with the mapping of the page
 * the dry run and the rejected rows. Costs half a minute; needs Chromium.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalStack, startLocalStack } from '../../bin/local/stack.ts';
import { runCli } from '../cli/support/run-cli.ts';
import { startBrowser } from '../docs/browser.ts';
import { ADMIN, Person } from './person.ts';

const EXAMPLES = join(import.meta.dirname, '../../docs/mapping-examples');
const NAMES = ['academy', 'canvas', 'moodle', 'open-edx', 'scorm-xapi'];

let stack: LocalStack;
let browser: Browser;
const folder = mkdtempSync(join(tmpdir(), 'migration-page-'));
const desk = { cwd: folder, config: join(folder, 'config') };

beforeAll(async () => {
  [stack, browser] = await Promise.all([startLocalStack(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The text of the file that the person gets by pressing a button. */
async function saved({ page }: Person, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return readFileSync(await download.path(), 'utf8');
}

async function atColumns(name: string): Promise<Person> {
  const person = await Person.visit(await browser.newContext(), stack.url);
  await person.signIn();
  await person.isAt('File');
  await person.choose({ name: `${name}.csv`, text: readFileSync(join(EXAMPLES, `${name}.csv`)) });
  await person.press('Continue');
  await person.isAt('Columns');
  await person.page.getByRole('button', { name: 'Save the mapping' }).waitFor();
  return person;
}

describe('the mapping', () => {
  it.each(NAMES)('the page drafts the mapping of %s that init-mapping drafts', async (name) => {
    const file = join(folder, `${name}.csv`);
    copyFileSync(join(EXAMPLES, `${name}.csv`), file);
    const own = join(folder, `${name}.own.json`);
    expect((await runCli(desk, ['init-mapping', file, '--out', own])).code).toBe(0);
    const person = await atColumns(name);
    expect(await saved(person, 'Save the mapping')).toBe(readFileSync(own, 'utf8'));
    await person.page.context().close();
  });
});

it('a dry run on the page and one by the command with its mapping reject the same rows', async () => {
  const person = await atColumns('academy');
  await person.confirmDoubts();
  await person.press('Continue');
  await person.isAt('Courses');
  for (const [id, course] of [
    ['SEC-1', '101'],
    ['DATA-2', '102'],
    ['WELCOME', '103'],
  ] as const)
    await person.page.getByLabel(`Course of the platform for ${id}`).selectOption(course);
  await person.press('Continue');
  await person.isAt('People');
  await person.page.getByRole('link', { name: 'Columns' }).click();
  const mapping = join(folder, 'academy.page.json');
  writeFileSync(mapping, await saved(person, 'Save the mapping'));
  await person.page.getByRole('link', { name: 'Check' }).click();
  await person.press('Check');
  await person.page.getByText('2 records are rejected').first().waitFor();
  const rejected = await saved(person, 'Download the rejected rows');

  const login = ['login', '--url', stack.url, '--email', ADMIN.email, '--password-stdin'];
  expect((await runCli(desk, login, ADMIN.password)).code).toBe(0);
  const { stdout } = await runCli(desk, ['import', 'academy.csv', '--mapping', mapping, '--dry-run', '--json']);
  const result = JSON.parse(stdout) as { rejected: number; rejected_file: string };
  expect(result.rejected).toBe(2);
  expect(rejected).toBe(readFileSync(join(folder, result.rejected_file), 'utf8'));
  await person.page.context().close();
});
