/** `npm start` in a process group of its own, which dies as a whole. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const SLOWEST_START_MS = 60_000;

export interface StackOptions {
  /** Keeps the engine's data there; else it is in memory. */
  readonly dir?: string;
  readonly data: string;
  readonly port: number;
  /** The longest start, more than the default for hundreds of thousands of learners. */
  readonly slowestStartMs?: number;
}

export class StackProcess {
  readonly #child: ChildProcess;
  readonly #ready: Promise<void>;
  readonly #slowestStartMs: number;
  output = '';

  constructor({ dir, data, port, slowestStartMs = SLOWEST_START_MS }: StackOptions) {
    this.#slowestStartMs = slowestStartMs;
    const kept = dir === undefined ? [] : ['--dir', dir];
    const args = ['start', '--silent', '--', ...kept, '--data', data, '--port', String(port)];
    this.#child = spawn('npm', args, { cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#ready = new Promise((resolve) => {
      const read = (text: Buffer) => {
        this.output += text.toString();
        if (/^ready /m.test(this.output)) resolve();
      };
      this.#child.stdout?.on('data', read);
      this.#child.stderr?.on('data', read);
    });
  }

  async ready(): Promise<void> {
    const late = pause(this.#slowestStartMs, 'late', { ref: false });
    const ended = once(this.#child, 'exit').then(() => 'ended');
    const first = await Promise.race([this.#ready, late, ended]);
    if (first !== undefined) throw new Error(`the stack did not start (${first}):\n${this.output}`);
  }

  /** Kills every process of the group at once. */
  async kill(): Promise<void> {
    const gone = this.#gone();
    signal(this.#child.pid, 'SIGKILL');
    await gone;
  }

  async stop(): Promise<void> {
    const gone = this.#gone();
    signal(this.#child.pid, 'SIGTERM');
    await Promise.race([gone, pause(15_000, undefined, { ref: false })]);
    signal(this.#child.pid, 'SIGKILL');
  }

  /** Resolves also if it has ended already. */
  async #gone(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
  }
}

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // No process of the group is left.
  }
}
