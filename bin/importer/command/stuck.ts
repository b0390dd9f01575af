/**
 * Ends the command where one step of its work never ends. The budget of the reader looks between two rows; a thread of its own sees
 * what happens within one, and interrupts it.
 */
import { Worker } from 'node:worker_threads';

/** Far more than any step on an ordinary file takes. */
export const MOST_SECONDS = 120;

/** Places in the memory that both threads see. */
const BEATS = 0;
const STATE = 1;
/** Values of the state: the step is being interrupted, and the thread that did so has gone. */
const STOPPING = 1;
const STOPPED = 2;

/** It counts seconds of its own: a computer that slept has had none. */
const WATCH = `
  const { beats, most, second } = require('node:worker_threads').workerData;
  const { Session } = require('node:inspector');
  let last = -1;
  let silent = 0;
  setInterval(() => {
    const now = Atomics.load(beats, ${BEATS});
    silent = now === last ? silent + 1 : 0;
    last = now;
    if (silent < most) return;
    silent = 0;
    Atomics.store(beats, ${STATE}, ${STOPPING});
    const session = new Session();
    session.connectToMainThread();
    session.post('Runtime.terminateExecution', () => {
      session.disconnect();
      Atomics.store(beats, ${STATE}, ${STOPPED});
    });
  }, second);
`;

let isWatched = false;

/**
 * Watches the process from now on. Safe to repeat.
 * @param onStuck is called when the process ends, after a step was interrupted
 * @param second milliseconds between two looks
 */
export function endWhereStuck(onStuck: () => void, second = 1000): void {
  if (isWatched) return;
  isWatched = true;
  const beats = new Int32Array(new SharedArrayBuffer(8));
  const watch = new Worker(WATCH, {
    eval: true,
    workerData: { beats, most: MOST_SECONDS, second },
    // It keeps nothing: without limits its heap is as large as that of the command may be.
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 },
  });
  watch.unref();
  // A Node without an inspector watches nothing.
  watch.on('error', () => {});
  const state = (): number => Atomics.load(beats, STATE);
  process.once('exit', () => {
    if (state() >= STOPPING) onStuck();
  });
  setInterval(() => {
    Atomics.add(beats, BEATS, 1);
    if (state() === STOPPED) process.exit();
  }, second).unref();
}
