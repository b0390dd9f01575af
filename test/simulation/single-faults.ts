/** Schedules with one fault at each of some steps. */
import { type Fault, scripted, type Step } from './faults.ts';
import { simulate, type RunResult } from './run.ts';
import type { Variant } from './stack.ts';
import { loneImport, type Workload } from './workload.ts';

type At = (step: Step) => boolean;

async function* atEach(isAt: At, fault: Omit<Fault, 'step'>, workload: Workload, variant: Variant) {
  const { steps } = await simulate({ seed: 1, workload, faults: scripted([]) });
  for (const [step, what] of steps.entries())
    if (isAt(what)) yield await simulate({ seed: 1, workload, faults: scripted([{ step, ...fault }]), variant });
}

/** An import is abandoned: its only delivery dies after one of its writes. */
export const abandonedSchedules = (variant: Variant = {}): AsyncGenerator<RunResult> =>
  atEach(
    ({ who, writes }) => who === 'process' && writes,
    { kind: 'kill after', amount: 0 },
    { ...loneImport, delivers: 1 },
    variant,
  );

const SECOND = 1_000;
const [sent = { atMs: 0, dry_run: false, racing: 1, replaysMs: [], records: [] }] = loneImport.imports;
const corrected = sent.records.map((record) => ({ ...(record as object), progress: { completion_pct: 80 } }));
const REPLACING: Workload = {
  ...loneImport,
  imports: [sent, { ...sent, atMs: 5 * SECOND, records: corrected, replace: true }, { ...sent, atMs: 6 * SECOND }],
  // Makes the run bounded: no invocation outlives its time-out.
  runReverts: [],
};

/** A replacing import runs after one that was accepted later and found what it replaces. */
export const overtakingSchedules = (variant: Variant = {}): AsyncGenerator<RunResult> =>
  atEach(({ delivery }) => delivery, { kind: 'message delayed', amount: 20 * SECOND }, REPLACING, variant);
