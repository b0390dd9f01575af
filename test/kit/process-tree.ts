/** Memory and processor time of the processes below one, from Linux's `/proc`; none on other systems. */
import { readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { type ChildProcess, spawn } from 'node:child_process';

export interface ProcessUse {
  readonly pid: number;
  readonly parent: number;
  readonly command: readonly string[];
  /** User and system time, without that of its children. */
  readonly cpuSeconds: number;
  readonly residentMb: number;
  readonly peakMb: number;
}

const TICKS_PER_SECOND = 100;

function processUse(pid: string): ProcessUse | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
    return {
      pid: Number(pid),
      parent: Number(fields[1]),
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        .split('\0')
        .map((word) => basename(word)),
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
      residentMb: megabytes('VmRSS'),
      peakMb: megabytes('VmHWM'),
    };
  } catch {
    // It has ended.
    return undefined;
  }
}

/** The process, if it runs, and all below it. */
export function processTree(root: number): ProcessUse[] {
  const all = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => processUse(pid) ?? []);
  const below = (parent: number): ProcessUse[] =>
    all.flatMap((use) => (use.parent === parent ? [use, ...below(use.pid)] : []));
  return [...all.filter(({ pid }) => pid === root), ...below(root)];
}

const EVERY_MS = 25;

/** A program, what it printed, and the processor time of all its processes, also of those that have ended. */
export class MeasuredProcess {
  readonly child: ChildProcess;
  output = '';
  readonly #used = new Map<number, ProcessUse>();
  readonly #watch: NodeJS.Timeout;

  constructor(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) {
    this.child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
    this.child.stdout?.on('data', (text: Buffer) => (this.output += text.toString()));
    this.#watch = setInterval(() => this.now(), EVERY_MS);
  }

  /** The processes that run now. */
  now(): ProcessUse[] {
    const running = processTree(this.child.pid ?? -1);
    for (const use of running) this.#used.set(use.pid, use);
    return running;
  }

  cpuSeconds(): number {
    this.now();
    return [...this.#used.values()].reduce((sum, use) => sum + use.cpuSeconds, 0);
  }

  residentMb(): number {
    return this.now().reduce((sum, use) => sum + use.residentMb, 0);
  }

  /** @throws Error if the program ends before it prints the pattern */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(this.output);
        if (found !== null) resolve(found);
      };
      this.child.stdout?.on('data', look);
      this.child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${this.output}`)));
      look();
    });
  }

  async stop(): Promise<void> {
    clearInterval(this.#watch);
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.exitCode === null && this.child.kill('SIGTERM')) await ended;
  }
}
