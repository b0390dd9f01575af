/** Runs that are read at rest, and then have another import: as it is, and with a function that dies or stalls at any of its calls. */
import { scripted, type FaultKind } from './faults.ts';
import { LATE_IMPORTS } from './run-workload.ts';
import { simulate, type RunResult } from './run.ts';
import type { Variant } from './stack.ts';

/** @param every the faults of each so-many-th call */
export async function* lateImports(variant: Variant = {}, every = 1): AsyncGenerator<RunResult> {
  const run = { seed: 1, workload: LATE_IMPORTS, variant };
  const clean = await simulate({ ...run, faults: scripted([]) });
  yield clean;
  for (const [step, { who, writes }] of clean.steps.entries()) {
    if (step % every !== 0 || (who !== 'accept' && who !== 'read')) continue;
    for (const kind of writes ? WRITING : READING)
      yield await simulate({ ...run, faults: scripted([{ step, kind, amount: STALL_MS }]) });
  }
}

const READING: readonly FaultKind[] = ['kill before', 'stall before'];
const WRITING: readonly FaultKind[] = [...READING, 'kill after', 'stall after'];
const STALL_MS = 15_000;
