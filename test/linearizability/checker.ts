/** Porcupine, a checker of linearizability, in a small program in Go (`checker`), which is built once. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Operation } from './clients.ts';

const SOURCE = join(import.meta.dirname, 'checker');
const FOLDER = resolve(import.meta.dirname, '../../node_modules/.cache/linearizability');
const GO = ['go', '/usr/local/go/bin/go'];

const goCommand = (): string | undefined => GO.find((command) => spawnSync(command, ['version']).status === 0);

/** Whether this machine has Go. */
export const hasGo = (): boolean => goCommand() !== undefined;

/** The program. Its module is pinned by its hash (`go.sum`), and downloaded once. */
export function builtChecker(): string {
  mkdirSync(FOLDER, { recursive: true });
  const program = join(FOLDER, 'checker');
  const { status, stderr } = spawnSync(goCommand() ?? '', ['build', '-o', program, '.'], {
    cwd: SOURCE,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The checker was not built: ${stderr}`);
  return program;
}

/** The positions of the histories that are not linearizable. */
export function notLinearizable(program: string, histories: readonly (readonly Operation[])[]): number[] {
  const input = histories.map((each) => JSON.stringify(each)).join('\n');
  const { status, stdout, stderr } = spawnSync(program, { input, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`The checker failed: ${stderr}`);
  return stdout.split('\n').filter(Boolean).map(Number);
}
