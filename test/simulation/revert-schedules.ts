/** Schedules in which a revert meets invocations for which it must wait: stalled, repeated and later ones. */
import { scripted, type Fault } from './faults.ts';
import { simulate, type RunResult } from './run.ts';
import type { Variant } from './stack.ts';
import type { PlannedImport, Workload } from './workload.ts';

const record = {
  external_record_id: 'r-1',
  user: { email: 'ann@acme.test' },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 50 },
};
const once = { dry_run: false, racing: 1, replaysMs: [], records: [record] };

/** The first import is reverted; another one sends the same record at this moment. */
function meeting(revertsMs: number, atMs: number): Workload {
  const imports: PlannedImport[] = [
    { ...once, atMs: 0, key: 'key-0', revertsMs: [revertsMs] },
    { ...once, atMs, key: 'key-1' },
  ];
  return { imports, changes: [], chunkRecords: 1, backlogMs: 0, settledPairs: true };
}

/** The first import alone: nothing hides what a late delivery of it writes. */
const ALONE: Workload = { ...meeting(5_000, 0), imports: meeting(5_000, 0).imports.slice(0, 1) };

/** Just before the gate is closed; just before contributions are removed; while the import waits at the gate. */
const MEETINGS = [
  meeting(20_000, 19_700),
  ...[29_600, 29_900, 30_100, 30_300].map((atMs) => meeting(5_000, atMs)),
  meeting(5_000, 25_000),
  ALONE,
];

/** Each meeting alone, with each stall, and with each message delivered twice and a stall after it. */
export async function* revertSchedules(variant: Variant = {}): AsyncGenerator<RunResult> {
  for (const workload of MEETINGS) {
    const run = (faults: readonly Fault[]) => simulate({ seed: 1, workload, faults: scripted(faults), variant });
    const clean = await run([]);
    yield clean;
    for (const stall of stallsOf(clean)) yield await run([stall]);
    const deliveries = [...clean.steps.entries()].filter(([, { delivery }]) => delivery);
    for (const [step] of deliveries) {
      const twice = { step, kind: 'message duplicated', amount: 0 } as const;
      const stalls = stallsOf(await run([twice])).filter((stall) => stall.step > step);
      for (const stall of stalls) yield await run([twice, stall]);
    }
  }
}

/** A stall that an invocation barely survives, before each write of the processor. */
function stallsOf({ steps }: RunResult): Fault[] {
  return [...steps.entries()].flatMap(([step, { who, writes }]) =>
    who === 'process' && writes ? [{ step, kind: 'stall before', amount: 180_000 }] : [],
  );
}
