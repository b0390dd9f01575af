/**
 * Records a real import on the local stack, and draws docs/import.svg from it: `npm run record`. Needs `script` of util-linux,
 * which gives the command the terminal that it draws its bars on.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startLocalStack } from '../local/stack.ts';
import { writeData, writeHistory } from './history.ts';
import { frames, type Write } from './screen.ts';
import { animation } from './svg.ts';

const COMMAND = resolve(import.meta.dirname, '..', 'course-progress-migration.mjs');
const PICTURE = resolve(import.meta.dirname, '..', '..', 'docs', 'import.svg');
const ROWS = 10_000;
const FRAME_MS = 400;

const folder = mkdtempSync(join(tmpdir(), 'migration-recording-'));
const stack = await startLocalStack({ port: 0, data: writeData(folder) });
try {
  writeHistory(folder, ROWS);
  await logIn();
  writeFileSync(PICTURE, animation(frames(await record(), FRAME_MS), 'An import of 10,000 rows in a terminal'));
} finally {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
}

function environment() {
  return { ...process.env, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), TERM: 'xterm' };
}

async function logIn(): Promise<void> {
  const args = [COMMAND, 'login', '--url', stack.url, '--email', 'admin@acme.test', '--password-stdin'];
  const child = spawn(process.execPath, args, { env: environment(), stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.end('changeme\n');
  await once(child, 'close');
}

async function record(): Promise<Write[]> {
  const shown = 'npx course-progress-migration import history.csv --yes';
  const line = `stty cols 100 rows 30; '${process.execPath}' '${COMMAND}' import history.csv --yes`;
  const args = ['-qfc', line, '-O', 'output', '-T', 'timing'];
  const child = spawn('script', args, { cwd: folder, env: environment(), stdio: ['ignore', 'ignore', 'inherit'] });
  await once(child, 'close');
  return [{ text: `$ ${shown}\n`, atMs: 0 }, ...recorded()];
}

/** The two files of `script`: after a first line, the bytes; and how many of them came after how many seconds. */
function recorded(): Write[] {
  const output = readFileSync(join(folder, 'output'));
  let from = output.indexOf('\n') + 1;
  let atMs = 0;
  return readFileSync(join(folder, 'timing'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [seconds = 0, bytes = 0] = line.split(' ').map(Number);
      atMs += seconds * 1000;
      from += bytes;
      return { text: output.subarray(from - bytes, from).toString('utf8'), atMs };
    });
}
