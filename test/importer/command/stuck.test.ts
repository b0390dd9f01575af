import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { MOST_SECONDS } from '../../../bin/importer/command/stuck.ts';

const STUCK = fileURLToPath(import.meta.resolve('../../../bin/importer/command/stuck.ts'));

const folder = mkdtempSync(join(tmpdir(), 'stuck-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A program that watches itself, with milliseconds for seconds, and then does a step. */
async function run(step: string) {
  const program = `
    import { writeSync } from 'node:fs';
    import { endWhereStuck } from ${JSON.stringify(STUCK)};
    endWhereStuck(() => { writeSync(1, 'stuck'); process.exitCode = 2; }, 5);
    await new Promise((resolve) => setTimeout(resolve, 20));
    ${step}
    writeSync(1, 'done');`;
  const file = join(folder, 'program.mjs');
  writeFileSync(file, program);
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [said, code] = await Promise.all([text(child.stdout), ended, text(child.stderr)]);
  return { said, code };
}

it.each([
  ['a loop', 'for (;;);'],
  ['an expression that backtracks', `/^(a+)+$/.test('a'.repeat(60) + '!');`],
  ['a loop after which others wait', 'setInterval(() => {}, 1e6); for (;;);'],
])('%s that never ends is interrupted, and the command says so', async (_, step) => {
  expect(await run(step)).toEqual({ said: 'stuck', code: 2 });
});

it('waiting is no work: a question may stay open as long as it wants', async () => {
  const ticks = 2 * MOST_SECONDS;
  const waiting = `for (let tick = 0; tick < ${ticks}; tick += 1) await new Promise((resolve) => setTimeout(resolve, 5));`;
  expect(await run(waiting)).toEqual({ said: 'done', code: 0 });
});
