/** What `init-mapping` asks at a terminal, and that each next line it prints works as printed. Costs some seconds. */
import { createPlatform, runFiles } from '../support/platform.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { initMapping } from '../../../../bin/importer/command/commands/init-mapping.ts';
import { openRecordFile } from '../../../../bin/importer/command/files/records.ts';
import { matchingLines } from '../../../../bin/importer/command/lines/result.ts';
import { platformOf } from '../../../../bin/importer/engine/match/platform.ts';
import { recordSetOf } from '../../../../bin/importer/engine/apply/record-set.ts';
import { leftOutRows } from '../../../../bin/importer/engine/run/survey.ts';
import { AT_LENGTH, someOf } from '../../../kit/at-length.ts';
import { fileOf, freshFolder } from '../support/files.ts';
import { recordedOutput } from '../support/output.ts';
import { tablesIn } from '../support/tables.ts';

const PROJECT = resolve(import.meta.dirname, '../../../..');
const CLI = join(PROJECT, 'bin/importer/command/main.ts');

const QUESTION = '◆';

/** Runs the command at a pseudo terminal, and answers each question when it is asked. */
async function atTerminal(file: string, responses: readonly string[]) {
  const command = 'stty cols 250 rows 50; "$NODE" "$CLI" init-mapping "$FILE"';
  const own = { NODE: process.execPath, CLI, FILE: file, XDG_CONFIG_HOME: freshFolder(), HOME: freshFolder() };
  const env = { ...process.env, TERM: 'xterm', ...own };
  const child = spawn('script', ['-qec', command, '/dev/null'], { env });
  // A question that is not asked would leave it waiting for its answer.
  onTestFinished(() => void child.kill());
  let screen = '';
  let given = 0;
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    screen += piece;
    while (given < Math.min(screen.split(QUESTION).length - 1, responses.length)) {
      child.stdin.write(responses[given] ?? '');
      given += 1;
    }
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, screen: stripVTControlCharacters(screen) };
}

const mappingOf = (file: string) => JSON.parse(readFileSync(file.replace(/\.[^.]*$/, '.mapping.json'), 'utf8'));

const DOWN = '\u{1b}[B';
const CSV =
  'Email,Course,Status,Completed on\na@x.test,SEC,Completed,2024-01-02\nb@x.test,SEC,Exempt,2024-03-14\nc@x.test,SEC,Not started,\n';

describe.runIf(process.platform === 'linux')('init-mapping at a terminal', () => {
  it('asks about each kind without a suggestion, then about all suggestions at once', async () => {
    const file = fileOf(CSV);
    const { code, screen } = await atTerminal(file, [`${DOWN}\r`, 'y']);
    expect(screen).toMatch(/1 row with Status = Exempt, Completed on = a date .*What do they become\?/);
    expect(screen).toMatch(/Confirm these 2 suggestions\?/);
    expect(code).toBe(0);
    expect(mappingOf(file).kinds.confirmed).toMatchObject([
      { values: { Status: 'Completed' }, outcome: 'completed', date: 'Completed on', rows: 1 },
      { values: { Status: 'Exempt' }, outcome: 'completed', date: 'Completed on', rows: 1 },
      { values: { Status: 'Not started' }, outcome: 'leave_out', rows: 1 },
    ]);
  });

  it('a date that may be day or month first is chosen, and what is not confirmed stays out', async () => {
    const file = fileOf(CSV.replaceAll('2024-01-02', '01/02/2024').replaceAll('2024-03-14', '03/04/2024'));
    const { code } = await atTerminal(file, [`${DOWN}\r`, '\r', 'y']);
    expect(code).toBe(2);
    expect(mappingOf(file)).not.toHaveProperty('undecided');
    expect(mappingOf(file).kinds.columns['Completed on'].dates).toBe('M/D/YYYY');
  });
});

describe.runIf(AT_LENGTH && process.platform === 'linux')('columns at a terminal', () => {
  it('those that nothing is known of are set aside together', async () => {
    const lines = ['a,Completed,2024-01-02,true,1', 'b,Not started,,false,0', 'c,Completed,2024-01-03,false,0'];
    const rows = lines.map((line) => line.replace(',', '@x.test,SEC,'));
    const file = fileOf(['Email,Course,Status,Completed on,Dismissed,Verified', ...rows, ''].join('\n'));
    const { code, screen } = await atTerminal(file, [` ${DOWN} \r`, 'y']);
    expect(screen).toMatch(/Mark those that do not matter/);
    expect(screen).toMatch(/Dismissed: true, false/);
    expect(code).toBe(0);
    expect(mappingOf(file)).toMatchObject({ choices: { state: { Dismissed: false, Verified: false } } });
  });

  it('one that may name parts of a course may decide what becomes of a row', async () => {
    const parts = ['a', 'b', 'c'].flatMap((who) =>
      ['Intro', 'End'].map((part) => `${who}@x.test,SEC,${part},Completed,2024-01-22`),
    );
    const file = fileOf(['Email,Course,Lesson,Status,Completed on', ...parts, ''].join('\n'));
    const { code } = await atTerminal(file, [`${DOWN}${DOWN}\r`, '\r', `${DOWN}\r`]);
    expect(code).toBe(2);
    expect(mappingOf(file)).not.toHaveProperty('undecided');
    expect(mappingOf(file).kinds.confirmed).toMatchObject([{ outcome: 'completed', date: 'Completed on', rows: 3 }]);
  });
});

/** The command line that a result prints as the next one, as words behind the program. */
const nextLine = (results: readonly string[]): string[] =>
  (results.at(-1)?.trim().split(' course-progress-migration ')[1] ?? '').split(' ');

describe('init-mapping', () => {
  it.each(someOf(tablesIn(join(import.meta.dirname, 'exports.txt')), 3))(
    'the lines that it prints lead from $name to a dry run, or to the questions of a terminal',
    async ({ bytes }) => {
      const file = fileOf(bytes);
      const [first, second] = [recordedOutput(), recordedOutput()];
      expect(await initMapping([file], {}, first)).toBe(2);
      const [name, ...words] = nextLine(first.results);
      expect(name).toBe('init-mapping');
      if (!words.includes('--accept-suggestions')) return;
      await initMapping([file], { acceptSuggestions: true }, second);
      const [next, ...rest] = nextLine(second.results);
      if (next === 'init-mapping') return;
      expect([next, rest.includes('--dry-run')]).toEqual(['import', true]);
      const { dry, survey } = await runFiles(await createPlatform(), [file]);
      expect(dry.summary.rows + leftOutRows(survey) + survey.skipped).toBeGreaterThan(0);
    },
  );

  it('is what follows courses that nobody has looked up: then it finds them, and keeps what is confirmed', async () => {
    const title = 'Information Security Essentials';
    const file = fileOf(
      `Email,Course,Status,Completed on\nben.castillo@acme.test,${title},Completed,2024-01-02\n`,
      'history.csv',
    );
    await initMapping([file], { acceptSuggestions: true }, recordedOutput());
    const { client } = await createPlatform();
    const set = await recordSetOf([await openRecordFile(file, {})], async () => client);
    const linesFor = (reason: string) =>
      matchingLines(set, { courses: [{ name: title, reason, rows: 1, from: null, to: null }] }, {});
    expect(linesFor('course_not_in_catalog')).toEqual([]);
    expect(nextLine(linesFor('external_course_id_not_mapped'))).toEqual(['init-mapping', file, '--match-courses']);
    await initMapping([file], {}, recordedOutput(), await platformOf(client));
    expect(mappingOf(file)).toMatchObject({
      record: { 'content.platform_course_id': { values: { [title]: 101 } } },
      kinds: { confirmed: [{ outcome: 'completed' }] },
    });
  });
});

describe('a column that was set aside', () => {
  const file = () =>
    fileOf(
      'Email,Course,Status,Completed on,Tenant,Score\na@x.test,SEC,Completed,2024-01-02,acme,87\nb@x.test,SEC,Not started,,acme,\n',
    );
  const columnsIn = (path: string) => Object.keys(mappingOf(path).kinds.columns);

  it('is named, and brought in by --split', async () => {
    const [path, output] = [file(), recordedOutput()];
    await initMapping([path], {}, output);
    expect(columnsIn(path)).toEqual(['Status', 'Completed on']);
    expect(output.results.join('\n')).toMatch(/Not imported: Tenant \(init-mapping --split COLUMN brings one in\)/);
    expect(output.results.join('\n')).toContain('Score (score): imported beside the outcome');
    await initMapping([path], { split: ['Tenant'] }, recordedOutput());
    expect(columnsIn(path)).toEqual(['Status', 'Completed on', 'Tenant']);
  });

  it('is one of the file', async () => {
    await expect(initMapping([file()], { split: ['Team'] }, recordedOutput())).rejects.toThrow('no column "Team"');
  });
});
