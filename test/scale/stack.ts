/** The deployed service under load: gateway, functions, queue and database in virtual time, with observations. */
import type { Context, SQSEvent } from 'aws-lambda';
import { courseMemory } from '../../functions/catalog/course-memory.ts';
import * as polling from '../../functions/handlers/get-import.ts';
import { processChunks } from '../../functions/handlers/process-chunk.ts';
import * as accepting from '../../functions/handlers/start-import.ts';
import { watch } from '../../functions/handlers/watchdog.ts';
import { inCompanyOfCaller } from '../../functions/http/operations.ts';
import type { ApiResponse, CompanyRequest } from '../../functions/http/types.ts';
import * as METRIC from '../../functions/runtime/metrics.ts';
import type { Telemetry } from '../../functions/runtime/telemetry.ts';
import type { EveryStore } from '../kit/services.ts';
import { type Services, servicesOver } from '../kit/world.ts';
import { PROCESS_CHUNK, WATCHDOG } from '../../lib/function-sources.ts';
import { operationRequest } from '../kit/api-event.ts';
import { memoryClient } from '../kit/memory-table/memory-client.ts';
import * as thisBuild from '../simulation/build.ts';
import { SimulatedQueue } from '../simulation/queue.ts';
import { type Caller, servicesOf } from '../simulation/services.ts';
import { EPOCH_MS, Simulation } from '../simulation/simulation.ts';
import { scripted } from '../simulation/faults.ts';
import { CPU_US, EVENT_SOURCE, GATEWAY_MS } from './assumptions.ts';
import { LimitedDatabase } from './database.ts';
import { type Deployment, type Rate } from './deployment.ts';
import { fairToGroups } from './fair-queue.ts';
import { Machines, TimedOut } from './machines.ts';
import { Observations } from './observations.ts';
import { Bucket } from './throughput.ts';

const startImport = inCompanyOfCaller(accepting.startImport);
const getImport = inCompanyOfCaller(polling.getImport);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LATEST_MS = 48 * HOUR;
const TOO_MANY_REQUESTS = 429;

export interface StackOptions {
  readonly seed: number;
  readonly deployment: Deployment;
  /** `true`: without the limits of API Gateway, to measure the rest of the stack. */
  readonly isGatewayOpen?: boolean;
  readonly splitsAfterMs?: number;
}

/** One import as its client sent it. */
export interface Sent {
  readonly company_id: string;
  readonly records: readonly object[];
}

export class LoadedStack {
  readonly simulation: Simulation;
  readonly database: LimitedDatabase;
  readonly observations: Observations;
  readonly queue: SimulatedQueue;
  readonly functions: Readonly<Record<'start' | 'poll' | 'processor' | 'watchdog', Machines>>;
  /** Without limits and without time: to arrange and to look. */
  readonly stores: EveryStore;
  requests = 0;
  /** No message is delivered before this is set. */
  isDelivering = true;
  /** Longest run of the watchdog. */
  longestWatchMs = 0;
  #busySinceMs: number | undefined;
  #isOver = false;
  readonly #gateway: { readonly polls: Bucket; readonly imports: Bucket };

  constructor({ seed, deployment, isGatewayOpen = false, splitsAfterMs }: StackOptions) {
    const simulation = new Simulation({ seed, faults: scripted([]), keptVersions: 1 });
    this.simulation = simulation;
    this.stores = servicesOver({
      client: memoryClient(simulation.table),
      clock: { nowMs: () => simulation.nowMs },
      queue: { send: async () => {}, postpone: async () => undefined },
    }).stores;
    this.observations = new Observations(simulation);
    this.database = new LimitedDatabase({
      table: simulation.table,
      limits: deployment.table,
      ...(splitsAfterMs !== undefined && { splitsAfterMs }),
    });
    this.queue = new SimulatedQueue(simulation, {
      consume: (event, ended) => void this.#process(event, ended),
      batchSize: deployment.batchSize,
      concurrency: () => (this.isDelivering ? this.#concurrency(deployment.processors) : 0),
      waiting: fairToGroups(),
      backlogMs: () => 0,
      outageLeftMs: () => 0,
      delivers: Number.POSITIVE_INFINITY,
    });
    const machines = (kind: string, name: string) =>
      new Machines(simulation, kind, deployment.limitsOf(name), (by) => this.#services(by));
    this.functions = {
      start: machines('accept', 'start-import'),
      poll: machines('poll', 'get-import'),
      processor: machines('process', PROCESS_CHUNK),
      watchdog: machines('watchdog', WATCHDOG),
    };
    const gateOf = ({ perSecond, burst }: Rate) =>
      isGatewayOpen ? new Bucket(1e9, 0) : new Bucket(perSecond, simulation.nowMs, burst);
    this.#gateway = { polls: gateOf(deployment.polls), imports: gateOf(deployment.imports) };
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.simulation.after(ms, () => {
        this.simulation.touch();
        resolve();
      });
    });
  }

  /** Runs the clients, with the watchdog every minute, until they are done. */
  async run(clients: () => Promise<unknown>): Promise<void> {
    this.simulation.touch();
    const ended = clients().finally(() => (this.#isOver = true));
    this.simulation.after(MINUTE / 2, () => void this.#watchEveryMinute());
    // The running clients schedule the first events.
    await new Promise((resolve) => setImmediate(resolve));
    await this.simulation.run(EPOCH_MS + LATEST_MS, () => this.#isOver);
    await ended;
  }

  /** Sends an import and follows it to its end, as `Retry-After` asks. Refusals are sent again. */
  async follow(sent: Sent): Promise<void> {
    const import_id = await this.send(sent);
    let waitMs = 1_000;
    while (!this.observations.hasEnded(import_id)) {
      await this.pause(waitMs);
      waitMs = await this.#poll(sent.company_id, import_id);
    }
  }

  /** Returns the id of the import. */
  async send({ company_id, records }: Sent): Promise<string> {
    for (;;) {
      const { statusCode, body } = await this.#post(company_id, records);
      if (statusCode === 202) return (body as { import_id: string }).import_id;
      await this.pause(1_000 * (1 + this.simulation.dice.next()));
    }
  }

  async #post(company_id: string, records: readonly object[]): Promise<ApiResponse> {
    return this.#request(this.functions.start, this.#gateway.imports, async (services, environment) => {
      await environment.compute(records.length * CPU_US.acceptedRecord);
      const request = await this.#authorised(company_id, services, { json: () => ({ dry_run: false, records }) });
      return startImport(request, services);
    });
  }

  async #poll(company_id: string, import_id: string): Promise<number> {
    const response = await this.#request(this.functions.poll, this.#gateway.polls, async (services) =>
      getImport(await this.#authorised(company_id, services, {}, import_id), services),
    );
    return 1_000 * Number(response.headers?.['retry-after'] ?? 1);
  }

  #admits(bucket: Bucket): boolean {
    const { nowMs } = this.simulation;
    if (!bucket.hasUnits(nowMs)) return false;
    bucket.take(1);
    return true;
  }

  /** A fault is a 503, as the handlers’ chain makes it. */
  async #request(
    machines: Machines,
    rate: Bucket,
    code: Parameters<typeof machines.invoke<ApiResponse>>[0],
  ): Promise<ApiResponse> {
    this.requests += 1;
    await this.pause(GATEWAY_MS);
    if (!this.#admits(rate)) return { statusCode: TOO_MANY_REQUESTS, body: {} };
    try {
      return await machines.invoke(code);
    } catch {
      this.observations.count(METRIC.temporarilyUnavailable, 1);
      return { statusCode: 503, body: {} };
    }
  }

  async #authorised(
    company_id: string,
    { stores }: Services,
    sent: Partial<CompanyRequest>,
    import_id?: string,
  ): Promise<CompanyRequest> {
    const email = `admin@${company_id}.example`;
    const key = { session_id: `session of ${company_id}`, company_id, email };
    const access = await stores.access.readAccess(import_id === undefined ? key : { ...key, import_id });
    const { company } = access;
    return operationRequest({
      requestId: 'request',
      attemptId: this.simulation.dice.hex(8),
      ...(company && { caller: { company } }),
      path: { company_id, ...(import_id !== undefined && { import_id }) },
      import: access.import,
      ...sent,
    });
  }

  async #process(event: SQSEvent, ended: (failed: ReadonlySet<string>) => void): Promise<void> {
    this.#busySinceMs ??= this.simulation.nowMs;
    const all = new Set(event.Records.map(({ messageId }) => messageId));
    let failed: ReadonlySet<string> = all;
    try {
      const { batchItemFailures } = await this.functions.processor.invoke((services, environment, remainingMs) => {
        this.observations.delivers(environment, event);
        return processChunks(event, contextOf(remainingMs), services);
      });
      failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    } catch (error) {
      if (!(error instanceof TimedOut)) throw error;
    }
    this.observations.delivered(failed.size);
    ended(failed);
  }

  async #watchEveryMinute(): Promise<void> {
    if (this.#isOver) return;
    this.simulation.after(MINUTE, () => void this.#watchEveryMinute());
    this.simulation.touch();
    const startedMs = this.simulation.nowMs;
    await this.functions.watchdog
      .invoke((services, _, remainingMs) => watch({}, contextOf(remainingMs), services))
      .catch(() => undefined);
    this.longestWatchMs = Math.max(this.longestWatchMs, this.simulation.nowMs - startedMs);
  }

  /** An event source takes up work slowly. */
  #concurrency(most: number): number {
    const busyMs = this.#busySinceMs === undefined ? 0 : this.simulation.nowMs - this.#busySinceMs;
    return Math.min(most, EVENT_SOURCE.first + Math.floor((busyMs / MINUTE) * EVENT_SOURCE.aMinute));
  }

  #services(by: Caller): Services {
    const telemetry: Telemetry = {
      count: (metric, value = 1) => this.observations.count(metric, value),
      time: () => {},
      info: () => {},
      error: () => {},
      flush: () => {},
    };
    return servicesOf(
      by,
      {
        simulation: this.simulation,
        queue: this.queue,
        memory: courseMemory(by),
        onEvent: () => {},
        onForeign: () => {},
        planOf: (command) => this.database.plan(command, (kind) => this.observations.throttled(kind, by)),
        telemetry,
      },
      thisBuild,
    );
  }
}

const contextOf = (remainingMs: () => number) => ({ getRemainingTimeInMillis: remainingMs }) as Context;
