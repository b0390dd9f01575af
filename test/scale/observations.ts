/** Observations of a run: when records are applied and imports end, and which calls are throttled or fail. */
import type { SQSEvent } from 'aws-lambda';
import type { Attributes, Key } from '../kit/memory-table/memory-table.ts';
import type { Caller } from '../simulation/services.ts';
import type { Simulation } from '../simulation/simulation.ts';
import type { Kind } from './throughput.ts';

interface SeenImport {
  readonly company_id: string;
  readonly total: number;
  readonly committedMs: number;
  endedMs?: number;
  /** The last throttle of a delivery that carried one of its chunks. */
  lastThrottleMs?: number;
}

const MINUTE = 60_000;
/** The start and the end do not count as a sustained rate: an idle table lends a second of its throughput, and processors start. */
const [FROM, TO] = [0.4, 0.9];
const TENTH_MS = 100;

/** Sums by minute. */
export type Series = Map<number, number>;

export class Observations {
  readonly imports = new Map<string, SeenImport>();
  readonly metrics = new Map<string, Series>();
  /** Records applied, by tenth of a second. */
  readonly applied: Series = new Map();
  appliedRecords = 0;
  deliveries = 0;
  failedDeliveries = 0;
  failedChunks = 0;
  readonly #simulation: Simulation;
  readonly #carried = new Map<Caller, ReadonlySet<string>>();

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    simulation.table.onWrite = (key, before, after) => this.#see(key, before, after);
  }

  hasEnded(import_id: string): boolean {
    return this.imports.get(import_id)?.endedMs !== undefined;
  }

  count(metric: string, value: number): void {
    const series = this.metrics.get(metric) ?? new Map<number, number>();
    this.metrics.set(metric, series);
    add(series, Math.floor(this.#simulation.nowMs / MINUTE), value);
  }

  throttled(kind: Kind, by: Caller): void {
    this.count(kind === 'writes' ? 'WriteThrottleEvents' : 'ReadThrottleEvents', 1);
    for (const id of this.#carried.get(by) ?? []) {
      const seen = this.imports.get(id);
      if (seen !== undefined && seen.endedMs === undefined) seen.lastThrottleMs = this.#simulation.nowMs;
    }
  }

  /** A processor has received chunks of these imports. */
  delivers(by: Caller, { Records }: SQSEvent): void {
    this.deliveries += 1;
    this.#carried.set(by, new Set(Records.map(({ body }) => (JSON.parse(body) as { import_id: string }).import_id)));
  }

  delivered(failedChunks: number): void {
    this.failedDeliveries += Number(failedChunks > 0);
    this.failedChunks += failedChunks;
  }

  /** Milliseconds from commit to end. */
  terminalMs(isCounted: (seen: SeenImport) => boolean = () => true): number[] {
    return [...this.imports.values()].flatMap((seen) =>
      seen.endedMs === undefined || !isCounted(seen) ? [] : [seen.endedMs - seen.committedMs],
    );
  }

  /** The longest that an import took after its last throttle. */
  get slowestAfterThrottleMs(): number {
    const after = [...this.imports.values()].map(
      ({ endedMs = 0, lastThrottleMs }) => endedMs - (lastThrottleMs ?? endedMs),
    );
    return Math.max(0, ...after);
  }

  get open(): number {
    return [...this.imports.values()].filter(({ endedMs }) => endedMs === undefined).length;
  }

  /** Records a second after the start and before the end. */
  get sustained(): number {
    const tenths = [...this.applied].toSorted(([a], [b]) => a - b);
    let sum = 0;
    const reached = tenths.map(([tenth, records]) => [tenth, (sum += records)] as const);
    const at = (share: number) => reached.find(([, records]) => records >= share * sum) ?? [0, 0];
    const [[from, before], [to, after]] = [at(FROM), at(TO)];
    return ((after - before) * 1_000) / TENTH_MS / Math.max(1, to - from);
  }

  #see({ pk, sk }: Key, before: Attributes | undefined, after: Attributes | undefined): void {
    if (sk === 'import') return this.#seeImport(before, after);
    if (!pk.includes('#learner#') || before !== undefined) return;
    this.appliedRecords += 1;
    add(this.applied, Math.floor(this.#simulation.nowMs / TENTH_MS), 1);
  }

  #seeImport(before: Attributes | undefined, after: Attributes | undefined): void {
    const { import_id, company_id, total, status } = after as Record<string, string>;
    const nowMs = this.#simulation.nowMs;
    if (before === undefined)
      this.imports.set(String(import_id), { company_id: String(company_id), total: Number(total), committedMs: nowMs });
    const seen = this.imports.get(String(import_id)) as SeenImport;
    if (status !== 'processing') seen.endedMs ??= nowMs;
  }

  sumOf(metric: string): number {
    return [...(this.metrics.get(metric)?.values() ?? [])].reduce((sum, value) => sum + value, 0);
  }
}

function add(series: Series, at: number, value: number): void {
  series.set(at, (series.get(at) ?? 0) + value);
}
