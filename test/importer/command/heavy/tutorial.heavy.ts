/** Runs every command of docs/tutorial.md as it is written, in a fresh copy of the project. Costs about a minute. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../../bin/local/engine.ts';
import { temporaryFolder } from '../../../kit/temporary-folder.ts';

const PROJECT = resolve(import.meta.dirname, '../../../..');
const copy = temporaryFolder('migration-tutorial');
const port = (await isFree(3000)) ? 3000 : await freePort();
let server: ChildProcess | undefined;

afterAll(async () => {
  if (server?.pid !== undefined) {
    process.kill(-server.pid, 'SIGINT');
    await once(server, 'exit');
  }
});

interface Command {
  readonly line: string;
  readonly code: number;
}

/** Each line of each `sh` block; a comment names an exit code other than 0. Only a port in use is replaced. */
function commands(): Command[] {
  const page = readFileSync(join(PROJECT, 'docs/tutorial.md'), 'utf8');
  return [...page.matchAll(/^```sh(?: server)?\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
    block
      .trim()
      .split('\n')
      .map((line) => ({
        line: line.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`),
        code: Number(/# ends with (\d)/.exec(line)?.[1] ?? 0),
      })),
  );
}

const environment = { ...process.env, XDG_CONFIG_HOME: join(copy, '.config') };

async function run(line: string): Promise<{ code: number | null; output: string }> {
  const child = spawn('bash', ['-c', `${line.replace(/ # ends with .*/, '')} 2>&1`], { cwd: copy, env: environment });
  child.stdin.end();
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number | null]>]);
  return { code, output };
}

async function startServer(line: string): Promise<void> {
  server = spawn('bash', ['-c', port === 3000 ? line : `${line} -- --port ${port}`], {
    cwd: copy,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const piece of server.stdout ?? []) if (String(piece).includes('ready http')) break;
  server.stdout?.resume();
}

describe('docs/tutorial.md', () => {
  it('the tutorial works as written, from npm ci to the last command', async () => {
    const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
      cwd: PROJECT,
      encoding: 'utf8',
    });
    // Git takes node_modules for a file if it is a link; npm ci would remove the modules behind a copied link.
    for (const file of files.split('\0').filter((name) => !['', 'node_modules'].includes(name))) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(join(PROJECT, file), join(copy, file));
    }
    const outputs: string[] = [];
    const [install, serve, ...rest] = commands();
    expect([install?.line, serve?.line]).toEqual(['npm ci', 'npm start']);
    await run('npm ci');
    await startServer('npm start');
    for (const { line, code } of rest) {
      const ended = await run(line);
      outputs.push(ended.output);
      expect({ line, ...ended }).toEqual({ line, code, output: ended.output });
    }
    const everything = outputs.join('\n');
    expect(everything).toMatch(/1 {2}unconfirmed_kind\n +1 {2}user_not_found/);
    expect(outputs.at(-6)).toMatch(/2 {2}applied\n[\s\S]*0 {2}rejected/);
    expect(outputs.at(-5)).toMatch(/2 {2}unchanged\n[\s\S]*0 {2}rejected/);
    expect(outputs.at(-2)).toContain('Everything that was checked holds.');
    expect(outputs.at(-1)).toMatch(
      /academy: 9 records in 3 imports\n +6 {2}would be taken back[\s\S]*\n +3 {2}have nothing/,
    );
  });
});

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  const [event] = await Promise.race([once(probe, 'listening').then(() => ['listening']), once(probe, 'error')]);
  if (event !== 'listening') return false;
  probe.close();
  await once(probe, 'close');
  return true;
}
