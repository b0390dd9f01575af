/** What `init-mapping` asks at a terminal, and that each next line it prints works as printed. Costs some seconds. */
import { createPlatform, runFiles } from '../support/platform.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

  it('a suggestion that is not confirmed is offered once among what its kind may become', async () => {
    const file = fileOf(CSV.split('\n').slice(0, 2).join('\n'));
    const { code, screen } = await atTerminal(file, ['n', '\r']);
    const [, offered = ''] = /What do they become\?([\s\S]*?)Enter: confirm/.exec(screen) ?? [];
    expect(offered.match(/[●○] completed on Completed on\s/g)).toHaveLength(1);
    expect(code).toBe(0);
    expect(mappingOf(file).kinds.confirmed).toMatchObject([{ outcome: 'completed', date: 'Completed on' }]);
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
    await initMapping([file], {}, recordedOutput(), { platform: await platformOf(client) });
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

it('what the safe default leaves out is one line', async () => {
  const words = ['Frobnicated', 'Zonked', 'Granted'].map((word, at) => `p${at}@x.test,SEC,${word},`);
  const path = fileOf(
    ['Email,Course,Status,Completed on', 'a@x.test,SEC,Completed,2024-01-02', ...words, ''].join('\n'),
  );
  const output = recordedOutput();
  await initMapping([path], {}, output);
  const lines = output.results
    .join('\n')
    .split('\n')
    .filter((line) => line.includes('no completion'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/3 +3, 4, 5 +Status = Frobnicated.*; Status = Zonked.*; Status = Granted/);
});

describe('--save-system', () => {
  const HEADER = 'Email,Course,State,Ended,Department,Enrolled';
  const FIRST = [
    'ann@x.test,SEC,fini,01/02/2024,Sales,02/01/2024',
    'ben@x.test,SEC,fini,03/02/2024,Sales,04/01/2024',
    'cy@x.test,SEC,pas encore,,Sales,04/01/2024',
  ];
  const fileWith = (rows: readonly string[], name?: string) => fileOf([HEADER, ...rows, ''].join('\n'), name);
  /** Confirms both kinds of the first file and the order of its dates, as a person would. */
  const confirmed = {
    choices: { dates: { Ended: 'D/M/YYYY', Enrolled: 'D/M/YYYY' } },
    kinds: {
      columns: { State: { read: 'text' }, Ended: { read: 'date', dates: 'D/M/YYYY' } },
      confirmed: [
        { values: { State: 'fini', Ended: 'a date' }, outcome: 'completed', date: 'Ended' },
        { values: { State: 'pas encore', Ended: 'empty' }, outcome: 'leave_out' },
      ],
    },
    record: { external_record_id: { template: '{Email}/{Course}' }, 'user.email': 'Email' },
  };

  async function saved(rows = FIRST, systems = freshFolder()) {
    const file = fileWith(rows, 'first.csv');
    writeFileSync(file.replace('.csv', '.mapping.json'), JSON.stringify(confirmed));
    const output = recordedOutput();
    const code = await initMapping([file], { saveSystem: 'acme-lms' }, output, { systems });
    return { code, systems, lines: output.results.join('\n') };
  }

  it('of the next file of that form, with other people, only a new status is open', async () => {
    const { code, systems, lines } = await saved();
    expect([code, lines.includes('is known as acme-lms')]).toEqual([0, true]);
    const next = fileWith([
      'dan@x.test,FIRE,fini,04/05/2024,Sales,03/04/2024',
      'eva@x.test,FIRE,Frobnicated,,Sales,05/04/2024',
    ]);
    const output = recordedOutput();
    expect(await initMapping([next], { acceptSuggestions: true }, output, { systems })).toBe(2);
    const { choices, undecided, record, kinds } = mappingOf(next);
    expect(choices.system).toBe('acme-lms');
    expect(undecided).toBeUndefined();
    expect(record['progress.started_at'][0]).toMatchObject({ column: 'Enrolled', dates: 'D/M/YYYY' });
    expect(kinds.confirmed).toMatchObject([
      { values: { State: 'fini' }, outcome: 'completed', date: 'Ended', rows: 1 },
    ]);
    expect(kinds.columns.Ended).toEqual({ read: 'date', dates: 'D/M/YYYY' });
    expect(output.results.join('\n')).toMatch(/Frobnicated.*rejected until you decide: acme-lms is not known/);
  });

  it('a file with another column is not of that form', async () => {
    const { systems } = await saved();
    const other = fileOf(
      `${HEADER},Waived\ndan@x.test,FIRE,fini,14/05/2024,Sales,13/04/2024,\n`.replace('Department', 'Part'),
    );
    await initMapping([other], { acceptSuggestions: true }, recordedOutput(), { systems });
    expect(mappingOf(other).choices?.system).toBeUndefined();
  });

  it('precedes a system that everybody has', async () => {
    const header = 'Email,Campaign,Content,Enrolled On,Started On,Completed On,Status,Policy Acknowledged';
    const file = fileOf(`${header}\nann@x.test,Spring,Fire safety,2023-03-01,2023-03-02,2023-03-14,Completed,N/A\n`);
    const systems = freshFolder();
    await initMapping([file], { acceptSuggestions: true, saveSystem: 'ours' }, recordedOutput(), { systems });
    expect(mappingOf(file).choices.system).toBe('knowbe4');
    await initMapping([file], { acceptSuggestions: true, force: true }, recordedOutput(), { systems });
    expect(mappingOf(file).choices.system).toBe('ours');
  });

  it('saves nothing while something is left to confirm', async () => {
    const { code, systems, lines } = await saved([...FIRST, 'di@x.test,SEC,Frobnicated,,Sales,04/01/2024']);
    expect([code, lines.includes('Saved'), existsSync(join(systems, 'acme-lms'))]).toEqual([2, false, false]);
  });

  it('refuses a name that is no folder or is taken, and a file whose rows are several', async () => {
    const options = (saveSystem: string) => ({ acceptSuggestions: true as const, saveSystem });
    const wide = fileOf(
      'Email,Fire Completed On,Fire Expires On,Aid Completed On,Aid Expires On\na@x.test,2024-01-02,2027-01-02,2024-01-03,2027-01-03\n',
    );
    const run = (name: string, file = wide) =>
      initMapping([file], options(name), recordedOutput(), { systems: freshFolder() });
    await expect(run('../x')).rejects.toThrow('cannot be the name of a system');
    await expect(run('knowbe4')).rejects.toThrow('known already');
    await expect(run('ours')).rejects.toThrow('no descriptor says how to read it');
  });
});
