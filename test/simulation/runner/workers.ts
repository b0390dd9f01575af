/** As many workers as cores. A worker runs this file too, and does every kind of job, to load the code once. */
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import type { Job, Report } from './jobs.ts';
import { storeUncompressed } from './uncompressed.ts';

/** Most objects of a run are garbage when it ends: a larger space copies fewer of them. */
const YOUNG_MB = 192;

interface Waiting {
  readonly job: Job;
  readonly done: (report: Report) => void;
  readonly failed: (error: unknown) => void;
}

/** Starts jobs in the given order, so that no core is idle while any is left. */
export class Workers {
  readonly #waiting: Waiting[] = [];
  readonly #workers = new Set<Worker>();
  readonly #idle = new Set<Worker>();

  all(jobs: readonly Job[]): Promise<Report[]> {
    while (this.#workers.size < availableParallelism()) this.#start();
    return Promise.all(jobs.map((job) => this.#report(job)));
  }

  async end(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
  }

  #start(): void {
    const worker = new Worker(new URL(import.meta.url), { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    this.#workers.add(worker);
    this.#idle.add(worker);
  }

  #report(job: Job): Promise<Report> {
    return new Promise((done, failed) => {
      this.#waiting.push({ job, done, failed });
      for (const worker of this.#idle) this.#next(worker);
    });
  }

  #next(worker: Worker): void {
    const next = this.#waiting.shift();
    if (next === undefined) return void this.#idle.add(worker);
    this.#idle.delete(worker);
    worker.once('error', next.failed);
    worker.once('message', (report: Report) => {
      worker.off('error', next.failed);
      next.done(report);
      this.#next(worker);
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
    worker.postMessage(next.job);
  }
}

async function startWorking(): Promise<void> {
  storeUncompressed();
  const usage = process.resourceUsage();
  // Each log line contains the memory of the process, which is slow to read beside workers.
  process.resourceUsage = () => usage;
  const { work } = await import('./jobs.ts');
  const report = async (job: Job): Promise<void> => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
    parentPort?.postMessage(await work(job));
  };
  parentPort?.on('message', (job: Job) => void report(job));
}

if (!isMainThread) await startWorking();
