import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const PROJECT = resolve(import.meta.dirname, '../../../..');

export interface Desk {
  readonly cwd: string;
  readonly config: string;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Largest resident memory, in MB; 0 if the system does not report it. */
  readonly peakMb: number;
}

export interface RunningCli {
  readonly process: ChildProcess;
  stderr(): string;
  readonly finished: Promise<Finished>;
}

/** Starts the command as its users do, without a terminal. */
export function startCli(desk: Desk, args: readonly string[], input = ''): RunningCli {
  const child = spawn(join(PROJECT, 'bin/course-progress-migration.mjs'), args, {
    cwd: desk.cwd,
    env: {
      ...process.env,
      XDG_CONFIG_HOME: desk.config,
      PATH: [join(PROJECT, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
    },
  });
  child.stdin.end(input);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    stderr += piece;
  });
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid));
  }, 200);
  const finished = Promise.all([text(child.stdout), once(child, 'close') as Promise<[number | null]>]).then(
    ([stdout, [code]]) => {
      clearInterval(watch);
      return { code, stdout, stderr, peakMb };
    },
  );
  return { process: child, stderr: () => stderr, finished };
}

export function runCli(desk: Desk, args: readonly string[], input?: string): Promise<Finished> {
  return startCli(desk, args, input).finished;
}

function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
