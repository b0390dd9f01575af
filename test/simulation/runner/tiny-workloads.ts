/** Workloads so small that all pairs of faults can be tried. */
import type { Workload } from '../workload.ts';

const record = (id: string, email: string, completion_pct: number) => ({
  external_record_id: id,
  user: { email },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct, classes: [{ platform_class_id: 1001 }] },
});

const once = { dry_run: false, racing: 1, replaysMs: [] };
const ann = (pct: number) => record('r-1', 'ann@acme.test', pct);

type Tiny = Pick<Workload, 'imports' | 'settledPairs'> & { readonly delivers?: number };

const SHAPES: readonly Tiny[] = [
  { settledPairs: true, imports: [{ ...once, atMs: 0, key: 'key', records: [ann(50)] }] },
  {
    // The same record twice at once, with other content.
    settledPairs: true,
    imports: [
      { ...once, atMs: 0, records: [ann(50)] },
      { ...once, atMs: 40, records: [ann(80)] },
    ],
  },
  {
    // Two imports claim one id for different learners.
    settledPairs: false,
    imports: [
      { ...once, atMs: 0, records: [ann(50)] },
      { ...once, atMs: 10, records: [record('r-1', 'bob@acme.test', 80)] },
    ],
  },
  { settledPairs: true, imports: [{ ...once, atMs: 0, dry_run: true, key: 'key', racing: 2, records: [ann(50)] }] },
  // The queue loses everything, or all but one delivery: what the watchdog closes, and who wakes after it.
  { settledPairs: true, delivers: 0, imports: [{ ...once, atMs: 0, records: [ann(50)] }] },
  {
    settledPairs: true,
    delivers: 1,
    imports: [{ ...once, atMs: 0, records: [ann(50), record('r-2', 'bob@acme.test', 80)] }],
  },
];

export const TINY_SHAPES = SHAPES.length;
/** The two with the fewest steps. */
export const TINIEST = [0, 3] as const;

export function tinyWorkload(seed: number): Workload {
  const shape = SHAPES[seed % SHAPES.length] as Tiny;
  return { ...shape, changes: [], chunkRecords: 2, backlogMs: 0, history: 0 };
}

/** Its client has no key, so nobody comes back for it. */
export const loneImport: Workload = { ...tinyWorkload(0), imports: [{ ...once, atMs: 0, records: [ann(50)] }] };
