/** Schedules in which an import is abandoned: its only delivery dies after one of its writes. */
import { scripted } from './faults.ts';
import { simulate, type RunResult } from './run.ts';
import type { Variant } from './stack.ts';
import { loneImport } from './workload.ts';

export async function* abandonedSchedules(variant: Variant = {}): AsyncGenerator<RunResult> {
  const workload = { ...loneImport, delivers: 1 };
  const { steps } = await simulate({ seed: 1, workload, faults: scripted([]) });
  for (const [step, { who, writes }] of steps.entries()) {
    if (who !== 'process' || !writes) continue;
    const faults = scripted([{ step, kind: 'kill after', amount: 0 }]);
    yield await simulate({ seed: 1, workload, faults, variant });
  }
}
