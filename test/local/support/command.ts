/** `npm start` as a process, in a folder of the test's own. Whatever a test leaves behind is killed after it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

const COMMAND = resolve(import.meta.dirname, '../../../bin/local/main.ts');

export interface Run {
  readonly process: ChildProcess;
  readonly output: { out: string; err: string };
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** Its address, once it is ready. */
  readonly ready: Promise<string>;
}

/** Call it once, where the tests of a file are declared. */
export function useCommand() {
  let folder = '';
  const runs: Run[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'migration-command-'));
  });
  afterEach(async () => {
    for (const run of runs.splice(0)) {
      if (run.process.exitCode === null && run.process.signalCode === null) run.process.kill('SIGKILL');
      await run.ended;
    }
    // An engine whose stack was killed may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });
  return {
    inFolder: (...path: readonly string[]): string => join(folder, ...path),
    start: (args: readonly string[], env: Record<string, string> = {}): Run => {
      const run = runCommand(args, env);
      runs.push(run);
      return run;
    },
  };
}

function runCommand(args: readonly string[], env: Record<string, string>): Run {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  const ready = new Promise<string>((resolveReady) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output.out += text;
      const [, url] = /^ready (\S+)$/m.exec(output.out) ?? [];
      if (url !== undefined) resolveReady(url);
    });
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.err += text));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  return { process: child, output, ended, ready };
}

/** Its address, or an error with its output. */
export async function serving(run: Run): Promise<string> {
  return Promise.race([
    run.ready,
    run.ended.then((code) => {
      throw new Error(`ended with ${code}: ${run.output.err}`);
    }),
  ]);
}

export async function login(url: string): Promise<Response> {
  const body = JSON.stringify({ email: 'admin@acme.test', password: 'changeme' });
  return fetch(`${url}/api/v1/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}
