/** What a tab costs: its memory, and the longest task of its main thread. */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';

/** Follows the private memory of the largest tab process, in MB. */
export class Memory {
  #most = 0;
  readonly #watch: ReturnType<typeof setInterval>;

  constructor(pids: readonly number[]) {
    this.#watch = setInterval(() => {
      for (const pid of pids) this.#most = Math.max(this.#most, privateMb(pid));
    }, 50);
  }

  stop(): number {
    clearInterval(this.#watch);
    return Math.round(this.#most);
  }
}

function privateMb(pid: number): number {
  try {
    return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // A spare process ended.
  }
}

/** Of the tab, and of a spare one that Chromium keeps. */
export async function tabProcesses(browser: Browser): Promise<number[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the processor; a busy machine lengthens a task, but not this. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** The longest task of the main thread of a tab, in milliseconds of the processor. */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] };
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(({ name, pid, tid }) => name.endsWith('RunTask') && threads.has(`${pid} ${tid}`));
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000));
}

/** While a step is done: a busy machine does not lengthen it. */
export async function longestIn(page: Page, browser: Browser, step: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await step();
  return Math.round(longestTask(await browser.stopTracing()));
}
