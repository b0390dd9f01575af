/** The deployed service in virtual time, over a table with DynamoDB's limits; no client polls, and no watchdog. */
import type { Context, SQSEvent } from 'aws-lambda';
import { courseMemory } from '../../../functions/catalog/course-memory.ts';
import { processChunks } from '../../../functions/handlers/process-chunk.ts';
import * as accepting from '../../../functions/handlers/start-import.ts';
import { operationRequest, withBody } from '../../kit/api-event.ts';
import { memoryClient } from '../../kit/memory-table/memory-client.ts';
import type { Attributes, Key } from '../../kit/memory-table/memory-table.ts';
import type { EveryStore } from '../../kit/services.ts';
import { servicesOver, SILENT } from '../../kit/world.ts';
import * as thisBuild from '../../simulation/build.ts';
import { scripted } from '../../simulation/faults.ts';
import { type Message, SimulatedQueue, type WaitingLine } from '../../simulation/queue.ts';
import { type Caller, servicesOf } from '../../simulation/services.ts';
import { EPOCH_MS, Simulation } from '../../simulation/simulation.ts';
import { CountedDatabase, noCounts } from '../database.ts';
import type { Deployment } from '../deployment.ts';
import { COMPANY, COMPANY_ID } from '../workload.ts';
import { CPU_US, machines, pause } from './machines.ts';

const startImport = accepting.handler.operation;
const LATEST_MS = 48 * 3_600_000;

function firstComeFirst(): WaitingLine {
  const waiting: Message[] = [];
  return {
    get size() {
      return waiting.length;
    },
    add: (message) => void waiting.push(message),
    take: (most) => waiting.splice(0, most),
    clear: () => void waiting.splice(0),
  };
}

export class LoadedStack {
  readonly simulation: Simulation;
  readonly database: CountedDatabase;
  readonly queue: SimulatedQueue;
  /** Without limits and without time: to arrange and to look. */
  readonly stores: EveryStore;
  /** Milliseconds that each ended import took. */
  readonly took: number[] = [];
  /** When each contribution was written. */
  readonly appliedMs: number[] = [];
  deliveries = 0;
  failedDeliveries = 0;
  throttles = 0;
  readonly #start: ReturnType<typeof machines>;
  readonly #processor: ReturnType<typeof machines>;
  readonly #ended = new Map<string, () => void>();

  constructor(seed: number, { table, batchSize, processors, limitsOf }: Deployment) {
    const simulation = new Simulation({ seed, faults: scripted([]), keptVersions: 1 });
    this.simulation = simulation;
    this.stores = servicesOver({
      client: memoryClient(simulation.table),
      clock: { nowMs: () => simulation.nowMs },
      queue: { send: async () => {}, postpone: async () => undefined },
    }).stores;
    this.database = new CountedDatabase(simulation.table, table);
    this.queue = new SimulatedQueue(simulation, {
      consume: (event, ended) => void this.#process(event, ended),
      batchSize,
      concurrency: processors,
      waiting: firstComeFirst(),
    });
    [this.#start, this.#processor] = [
      machines(simulation, limitsOf('start-import'), (by) => this.#services(by)),
      machines(simulation, limitsOf('process-chunk'), (by) => this.#services(by)),
    ];
    simulation.table.onWrite = (key, before, after) => this.#see(key, before, after);
  }

  reset(): void {
    this.database.counts = noCounts();
    [this.deliveries, this.failedDeliveries, this.throttles] = [0, 0, 0];
    [this.took.length, this.appliedMs.length] = [0, 0];
  }

  async run(clients: () => Promise<unknown>): Promise<void> {
    let isOver = false;
    this.simulation.touch();
    const ended = clients().finally(() => (isOver = true));
    // The running clients schedule the first events.
    await new Promise((resolve) => setImmediate(resolve));
    await this.simulation.run(EPOCH_MS + LATEST_MS, () => isOver);
    await ended;
  }

  /** Sends an import, again if it is refused, and waits for its end. */
  async follow(records: readonly object[]): Promise<void> {
    for (;;) {
      const sentMs = this.simulation.nowMs;
      const import_id = await this.#post(records).catch(() => undefined);
      if (import_id !== undefined) {
        await new Promise<void>((resolve) => void this.#ended.set(import_id, resolve));
        return void this.took.push(this.simulation.nowMs - sentMs);
      }
      await pause(this.simulation, 1_000);
    }
  }

  #post(records: readonly object[]): Promise<string> {
    return this.#start(async (environment) => {
      await environment.compute(records.length * CPU_US.acceptedRecord);
      const request = operationRequest({
        attemptId: this.simulation.dice.hex(8),
        caller: { company: COMPANY },
        path: { company_id: COMPANY_ID },
        ...withBody({ dry_run: false, records }),
      });
      return ((await startImport(request, environment.services)).body as { import_id: string }).import_id;
    });
  }

  async #process(event: SQSEvent, ended: (failed: ReadonlySet<string>) => void): Promise<void> {
    const { batchItemFailures } = await this.#processor(({ services }, getRemainingTimeInMillis) =>
      processChunks(event, { getRemainingTimeInMillis } as Context, services),
    );
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    this.deliveries += 1;
    this.failedDeliveries += Number(failed.size > 0);
    ended(failed);
  }

  #see({ pk, sk }: Key, before: Attributes = {}, after: Attributes = {}): void {
    if (pk.includes('#learner#')) {
      const written = Object.keys(after).filter((name) => name.startsWith('m#') && !(name in before));
      this.appliedMs.push(...written.map(() => this.simulation.nowMs));
    }
    if (sk !== 'import' || before['status'] !== 'processing' || after['status'] === 'processing') return;
    void pause(this.simulation, 1).then(this.#ended.get(String(after['import_id'])));
  }

  #services(by: Caller) {
    return servicesOf(
      by,
      {
        simulation: this.simulation,
        queue: this.queue,
        memory: courseMemory(by),
        onEvent: () => {},
        onForeign: () => {},
        planOf: (command) => this.database.plan(command, () => (this.throttles += 1)),
        telemetry: SILENT,
      },
      thisBuild,
    );
  }
}
