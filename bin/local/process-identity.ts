import { readFileSync } from 'node:fs';

/** Whether a process with this id runs now. One that has ended and that nobody has buried yet (a zombie) does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return statusFields(pid)[0] !== 'Z';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * When the process started, in the kernel's ticks: with the id it tells a process from a later one that was given the same
 * id. Empty where the system has no /proc.
 */
export function startTime(pid: number): string {
  return statusFields(pid)[19] ?? '';
}

/** What the kernel tells of a process, from its state on: the field before is the command in parentheses, and may hold blanks. */
function statusFields(pid: number): string[] {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** The command line, its arguments separated by blanks; empty if there is no such process (or no /proc). */
export function commandLine(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
