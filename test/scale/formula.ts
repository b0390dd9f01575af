/** The formula of records a second from settings; docs/limits.md has it in words. The test compares it with the model. */
import { CPU_US, latencyOf, MB_OF_A_CPU } from './assumptions.ts';

export interface Bounds {
  readonly 'writes of the table': number;
  readonly 'reads of the table': number;
  readonly processors: number;
}

/** Units of a record, as the model counts them for an export sorted by learner, with learners named by ids of the old system. */
export const UNITS = { writes: 2.13, reads: 1.31 };

const RECORDS_A_DELIVERY = 500;
/** Items that a record touches: the stored record, its identity, its contribution, and a fifth of a user and of a mapping. */
const ITEMS_A_RECORD = 3.4;
/** Calls of a delivery that wait for each other (docs/costs.md), and one for ids of the old system. */
const CALLS = { batch: 6, single: 4 };
/** The four chunks of a delivery wait while others of them compute: this part of the waiting is left. */
const WAITING = 0.6;
/** The time between two deliveries, in which the event source polls the queue. */
const BETWEEN_MS = 15;
const LEAST_READS = 12_000;
const PROCESSOR_MB = 1_024;

/** Milliseconds of a delivery of four full chunks. */
export const deliveryMs = (): number =>
  WAITING * (CALLS.batch * latencyOf('BatchGet') + CALLS.single * latencyOf('Put')) +
  (RECORDS_A_DELIVERY * ITEMS_A_RECORD * CPU_US.item) / 1_000 / (PROCESSOR_MB / MB_OF_A_CPU) +
  BETWEEN_MS;

export function boundsOf({ warm, processors }: { readonly warm: number; readonly processors: number }): Bounds {
  return {
    'writes of the table': warm / UNITS.writes,
    'reads of the table': Math.max(LEAST_READS, warm) / UNITS.reads,
    processors: (processors * RECORDS_A_DELIVERY * 1_000) / deliveryMs(),
  };
}

export const recordsPerSecond = (settings: { readonly warm: number; readonly processors: number }): number =>
  Math.min(...Object.values(boundsOf(settings)));
