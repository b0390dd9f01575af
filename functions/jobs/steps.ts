/**
 * Work that takes more than one invocation: a revert, an erasure. Each step is stored before the next begins, so that whoever
 * comes goes on where the last one stopped.
 */
import { LONGEST_CHAIN, type QueueMessage } from './queue.ts';
import type { ImportServices } from '../imports/services.ts';

const SECOND = 1_000;
/** Covers clocks that differ, and writes that arrive after their function has ended. */
const MARGIN_SECONDS = 5;
/** An invocation begins no step after this. It has more than half of its time left for the one it is at. */
const WORKING_MS = 8 * SECOND;

/** After so long, no function with this time-out that ran before is still at work. */
export const fenceMs = (timeoutSeconds: number): number => (timeoutSeconds + MARGIN_SECONDS) * SECOND;

/** Whether there is time left to begin something. */
export type HasTime = () => boolean;

interface Staged<Work> {
  /** The work as it is stored; `undefined` where nothing is left to do. */
  readonly work: Work | undefined;
  /** Takes one step. Returns the work after it; `undefined` where somebody else is at it, it has to wait, or it is done. */
  readonly step: (work: Work, hasTime: HasTime) => Promise<Work | undefined>;
  /** How many messages came before the one that asked for this. */
  readonly hop: number;
  /** Asks to go on after a while, by a message whose `hop` is given. */
  readonly message: (hop: number, waitMs: number) => QueueMessage;
}

/** Brings the work forward as far as it can. The rest is sent as a message, or left to the watchdog. */
export async function bringForward<Work extends { readonly until?: string | undefined }>(
  { work, step, hop, message }: Staged<Work>,
  { clock, queue }: Pick<ImportServices, 'clock' | 'queue'>,
): Promise<void> {
  const startedMs = clock.nowMs();
  const hasTime = () => clock.nowMs() - startedMs < WORKING_MS;
  let current = work;
  while (current !== undefined) {
    const waitMs = current.until === undefined ? 0 : Math.max(0, Date.parse(current.until) - clock.nowMs());
    if (waitMs > 0 || !hasTime()) {
      if (hop < LONGEST_CHAIN) await queue.send([message(hop + 1, waitMs)]);
      return;
    }
    current = await step(current, hasTime);
  }
}
