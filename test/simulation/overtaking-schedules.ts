/** Schedules in which a replacing import runs after one that was accepted later and found what it replaces. */
import { scripted } from './faults.ts';
import { simulate, type RunResult } from './run.ts';
import type { Variant } from './stack.ts';
import { loneImport, type Workload } from './workload.ts';

const SECOND = 1_000;
const [sent = { atMs: 0, dry_run: false, racing: 1, replaysMs: [], records: [] }] = loneImport.imports;
const corrected = sent.records.map((record) => ({ ...(record as object), progress: { completion_pct: 80 } }));

const workload: Workload = {
  ...loneImport,
  imports: [sent, { ...sent, atMs: 5 * SECOND, records: corrected, replace: true }, { ...sent, atMs: 6 * SECOND }],
  // Makes the run bounded: no invocation outlives its time-out.
  runReverts: [],
};

export async function* overtakingSchedules(variant: Variant = {}): AsyncGenerator<RunResult> {
  const { steps } = await simulate({ seed: 1, workload, faults: scripted([]) });
  for (const [step, { delivery }] of steps.entries()) {
    if (!delivery) continue;
    const faults = scripted([{ step, kind: 'message delayed', amount: 20 * SECOND }]);
    yield await simulate({ seed: 1, workload, faults, variant });
  }
}
