/**
 * `npm ci`, `npm start`, `npm test` and the command on a fresh copy, with each Node and npm that a developer may have;
 * the first two print no warning or error. `EVERY_NPM=1`: each Node with each npm. Needs the network; three minutes.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../kit/temporary-folder.ts';

const { version } = packageFile;
const PROJECT = resolve(import.meta.dirname, '../..');
const CACHE = join(PROJECT, 'node_modules/.cache/first-start');
const NODES = ['20.20.2', '22.23.3', '24.21.0'];
const NPMS = ['10.9.9', '11.21.2'];
const isTaken = (node: number, npm: number): boolean =>
  process.env['EVERY_NPM'] !== undefined || (node === 0) === (npm === 0);
const COMBINATIONS = NODES.flatMap((node, at) => NPMS.filter((_, of) => isTaken(at, of)).map((npm) => ({ node, npm })));

/** Warnings and errors of npm and Node. A warning about a setting of this machine's own npm does not count. */
const NOTICE = /^npm (?:warn|error)|deprecat|warning|EBADENGINE|vulnerab/i;
const OF_THIS_MACHINE = /^npm warn Unknown (?:user|global|builtin|env) config/i;
const notices = (text: string): string[] =>
  text.split('\n').filter((line) => NOTICE.test(line) && !OF_THIS_MACHINE.test(line));

/** Without the variables that npm sets for this test, and without this project's own Node. */
const ENVIRONMENT = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:npm|NODE)_/i.test(name)));

function installed(name: string, version: string): string {
  const folder = join(CACHE, `${name}-${version}`);
  if (!existsSync(join(folder, 'node_modules', name))) {
    mkdirSync(folder, { recursive: true });
    const quietly = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
    execFileSync('npm', ['install', '--prefix', folder, ...quietly, `${name}@${version}`], { stdio: 'pipe' });
  }
  return join(folder, 'node_modules', name);
}

const platform = process.platform === 'win32' ? 'win' : process.platform;
const nodeOf = (version: string): string => join(installed(`node-${platform}-${process.arch}`, version), 'bin');
const npmOf = (version: string): string => join(installed('npm', version), 'bin/npm-cli.js');

function canInstall(): boolean {
  try {
    for (const version of NODES) nodeOf(version);
    for (const version of NPMS) npmOf(version);
    return true;
  } catch {
    console.log('The first start is not tested here: npm cannot fetch other versions of Node and of itself.');
    return false;
  }
}

const folder = temporaryFolder('first-start');
beforeAll(() => {
  const leftOut = /^(?:node_modules|\.git|dist|cdk\.out|coverage|docs\/site\/(?:dist|node_modules))$/;
  cpSync(PROJECT, folder, { recursive: true, filter: (path) => !leftOut.test(relative(PROJECT, path)) });
});

/** As a developer types `npm …` in a shell with this Node. */
function environmentOf(node: string): NodeJS.ProcessEnv {
  return { ...ENVIRONMENT, PATH: [nodeOf(node), dirname(process.execPath), ENVIRONMENT['PATH']].join(delimiter) };
}

async function printedByStart(node: string, npm: string): Promise<string> {
  const args = [npmOf(npm), 'start', '--', '--port', '0'];
  const started = spawn(join(nodeOf(node), 'node'), args, { cwd: folder, env: environmentOf(node), detached: true });
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
function run(node: string, npm: string, ...args: string[]) {
  const options = { cwd: folder, env: environmentOf(node), encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(join(nodeOf(node), 'node'), [npmOf(npm), ...args], options);
  return { status, printed: stdout + stderr };
}

describe.skipIf(!canInstall())('npm ci && npm start', () => {
  it.each(COMBINATIONS)('a first start is clean on Node $node with npm $npm', async ({ node, npm }) => {
    const installation = run(node, npm, 'ci', '--prefer-offline');
    expect({ ...installation, notices: notices(installation.printed) }).toMatchObject({ status: 0, notices: [] });

    const printed = await printedByStart(node, npm);
    expect(printed).toMatch(/^ready http:\/\/127\.0\.0\.1:\d+$/m);
    expect(notices(printed)).toEqual([]);

    // These tests need the Node of the project.
    expect(run(node, npm, 'test', '--', 'test/importer/command/run.test.ts')).toMatchObject({ status: 0 });
    expect(run(node, npm, 'exec', '--no', 'course-progress-migration', '--', '--version').printed).toContain(version);
  });
});
