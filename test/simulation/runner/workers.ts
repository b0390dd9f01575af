/** As many workers as cores; each takes the next job when it is done. A worker runs this file too. */
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import type { Job, Report } from './jobs.ts';
import { storeUncompressed } from './uncompressed.ts';

/** Reports in the order of the jobs. */
export async function workAll(jobs: readonly Job[]): Promise<Report[]> {
  const waiting = jobs.entries();
  const reports: Report[] = [];
  const workers = Array.from({ length: Math.min(availableParallelism(), jobs.length) }, () => {
    return new Worker(new URL(import.meta.url));
  });
  await Promise.all(
    workers.map(async (worker) => {
      for (const [position, job] of waiting) reports[position] = await done(worker, job);
    }),
  );
  await Promise.all(workers.map((worker) => worker.terminate()));
  return reports;
}

function done(worker: Worker, job: Job): Promise<Report> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (report: Report) => {
      worker.off('error', reject);
      resolve(report);
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
    worker.postMessage(job);
  });
}

async function startWorking(): Promise<void> {
  storeUncompressed();
  const { work } = await import('./jobs.ts');
  const report = async (job: Job): Promise<void> => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
    parentPort?.postMessage(await work(job));
  };
  parentPort?.on('message', (job: Job) => void report(job));
}

if (!isMainThread) await startWorking();
