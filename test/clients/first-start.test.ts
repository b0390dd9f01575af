/**
 * `npm ci`, `npm start`, `npm test` and the command on a fresh copy, with each Node and npm that a developer may have;
 * the first two print no warning or error. `EVERY_NPM=1`: each Node with each npm. Needs the network; three minutes.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { canInstall, environmentOf, NODES, NPMS } from './nodes.ts';

const { version } = packageFile;
const PROJECT = resolve(import.meta.dirname, '../..');
const isTaken = (node: number, npm: number): boolean =>
  process.env['EVERY_NPM'] !== undefined || (node === 0) === (npm === 0);
const COMBINATIONS = NODES.flatMap((node, at) => NPMS.filter((_, of) => isTaken(at, of)).map((npm) => ({ node, npm })));

/** Warnings and errors of npm and Node. A warning about a setting of this machine's own npm does not count. */
const NOTICE = /^npm (?:warn|error)|deprecat|warning|EBADENGINE|vulnerab/i;
const OF_THIS_MACHINE = /^npm warn Unknown (?:user|global|builtin|env) config/i;
const notices = (text: string): string[] =>
  text.split('\n').filter((line) => NOTICE.test(line) && !OF_THIS_MACHINE.test(line));

const folder = temporaryFolder('first-start');
beforeAll(() => {
  const leftOut = /^(?:node_modules|\.git|dist|cdk\.out|coverage|docs\/site\/(?:dist|node_modules))$/;
  cpSync(PROJECT, folder, { recursive: true, filter: (path) => !leftOut.test(relative(PROJECT, path)) });
});

async function printedByStart(env: NodeJS.ProcessEnv): Promise<string> {
  const started = spawn('npm', ['start', '--', '--port', '0'], { cwd: folder, env, detached: true });
  const ended = once(started, 'exit');
  let printed = '';
  for (const stream of [started.stdout, started.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (/^ready /m.test(printed)) process.kill(-(started.pid ?? 0), 'SIGTERM');
    });
  }
  await ended;
  return printed;
}

/** `npm …` in the copy: its exit code and what it printed. */
function run(env: NodeJS.ProcessEnv, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, env, encoding: 'utf8' });
  return { status, printed: stdout + stderr };
}

describe.skipIf(!canInstall())('npm ci && npm start', () => {
  it.each(COMBINATIONS)('a first start is clean on Node $node with npm $npm', async ({ node, npm }) => {
    const env = environmentOf(node, npm);
    const installation = run(env, 'ci', '--prefer-offline');
    expect({ ...installation, notices: notices(installation.printed) }).toMatchObject({ status: 0, notices: [] });

    const printed = await printedByStart(env);
    expect(printed).toMatch(/^ready http:\/\/127\.0\.0\.1:\d+$/m);
    expect(notices(printed)).toEqual([]);

    // These tests need a Node that runs the sources.
    expect(run(env, 'test', '--', 'test/importer/command/run.test.ts')).toMatchObject({ status: 0 });
    expect(run(env, 'exec', '--no', 'course-progress-migration', '--', '--version').printed).toContain(version);
  });
});
