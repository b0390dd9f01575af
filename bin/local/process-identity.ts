import { readFileSync } from 'node:fs';

/** Whether a process with this id runs now. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * When the process started, in the kernel's ticks: with the id it tells a process from a later one that was given the same
 * id. Empty where the system has no /proc.
 */
export function startTime(pid: number): string {
  const stat = read(`/proc/${pid}/stat`);
  // The second field is the command in parentheses and may hold blanks; the start time is the 20th field after it.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
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
