/** The notices that a run owes (§4.11), as events with the run as it is now. */
import { readRun } from '../runs/read.ts';
import type { Notices } from '../jobs/owed.ts';
import type { RunEventBus } from '../runtime/event-bus.ts';

type ReadingServices = Parameters<typeof readRun>[1];

/** Nothing is sent of a run that was deleted since. */
export const runNotices = ({ events, ...services }: ReadingServices & { readonly events: RunEventBus }): Notices => ({
  async send(type, ids, of) {
    const run = await readRun(ids, services);
    if (run !== undefined) await events.send({ type, run, of });
  },
});
