/** The deployed system around the handlers: who starts them, when, and what happens to their responses. */
import type { Context, SQSEvent } from 'aws-lambda';
import { registerUserMappings } from '../../functions/catalog/register-mappings.ts';
import { courseMemory } from '../../functions/catalog/course-memory.ts';
import { handler as getRun } from '../../functions/handlers/get-run.ts';
import { intake } from '../../functions/handlers/intake.ts';
import {
  RequestRejected,
  type ApiRequest,
  type ApiResponse,
  type ProtectedOperation,
} from '../../functions/http/types.ts';
import { importIdForKey } from '../../functions/imports/idempotency-key.ts';
import { instant } from '../../functions/records/instants.ts';
import type { Services } from '../kit/world.ts';
import { REQUEST_ERROR_STATUS } from '../../functions/shared/codes.ts';
import type { ImportRevert, Run, RunRevert } from '../../functions/shared/model.ts';
import { namesPerson } from '../erasure/person.ts';
import { operationRequest, withBody } from '../kit/api-event.ts';
import { limitChunks } from '../kit/chunk-limits.ts';
import * as thisBuild from './build.ts';
import { History, type Told } from './history.ts';
import { Invocation } from './invocation.ts';
import { anyOrder, SimulatedQueue } from './queue.ts';
import { type Build, servicesOf, type Surroundings } from './services.ts';
import { EPOCH_MS, type Simulation } from './simulation.ts';
import { settingAt, type PlannedApplication, type PlannedImport, type Workload } from './workload.ts';
import { COMPANY } from './world.ts';

export interface Variant {
  readonly breakServices?: Surroundings['breakServices'];
  readonly breakCommand?: Surroundings['breakCommand'];
  readonly breakAnswer?: Surroundings['breakAnswer'];
  readonly processChunks?: Build['processChunks'];
  readonly watch?: Build['watch'];
  /** By the number of the invocation, and what it is for; default: this build. */
  readonly buildOf?: (seed: number, invocation: number, kind: string) => Build;
  readonly onEffect?: Surroundings['onEffect'];
  readonly onEvent?: Surroundings['onEvent'];
  readonly acknowledgesFailures?: boolean;
}

type Request = Pick<PlannedImport, 'records' | 'dry_run' | 'run_id' | 'replace' | 'archive'> & {
  readonly key?: string;
};

const MINUTE = 60_000;
const ACCEPT_TIMEOUT_MS = 29_000;
const PROCESS_TIMEOUT_MS = 20_000;
const CLIENT_ATTEMPTS = 5;
const FACT_ATTEMPTS = 20;
const REVERT_ATTEMPTS = 20;
const REVERT_AGAIN_MS = 7_000;
const PLANNING = { attempts: REVERT_ATTEMPTS, againMs: REVERT_AGAIN_MS } as const;

export class Stack {
  readonly history: History;
  readonly queue: SimulatedQueue;
  readonly isMixed: boolean;
  readonly #simulation: Simulation;
  readonly #variant: Variant;
  readonly #surroundings: Surroundings;
  readonly #running = new Set<Invocation>();
  readonly #ticks = new Set<number>();
  readonly #tickPhaseMs: number;
  readonly #chunkRecords: number;
  /** From then on no client sends anything new of the erased person. */
  readonly #erasesMs: number;
  readonly #outageMs: readonly [from: number, until: number];

  constructor(simulation: Simulation, workload: Workload, variant: Variant = {}) {
    this.#simulation = simulation;
    this.#variant = variant;
    this.isMixed = variant.buildOf !== undefined;
    this.#chunkRecords = workload.chunkRecords;
    this.history = new History(simulation);
    this.#outageMs = workload.outageMs ?? [0, 0];
    this.#erasesMs = EPOCH_MS + (workload.erasure?.atMs ?? Number.POSITIVE_INFINITY);
    this.#tickPhaseMs = simulation.dice.below(MINUTE);
    this.queue = new SimulatedQueue(simulation, {
      consume: (event, ended) => this.#process(event, ended),
      batchSize: workload.messagesAtOnce ?? 4,
      concurrency: 3,
      waiting: anyOrder(simulation.dice),
      backlogMs: () => (workload.backlogMs === 0 || simulation.quiet ? 0 : simulation.dice.below(workload.backlogMs)),
      outageLeftMs: () => this.#outageLeftMs(),
      delivers: workload.delivers,
      losesUntilMs: workload.losesUntilMs,
      onSend: (body) => void this.history.messages.push(body),
    });
    this.#surroundings = {
      simulation,
      queue: this.queue,
      memory: courseMemory({ nowMs: () => simulation.nowMs }),
      onEvent: (type, detail) => {
        this.history.sent(type, detail);
        variant.onEvent?.(type, detail);
      },
      onForeign: () => this.history.violate('a message was taken for one of another service'),
      onLine: (line) => void this.history.lines.push(line),
      onEffect: variant.onEffect,
      quota: workload.plans?.quota,
      approvalAt: (ms) => settingAt(workload, ms - EPOCH_MS),
      ...(variant.breakServices && { breakServices: variant.breakServices }),
      ...(variant.breakCommand && { breakCommand: variant.breakCommand }),
      ...(variant.breakAnswer && { breakAnswer: variant.breakAnswer }),
    };
  }

  /** Sends one import as its client does: again where no response comes back. */
  send(request: PlannedImport, attempt = 1): void {
    if (this.#outageLeftMs() > 0)
      return this.#simulation.after(this.#outageLeftMs(), () => this.send(request, attempt));
    if (this.#simulation.nowMs >= this.#erasesMs && this.#isNewOfPerson(request)) return;
    const again = () => {
      const tries = request.key === undefined ? 1 : CLIENT_ATTEMPTS;
      if (attempt < tries)
        this.#simulation.after(this.#simulation.dice.between(100, 9_000), () => this.send(request, attempt + 1));
    };
    const onDeath = () => this.#simulation.after(1_000, again);
    const by = this.#invoke('accept', ACCEPT_TIMEOUT_MS, onDeath);
    const services = this.#services(by);
    by.start(
      () => this.#accept(request, by, services),
      ({ statusCode, body }) => {
        const { import_id } = body as { import_id: string };
        this.history.responses.push({ request, status: statusCode, body, import_id });
        if (statusCode === 202) this.#poll(import_id, by.id, 0);
      },
      (error) => {
        if (!(error instanceof this.#build(by).RequestRejected)) return again();
        if (error.problem.error_code === 'approval_required') return;
        this.history.responses.push({ request, status: 422, body: error.problem, import_id: '' });
      },
    );
  }

  /** Cancels the import of a key if it exists by now; again where no response comes back. */
  cancel(key = ''): void {
    if (this.#outageLeftMs() > 0) return this.#simulation.after(this.#outageLeftMs(), () => this.cancel(key));
    const import_id = importIdForKey(COMPANY, key);
    this.#insist({ kind: 'cancel', attempts: CLIENT_ATTEMPTS, againMs: 2_000 }, async (by, services) => {
      const request = await this.#request(by, services, {}, import_id);
      if (request.import !== undefined)
        await this.#build(by).cancelImport({ ...request, import: request.import }, services);
    });
  }

  /** Reverts an import, or a run, once it has ended; again where no response comes back. */
  revert(what: { readonly key: string } | { readonly run_id: string }): void {
    let askedMs = 0;
    const sent = withBody({ dry_run: false });
    this.#insist(
      { kind: 'revert', attempts: REVERT_ATTEMPTS, againMs: REVERT_AGAIN_MS },
      async (by, services) => {
        askedMs = by.bornMs;
        if ('run_id' in what) {
          const request = await this.#request(by, services, sent);
          const path = { company_id: COMPANY, run_id: what.run_id };
          return this.#build(by).revertRun({ ...request, path }, services);
        }
        const request = await this.#request(by, services, sent, importIdForKey(COMPANY, what.key));
        if (request.import === undefined) throw new Error('There is no import yet.');
        return this.#build(by).revertImport({ ...request, import: request.import }, services);
      },
      ({ statusCode, body }) => {
        this.history.reverts.push(body as ImportRevert | RunRevert);
        if ('run_id' in what && statusCode === 202) this.history.runReverts.push([what.run_id, askedMs]);
      },
    );
  }

  /** What an administrator does about a plan; again where no response comes back. */
  decide(kind: string, act: (services: Services, build: Build) => Promise<void>): void {
    this.#insist({ ...PLANNING, kind }, (by, services) => act(services, this.#build(by)));
  }

  cancelPlan({ plan_id }: PlannedApplication): void {
    this.#insist({ kind: 'cancel', attempts: CLIENT_ATTEMPTS, againMs: 2_000 }, (by, { stores }) =>
      stores.plans.cancel({ company_id: COMPANY, plan_id }, instant(by.nowMs())),
    );
  }

  async readRun(run_id: string): Promise<void> {
    const fromMs = this.#simulation.nowMs;
    const response = await this.request('read', getRun.operation, { path: { company_id: COMPANY, run_id } });
    const toMs = this.#simulation.nowMs;
    const body = response?.statusCode === 200 ? (response.body as Run) : undefined;
    if (response !== undefined) this.history.reads.push({ run_id, body, fromMs, toMs });
  }

  /** Sends the platform's facts; again where no response comes back. */
  tell(facts: readonly object[]): void {
    this.#insist(
      { kind: 'intake', timeoutMs: MINUTE, attempts: FACT_ATTEMPTS, againMs: 2_000 },
      (by, services) => intake({ facts }, contextOf(by), services),
      (response) => void this.history.told.push({ facts, response: response as Told['response'] }),
    );
  }

  register(mapping: object): void {
    this.#insist({ kind: 'register', attempts: 1, againMs: 0 }, (_, services) =>
      registerUserMappings(COMPANY, [mapping], services),
    );
  }

  /** Runs code in an invocation: in another one after a while if it fails or dies. */
  #insist<T>(
    how: { readonly kind: string; readonly timeoutMs?: number; readonly attempts: number; readonly againMs: number },
    code: (by: Invocation, services: Services) => Promise<T>,
    done: (value: T) => void = () => {},
  ): void {
    const { kind, timeoutMs = ACCEPT_TIMEOUT_MS, attempts, againMs } = how;
    const again = () => {
      if (attempts > 1)
        this.#simulation.after(againMs, () => this.#insist({ ...how, attempts: attempts - 1 }, code, done));
    };
    const by = this.#invoke(kind, timeoutMs, again);
    const services = this.#services(by);
    by.start(() => code(by, services), done, again);
  }

  /** A client's request to any operation. Returns `undefined` if no response comes back. */
  request(
    kind: string,
    operation: ProtectedOperation<Services>,
    { key, ...sent }: Partial<ApiRequest> & { readonly key?: string },
  ): Promise<ApiResponse | undefined> {
    return new Promise((resolve) => {
      const answered = (response?: ApiResponse) => {
        this.#simulation.touch();
        resolve(response);
      };
      const by = this.#invoke(kind, ACCEPT_TIMEOUT_MS, () => answered());
      const services = this.#services(by);
      by.start(
        async () => {
          const request = await this.#request(
            by,
            services,
            sent,
            key === undefined ? key : importIdForKey(COMPANY, key),
          );
          limitChunks(this.#chunkRecords, this.#build(by).CHUNK_LIMITS);
          return operation(request, services);
        },
        answered,
        (error) => {
          if (!(error instanceof RequestRejected)) return answered();
          answered({ statusCode: REQUEST_ERROR_STATUS[error.problem.error_code], body: {} });
        },
      );
    });
  }

  /** Everything that runs dies, and the queue is empty, as after a restart of the machine. */
  restart(): void {
    for (const by of this.#running) by.kill();
    this.queue.loseEverything();
    this.#simulation.after(3_000, () => this.#look({ detail: { open: 'all' } }));
  }

  /** Starts the watchdog in the minute after `due`. */
  expectWatchdog(dueMs: number): void {
    const earliest = Math.max(dueMs, this.#simulation.nowMs + 1);
    const at = Math.ceil((earliest - this.#tickPhaseMs) / MINUTE) * MINUTE + this.#tickPhaseMs;
    if (this.#ticks.has(at)) return;
    this.#ticks.add(at);
    this.#simulation.after(at - this.#simulation.nowMs, () => this.#look({}));
  }

  async #accept(request: Request, by: Invocation, services: Services): Promise<ApiResponse> {
    const { key, dry_run, records, run_id, replace, archive } = request;
    const options = {
      ...(run_id !== undefined && { run_id }),
      ...(replace && { replace }),
      ...(archive && { archive }),
    };
    const import_id = key === undefined ? undefined : importIdForKey(COMPANY, key);
    const sent = {
      headers: key === undefined ? {} : { 'idempotency-key': key },
      ...withBody({ dry_run, records, ...options }),
    };
    const api = await this.#request(by, services, sent, import_id);
    limitChunks(this.#chunkRecords, this.#build(by).CHUNK_LIMITS);
    return this.#build(by).startImport(api, services);
  }

  #request(by: Invocation, services: Services, sent: Partial<ApiRequest>, importId?: string) {
    const attemptId = () => this.#simulation.dice.hex(8);
    return requestOfAdmin(services, { requestId: `${by.id}`, ...sent }, attemptId, importId);
  }

  /** Polls as one client, at growing intervals, never twice at once. */
  #poll(import_id: string, client: number, asked: number): void {
    const { dice } = this.#simulation;
    if (asked >= 6) return;
    const waitMs = asked < 4 ? dice.between(20, 1_500) : dice.pick([30_000, 100_000, 3 * 3_600_000]);
    this.#simulation.after(waitMs, () => {
      if (this.#simulation.quiet) return;
      const by = new Invocation(this.#simulation, { kind: 'poll', timeoutMs: MINUTE, mortal: false });
      const services = this.#services(by);
      by.start(
        async () => {
          const asking = await this.#request(by, services, {}, import_id);
          const response = await this.#build(by).getImport(asking, services);
          const listed = asked % 3 === 0 ? await this.#build(by).listImportRecords(asking, services) : undefined;
          return { response, records: (listed?.body as { records: unknown[] } | undefined)?.records ?? [] };
        },
        ({ response, records }) => {
          this.history.polls.push({ client, import_id, body: response.body, records });
          this.#poll(import_id, client, asked + 1);
        },
        (error) => this.history.violate(`a poll failed: ${String(error)}`),
      );
    });
  }

  #isNewOfPerson({ key = '', records }: Request): boolean {
    return namesPerson(records) && !this.history.commits.has(importIdForKey(COMPANY, key));
  }

  #process(event: SQSEvent, ended: (failed: ReadonlySet<string>) => void): void {
    const all = new Set(event.Records.map(({ messageId }) => messageId));
    const by = this.#invoke('process', PROCESS_TIMEOUT_MS, () => ended(all));
    const services = this.#services(by);
    const context = contextOf(by);
    by.start(
      () => (this.#variant.processChunks ?? this.#build(by).processChunks)(event, context, services),
      ({ batchItemFailures }) => {
        const failed = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
        ended(new Set(this.#variant.acknowledgesFailures === true ? [] : failed));
      },
      () => ended(all),
    );
  }

  #look(event: Parameters<Build['watch']>[0]): void {
    if (this.#outageLeftMs() > 0) return this.expectWatchdog(this.#simulation.nowMs + this.#outageLeftMs());
    const by = this.#invoke('watchdog', MINUTE, () => this.expectWatchdog(0));
    const services = this.#services(by);
    const again = () => {
      if (this.#isAnyDue()) this.expectWatchdog(0);
    };
    by.start(() => (this.#variant.watch ?? this.#build(by).watch)(event, contextOf(by), services), again, again);
  }

  #outageLeftMs(): number {
    const [from, until] = this.#outageMs;
    const now = this.#simulation.nowMs - EPOCH_MS;
    return now < from ? 0 : Math.max(0, until - now);
  }

  #isAnyDue(): boolean {
    const now = new Date(this.#simulation.nowMs).toISOString();
    return [...this.#simulation.table.items()].some(
      (item) => item['open_pk'] !== undefined && String(item['due_at']) <= now,
    );
  }

  #invoke(kind: string, timeoutMs: number, onDeath: () => void): Invocation {
    const by = new Invocation(this.#simulation, { kind, timeoutMs, onDeath });
    this.#running.add(by);
    return by;
  }

  #services(by: Invocation): Services {
    return servicesOf(by, this.#surroundings, this.#build(by));
  }

  #build(by: Invocation): Build {
    return this.#variant.buildOf?.(this.#simulation.seed, by.id, by.kind) ?? thisBuild;
  }
}

const contextOf = (by: { remainingMs(): number }) => ({ getRemainingTimeInMillis: () => by.remainingMs() }) as Context;

/**
 * A request of an admin, about an import if it names one.
 *
 * @param attemptId called when the import has been read
 */
export async function requestOfAdmin(
  { stores }: Pick<Services, 'stores'>,
  sent: Partial<ApiRequest>,
  attemptId: () => string,
  importId?: string,
) {
  const import_id = importId === undefined ? {} : { import_id: importId };
  const key = { session_id: 's', company_id: COMPANY, email: 'admin@acme.test', ...import_id };
  const access = await stores.access.readAccess(key);
  return operationRequest({
    attemptId: attemptId(),
    path: { company_id: COMPANY, ...import_id },
    ...(importId !== undefined && { importId }),
    import: access.import,
    ...sent,
  });
}
