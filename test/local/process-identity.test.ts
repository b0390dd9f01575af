import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isRunning } from '../../bin/local/process-identity.ts';

it('this process runs', () => {
  expect(isRunning(process.pid)).toBe(true);
});

it.skipIf(!existsSync('/proc/self/stat'))(
  'a process that has ended and that nobody has buried yet does not run',
  async () => {
    // The shell becomes a program that never asks after the child it was given, and has done so when the child ends.
    const parent = spawn('sh', ['-c', 'sleep 1 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [text] = (await once(parent.stdout, 'data')) as [Buffer];
    const child = Number(text.toString());
    await expect.poll(() => readFileSync(`/proc/${child}/stat`, 'utf8'), { timeout: 20_000 }).toContain(') Z');
    expect(isRunning(child)).toBe(false);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
  },
);
