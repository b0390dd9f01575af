import { parentPort } from 'node:worker_threads';
import type { Job } from './jobs.ts';
import { storeUncompressed } from './uncompressed.ts';

storeUncompressed();

const { work } = await import('./jobs.ts');

parentPort?.on('message', (job: Job) => {
  void answer(job);
});

async function answer(job: Job): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
  parentPort?.postMessage(await work(job));
}
