/**
 * The composition root of every test: the real services and stores over replacements of the outside. By default the
 * table is in memory, the clock stops until a test moves it and the queue keeps its messages. Costs milliseconds.
 */
import { type ScryptCost, scryptPasswords } from '../../functions/auth/passwords.ts';
import { publishingSigner } from '../../functions/auth/signing-keys.ts';
import type { Signer, TokenParties } from '../../functions/auth/tokens.ts';
import { tokenVerifier } from '../../functions/auth/verify-token.ts';
import { courseMemory, type CourseMemory } from '../../functions/catalog/course-memory.ts';
import type { Database } from '../../functions/dynamodb/client.ts';
import { processChunks } from '../../functions/handlers/process-chunk.ts';
import type { JobQueue } from '../../functions/jobs/queue.ts';
import { messageOf } from '../../functions/jobs/read-message.ts';
import type { ApplicationWork, ChunkWork, ErasureWork, Message, RevertWork } from '../../functions/jobs/work.ts';
import type { Quotas } from '../../functions/auth/quotas.ts';
import { runNotices } from '../../functions/notices/run-notices.ts';
import type { EventBus, ImportEvent, RunEvent, RunEventBus } from '../../functions/runtime/event-bus.ts';
import { type Clock, type Random, secureRandom } from '../../functions/runtime/system.ts';
import type { Telemetry } from '../../functions/runtime/telemetry.ts';
import { type EveryStore, type Services, everyStore } from './services.ts';
import { CONTEXT } from './api-event.ts';
import { localSigner } from './local-signer.ts';
import { memoryClient, type Observer } from './memory-table/memory-client.ts';
import { MemoryTable } from './memory-table/memory-table.ts';
import { recordingTelemetry } from './recording-telemetry.ts';
import { bodyIn, delivery } from './sqs-event.ts';

export const PARTIES = { issuer: 'urn:test:issuer', audience: 'urn:test:audience' };
export const START_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

/** A hash in well under a millisecond, for tests that are not about the cost. */
export const CHEAP: ScryptCost = { ln: 4, r: 8, p: 1 };

export type { Services } from './services.ts';

/** How the services reach the outside. Faults are injected into `client`, below the real stores. */
export interface Outside {
  readonly client: Database['client'];
  readonly table?: string;
  readonly clock: Clock;
  readonly queue: JobQueue;
  /** By default every event is taken and forgotten. */
  readonly events?: EventBus;
  readonly runEvents?: RunEventBus;
  readonly random?: Random;
  readonly telemetry?: Telemetry;
  readonly parties?: TokenParties;
  readonly signer?: Signer;
  readonly cost?: ScryptCost;
  /** By default those of this build, which never wait and have the clock of the services. */
  readonly stores?: EveryStore;
  /** By default these services are a processor of their own. */
  readonly memory?: CourseMemory;
  /** By default every rejected message is forgotten. */
  readonly rejected?: Services['rejected'];
  /** By default they are never used up. */
  readonly quotas?: Quotas;
}

const { MAX_SAFE_INTEGER } = Number;
const UNLIMITED: Quotas = {
  imports: MAX_SAFE_INTEGER,
  upload_bytes: MAX_SAFE_INTEGER,
  download_bytes: MAX_SAFE_INTEGER,
};

export const SILENT: Telemetry = { count: () => {}, time: () => {}, info: () => {}, error: () => {}, flush: () => {} };

const DEFAULTS = {
  table: 'table',
  random: secureRandom,
  telemetry: SILENT,
  events: { send: async () => {} },
  runEvents: { send: async () => {} },
  rejected: { passOn: async () => 'dead letter' as const },
  parties: PARTIES,
  cost: CHEAP,
  quotas: UNLIMITED,
};

export function servicesOver(outside: Outside): Services {
  const { client, table, clock, queue, random, telemetry, events, runEvents, rejected, parties, cost, quotas } = {
    ...DEFAULTS,
    ...outside,
  };
  const { memory = courseMemory(clock), signer = localSigner() } = outside;
  const instant = { sleep: async () => {}, random: () => 0, nowMs: () => clock.nowMs() };
  const stores = outside.stores ?? everyStore({ client, table, quotas, ...instant });
  return {
    clock,
    random,
    stores,
    queue,
    events,
    notices: runNotices({ clock, telemetry, stores, events: runEvents }),
    parties,
    signer: publishingSigner(signer),
    // Signatures of evidence are verified over HTTP, where the key signs digests.
    evidenceSigner: signer,
    version: 'test',
    verifier: tokenVerifier({ ...parties, keys: stores.signingKeys }),
    passwords: scryptPasswords(random, cost),
    takesPasswords: true,
    provider: undefined,
    offered: undefined,
    telemetry,
    memory,
    rejected,
    approval: 'none',
  };
}

export type World = ReturnType<typeof createWorld>;

/** A message as this build receives it, whichever release sent it. */
function received(sent: Message): Message {
  const { delaySeconds } = sent;
  const message = messageOf(bodyIn(sent));
  if (message === undefined) throw new Error('A message cannot be read.');
  return { ...message, ...(delaySeconds !== undefined && { delaySeconds }) };
}

/** The services over a table in memory. `observe` sees every command to the database before it is executed. */
export function createWorld({ observe, ...outside }: Partial<Outside> & { readonly observe?: Observer } = {}) {
  const table = new MemoryTable();
  const clock = { now: START_MS, nowMs: () => clock.now };
  const client = memoryClient(table, observe);
  const messages: Message<ChunkWork>[] = [];
  const revertMessages: Message<RevertWork>[] = [];
  const erasureMessages: Message<ErasureWork>[] = [];
  const applicationMessages: Message<ApplicationWork>[] = [];
  const telemetry = recordingTelemetry();
  const queue: JobQueue = {
    async send(sent) {
      for (const message of sent.map(received)) {
        if (message.kind === 'revert') revertMessages.push(message);
        else if (message.kind === 'erasure') erasureMessages.push(message);
        else if (message.kind === 'application') applicationMessages.push(message);
        else messages.push(message);
      }
    },
    postpone: async () => undefined,
  };
  const sentEvents: ImportEvent[] = [];
  const events: EventBus = { send: async (event) => void sentEvents.push(event) };
  const sentOfRuns: RunEvent[] = [];
  const runEvents: RunEventBus = { send: async (event) => void sentOfRuns.push(event) };
  const services = servicesOver({ client, clock, queue, events, runEvents, telemetry, ...outside });
  return {
    table,
    client,
    clock,
    telemetry,
    services,
    stores: services.stores,
    /** Sent and not delivered yet, as the next three. */
    messages,
    revertMessages,
    erasureMessages,
    applicationMessages,
    events: sentEvents,
    runEvents: sentOfRuns,
    /** One invocation for each message. Returns those that failed. */
    async deliver(): Promise<Message[]> {
      const failed: Message[] = [];
      const stepped = [...revertMessages.splice(0), ...erasureMessages.splice(0), ...applicationMessages.splice(0)];
      for (const message of [...messages.splice(0), ...stepped]) {
        const { batchItemFailures } = await processChunks(delivery([message]), CONTEXT, services);
        if (batchItemFailures.length > 0) failed.push(message);
      }
      return failed;
    },
  };
}
