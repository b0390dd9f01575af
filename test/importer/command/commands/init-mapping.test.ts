/**
 * What `init-mapping` asks at a terminal, and that what it writes passes the command that it prints, for every shape of the suite.
 * Costs some seconds.
 */
import { createPlatform, runFiles } from '../support/platform.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { initMapping } from '../../../../bin/importer/command/commands/init-mapping.ts';
import { bytesOf, EXPORTS } from '../../engine/shape/exports.ts';
import { fileOf } from '../support/files.ts';
import { recordedOutput } from '../support/output.ts';

const PROJECT = resolve(import.meta.dirname, '../../../..');
const CLI = join(PROJECT, 'bin/importer/command/main.ts');

const CONFIRM = '◆';

/** Runs the command at a pseudo terminal, and answers each question when it is asked. */
async function atTerminal(file: string, responses: readonly string[]) {
  const command = `stty cols 200 rows 50; '${process.execPath}' ${CLI} init-mapping ${file}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: { ...process.env, TERM: 'xterm' } });
  let screen = '';
  let given = 0;
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    screen += piece;
    while (given < Math.min(screen.split(CONFIRM).length - 1, responses.length)) {
      child.stdin.write(responses[given] ?? '');
      given += 1;
    }
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const asked = [...stripVTControlCharacters(screen).matchAll(/◆ {2}(.*) Is that right\?/g)].map(
    ([, question = '']) => question,
  );
  return { code, asked };
}

const mappingOf = (file: string) => JSON.parse(readFileSync(file.replace(/\.[^.]*$/, '.mapping.json'), 'utf8'));

describe.runIf(process.platform === 'linux')('init-mapping at a terminal', () => {
  const DATES = '"Started on": "01/02/2024" may be day first or month first; D/M/YYYY is assumed in 2 rows.';
  const WORDS = '"Status": "Yes" (1 row), "No" (1 row) is read as completed or not, which the header does not say.';

  it('each guess is a question of its own, with values and counts; what is confirmed is none any more', async () => {
    const file = fileOf('Email,Course,Status,Started on\na@x.test,SEC,Yes,01/02/2024\nb@x.test,SEC,No,03/04/2024\n');
    expect(await atTerminal(file, ['y', 'n'])).toEqual({ code: 0, asked: [DATES, WORDS] });
    expect(mappingOf(file).guesses).toEqual([WORDS]);
  });

  it('a draft without a guess asks nothing', async () => {
    const file = fileOf('Email,Course,Status\na@x.test,SEC,Completed\nb@x.test,SEC,Not started\n');
    expect(await atTerminal(file, [])).toEqual({ code: 0, asked: [] });
    expect(mappingOf(file)).not.toHaveProperty('guesses');
  });
});

describe('init-mapping', () => {
  it.each(EXPORTS.filter(({ refused }) => refused === undefined))(
    'import --dry-run, as it is printed, reads $name',
    async (each) => {
      const file = fileOf(bytesOf(each), each.file ?? 'history.csv');
      const output = recordedOutput();
      expect(await initMapping(file, {}, output)).toBe(0);
      const [, command = ''] = /then run:\n\s*(.*)$/m.exec(output.results.join('\n')) ?? [];
      const [, ...words] = command.split(' import ')[1]?.split(' ') ?? [];
      expect(words[0]).toBe('--dry-run');
      const set = words.flatMap((word, index) => (words[index - 1] === '--set' ? [word.replace('=ID', '=101')] : []));
      const { dry } = await runFiles(await createPlatform(), [file], { set });
      expect(dry.summary.rows).toBe(each.records?.length);
    },
  );
});
