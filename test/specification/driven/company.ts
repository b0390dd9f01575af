/** The table, the queue and the functions of a company, of which each invocation is held. */
import type { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { courseMemory } from '../../../functions/catalog/course-memory.ts';
import { watchersOf } from '../../../functions/handlers/watchdog.ts';
import type { ApiRequest, ProtectedOperation } from '../../../functions/http/types.ts';
import { messageOf } from '../../../functions/jobs/read-message.ts';
import { bodyOf, type ErasureWork, type RevertWork } from '../../../functions/jobs/work.ts';
import { erasureKey, factKey } from '../../../functions/dynamodb/table.ts';
import { intake } from '../../../functions/handlers/intake.ts';
import { ANN_ID, ERASE_FACT, registerPerson } from '../../erasure/person.ts';
import type { Attributes, Key } from '../../kit/memory-table/memory-table.ts';
import { limitChunks } from '../../kit/chunk-limits.ts';
import { memoryClient } from '../../kit/memory-table/memory-client.ts';
import { sqsEvent } from '../../kit/sqs-event.ts';
import { servicesOver, type TestServices } from '../../kit/world.ts';
import * as build from '../../simulation/build.ts';
import { scripted } from '../../simulation/faults.ts';
import type { Call } from '../../simulation/invocation.ts';
import { type Surroundings, servicesOf } from '../../simulation/services.ts';
import { EPOCH_MS, Simulation } from '../../simulation/simulation.ts';
import { requestOfAdmin, type Variant } from '../../simulation/stack.ts';
import { COMPANY, createWorld, registerUsers } from '../../simulation/world.ts';
import { EMAILS, ERASED_EMAIL, ERASURE } from '../traces/spoken-state.ts';
import type { Records } from './behaviours.ts';
import { Held } from './held.ts';
import {
  idOf,
  IMPORTS,
  importIdOf,
  importReverted,
  jobOf,
  revertKeyOf,
  revertWorkOf,
  RUN_ID,
  USER_OF_PAIR,
} from './subjects.ts';

const LONG_AGO = '2026-01-01T00:00:00.000Z';
const TO_QUEUE = { name: 'queue', writes: false, eventual: false, partial: false, toQueue: true } as const;

export class Company {
  readonly #simulation = new Simulation({ seed: 1, faults: scripted([]), keptVersions: 1 });
  readonly table = this.#simulation.table;
  /** The jobs of messages that can be delivered, and the last body of each. */
  readonly sent = new Set<string>();
  readonly #bodies = new Map<string, string>();
  readonly #memory = courseMemory({ nowMs: () => EPOCH_MS });
  readonly #platform = servicesOver({
    client: memoryClient(this.table),
    clock: { nowMs: () => EPOCH_MS },
    queue: { send: async () => {}, postpone: async () => undefined },
  });
  readonly #variant: Variant;
  #isErased = false;
  #saved: readonly Attributes[] = [];
  nowMs = EPOCH_MS + 10_000;

  /** @param variant what is broken on purpose */
  constructor(variant: Variant = {}) {
    this.#variant = variant;
  }

  /** @param isErased whether the person of `p` is erased: then records name an address, and nobody is mapped */
  async create(records: Records, isErased: boolean): Promise<void> {
    const { stores } = this.#platform;
    this.#isErased = isErased;
    await registerUsers(stores);
    if (isErased) await registerPerson(this.#platform);
    await createWorld(stores);
    await this.#mapAll(records);
    limitChunks(1, build.CHUNK_LIMITS);
  }

  async #mapAll(records: Records): Promise<void> {
    if (!this.#isErased) for (const [chunk, { pair }] of Object.entries(records)) await this.map(chunk, pair);
  }

  /** The point that the table is restored to. */
  save(): void {
    this.#saved = [...this.table.items()];
  }

  /** The table is what it was, and the platform sends again what it has said since. */
  async restore(records: Records): Promise<void> {
    const saved = new Map(this.#saved.map((item) => [`${item['pk']} ${item['sk']}`, item]));
    for (const { pk, sk } of [...this.table.items(), ...this.#saved])
      this.table.write({ pk: String(pk), sk: String(sk) }, saved.get(`${pk} ${sk}`));
    await this.#mapAll(records);
  }

  /** The user that the record of a chunk names is this one from now on. */
  map(chunk: string, pair: string): Promise<void> {
    const user_id = USER_OF_PAIR[pair] ?? 0;
    const email = EMAILS[pair as keyof typeof EMAILS];
    const mapping = { external_user_id: `u-${chunk}`, email, user_id, updated_at: LONG_AGO };
    return this.#platform.stores.mappings.putUserMappings(COMPANY, [mapping]);
  }

  accept(i: string, records: Records): Promise<void> {
    const { chunks = [], run_id } = IMPORTS[i] ?? {};
    const body = {
      dry_run: false,
      records: chunks.map((chunk) => ({
        external_record_id: idOf(chunk),
        user: this.#isErased
          ? { email: records[chunk]?.pair === 'p' ? ERASED_EMAIL : EMAILS.q }
          : { external_user_id: `u-${chunk}` },
        content: { type: 'course', platform_course_id: 101 },
        progress: { completion_pct: records[chunk]?.content },
      })),
      ...(run_id !== undefined && { run_id }),
    };
    const at = EPOCH_MS + Object.keys(IMPORTS).indexOf(i) * 1_000;
    return this.#request(build.startImport, { headers: { 'idempotency-key': i }, json: () => body }, i, at);
  }

  requestRevert(revert: string): Promise<void> {
    const sent = { json: () => ({ dry_run: false }) };
    const i = importReverted(revert);
    if (i !== undefined) return this.#request(build.revertImport, sent, i);
    return this.#request(build.revertRun, { ...sent, path: { company_id: COMPANY, run_id: RUN_ID } });
  }

  cancel(i: string): Promise<Held> {
    return this.#start('cancel', this.nowMs, async (services) => {
      const { import: item, ...request } = await requestOf(services, {}, i);
      if (item !== undefined) await build.cancelImport({ ...request, import: item }, services);
    });
  }

  watchImport(i: string, ms = this.nowMs): Promise<Held> {
    const open = { kind: 'import', company_id: COMPANY, import_id: importIdOf(i) } as const;
    return this.#start('watchdog', ms, (services) => watchersOf(services).import(open));
  }

  watch(job: string): Promise<Held> {
    const work = this.#workOf(job);
    return this.#start('watchdog', this.nowMs, (services) => {
      const watchers = watchersOf(services);
      return work.kind === 'erasure' ? watchers.erasure(work) : watchers.revert(work);
    });
  }

  /** The platform says that the person is gone. */
  async tell(): Promise<void> {
    const by = await this.#start('intake', this.nowMs, (services, { context }) =>
      intake({ facts: [ERASE_FACT] }, context, services),
    );
    await by.go({});
    // The watchdog starts it, whenever it comes: a message of before a restore names another one.
    this.sent.add(ERASURE);
    this.#bodies.delete(ERASURE);
  }

  /** The key of the item that says how far a revert, or the erasure, is. */
  keyOf(job: string): Key {
    const { erasure_id } = this.#erasure;
    return job === ERASURE ? erasureKey(COMPANY, erasure_id) : revertKeyOf(job);
  }

  #workOf(job: string): RevertWork | ErasureWork {
    return job === ERASURE ? this.#erasure : revertWorkOf(job);
  }

  get #erasure(): ErasureWork {
    const { erasure_id } = this.table.read(factKey(COMPANY, 'user', ANN_ID)) ?? {};
    return { kind: 'erasure', company_id: COMPANY, erasure_id: String(erasure_id) };
  }

  /** A delivery of the last message about a chunk, a revert or the erasure. What fails is delivered again. */
  deliver(job: string): Promise<Held> {
    this.sent.delete(job);
    const body = this.#bodies.get(job) ?? bodyOf({ ...this.#workOf(job), hops: 0 });
    const event = sqsEvent([{ messageId: job, body }]);
    return this.#start('process', this.nowMs, async (services, { context }) => {
      const process = this.#variant.processChunks ?? build.processChunks;
      const { batchItemFailures } = await process(event, context, services);
      if (batchItemFailures.length > 0) this.sent.add(job);
    });
  }

  /** A request that is answered before anything else happens. */
  async #request(
    operation: ProtectedOperation<TestServices>,
    sent: Partial<ApiRequest>,
    i?: string,
    ms?: number,
  ): Promise<void> {
    const by = await this.#start('request', ms ?? this.nowMs, async (services) =>
      operation(await requestOf(services, sent, i), services),
    );
    await by.go({});
  }

  async #start(kind: string, ms: number, code: (services: TestServices, by: Held) => Promise<unknown>): Promise<Held> {
    const by = new Held(kind, ms);
    const services = servicesOf(by, this.#surroundingsOf(by), build);
    await by.start(() => code(services, by));
    return by;
  }

  #surroundingsOf({ effects }: Held): Surroundings {
    const { breakServices, breakCommand, breakAnswer } = this.#variant;
    return {
      simulation: this.#simulation,
      queue: { sending: this.#sending, changing: () => ({ ...TO_QUEUE, parts: [], response: () => ({}) }) },
      memory: this.#memory,
      onEvent: () => {},
      onForeign: () => {},
      onEffect: (effect) => void effects.push(effect),
      ...(breakServices && { breakServices }),
      ...(breakCommand && { breakCommand }),
      ...(breakAnswer && { breakAnswer }),
    };
  }

  readonly #sending = ({ input: { Entries = [] } }: SendMessageBatchCommand): Call => ({
    ...TO_QUEUE,
    parts: Entries.map(
      ({ MessageBody = '' }) =>
        () =>
          this.#arrive(MessageBody),
    ),
    response: () => ({ Failed: [] }),
  });

  #arrive(body: string): object {
    const message = messageOf(body);
    if (message === undefined) throw new Error('A message cannot be read.');
    this.sent.add(jobOf(message));
    this.#bodies.set(jobOf(message), body);
    return {};
  }
}

/** A request of an admin, about an import if it names one. */
const requestOf = (services: TestServices, sent: Partial<ApiRequest>, i?: string) =>
  requestOfAdmin(services, sent, () => 'aaaaaaaa', i === undefined ? i : importIdOf(i));
