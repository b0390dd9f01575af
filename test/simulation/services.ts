/** The real stores and the real queue sender of one invocation, on the simulated database and queue. */
import type { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { ChangeMessageVisibilityCommand, SQSClient, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import type { CourseMemory } from '../../functions/catalog/course-memory.ts';
import type { Approval } from '../../functions/plans/approval.ts';
import { HOURLY_QUOTAS } from '../../functions/shared/limits.ts';
import { runEventBus } from '../../functions/runtime/event-bus.ts';
import type { Telemetry } from '../../functions/runtime/telemetry.ts';
import { type Services, SILENT, servicesOver } from '../kit/world.ts';
import { type CommandPlan, type PartResult, planCommand } from '../kit/memory-table/commands.ts';
import type { Attributes, Key } from '../kit/memory-table/memory-table.ts';
import { clientOf } from '../kit/memory-table/memory-client.ts';
import type { Call, Invocation } from './invocation.ts';
import type { SimulatedQueue } from './queue.ts';
import type { Simulation } from './simulation.ts';
import type * as build from './build.ts';

export type Build = typeof build;

export interface Surroundings {
  readonly simulation: Simulation;
  readonly queue: Pick<SimulatedQueue, 'sending' | 'changing'>;
  /** Catalog reads that all processors share, so that each uses what another has read. */
  readonly memory: CourseMemory;
  readonly onEvent: (type: string, detail: string) => void;
  readonly onForeign: () => void;
  readonly onLine?: (line: unknown) => void;
  readonly breakServices?: (services: Services, broken: BrokenContext) => Services;
  readonly breakCommand?: (command: object, by: Caller) => object;
  readonly breakAnswer?: (response: object) => object;
  /** The effects of a command on the database, if not those on the plain table. */
  readonly planOf?: (command: object) => CommandPlan;
  readonly telemetry?: Telemetry;
  /** How many imports an hour has, if not very many. */
  readonly quota?: number | undefined;
  /** The setting of an invocation that begins at this moment. */
  readonly approvalAt?: (ms: number) => Approval;
  /** Called for each part of a command that reaches the table. Reads of a batch then happen at one moment. */
  readonly onEffect?: ((effect: Effect) => void) | undefined;
}

/** What an invocation did to an item. For a read, `before` and `after` are the same. */
export interface Effect {
  readonly by: number;
  readonly kind: string;
  readonly command: object;
  readonly writes: boolean;
  readonly key: Key;
  readonly before: Attributes | undefined;
  readonly after: Attributes | undefined;
  /** What a read returns: may be older than `before` if eventually consistent. */
  readonly shown?: unknown;
}

/** The invocation that runs the services: their only way to the outside. */
export type Caller = Pick<Invocation, 'io' | 'sleep' | 'nowMs' | 'kind'> & Partial<Pick<Invocation, 'id'>>;

export interface BrokenContext {
  readonly by: Caller;
  readonly send: (command: object) => Promise<unknown>;
}

export function servicesOf(
  by: Caller,
  surroundings: Surroundings,
  { chunkQueue, eventBus, everyStore }: Build,
): Services {
  const { simulation, queue, breakServices, breakCommand, breakAnswer } = surroundings;
  const planOf = surroundings.planOf ?? ((command: object) => planCommand(command, simulation.table));
  const countForeign: Telemetry['count'] = (metric) => metric === 'ForeignMessages' && surroundings.onForeign();
  const log = (...line: unknown[]) => surroundings.onLine?.(line);
  const sleep = (ms: number) => by.sleep(ms);
  const random = () => simulation.dice.next();
  const send = async (command: object) => {
    const plan = watched(by, breakCommand?.(command, by) ?? command, planOf, surroundings);
    const [first] = plan.keys;
    const name = `${plan.name} ${first?.pk ?? ''} ${first?.sk ?? ''}${plan.keys.length > 1 ? ` +${plan.keys.length - 1}` : ''}`;
    const response = await by.io({ ...plan, name });
    return breakAnswer?.(response as object) ?? response;
  };
  const sqs = {
    send: (command: ChangeMessageVisibilityCommand | SendMessageBatchCommand) =>
      by.io(
        'Entries' in command.input
          ? queue.sending(command as SendMessageBatchCommand)
          : queue.changing(command as ChangeMessageVisibilityCommand),
      ),
  } as unknown as SQSClient;
  const bridge = {
    send: (command: PutEventsCommand) => by.io(putting(command, surroundings.onEvent)),
  } as unknown as EventBridgeClient;
  const client = clientOf(send);
  const quotas = surroundings.quota !== undefined && { quotas: { ...HOURLY_QUOTAS, imports: surroundings.quota } };
  const services = servicesOver({
    client,
    memory: surroundings.memory,
    clock: by,
    random: simulation.dice,
    queue: chunkQueue({ client: sqs, queueUrl: 'queue', waiting: { sleep, random } }),
    events: eventBus({ client: bridge, stage: 'sandbox' }),
    runEvents: runEventBus({ client: bridge, stage: 'sandbox' }),
    telemetry: surroundings.telemetry ?? { ...SILENT, info: log, error: log, count: countForeign },
    stores: everyStore({ client, table: 'table', sleep, random, nowMs: () => by.nowMs(), ...quotas }),
  });
  const set = { ...services, approval: surroundings.approvalAt?.(simulation.nowMs) ?? services.approval };
  return breakServices?.(set, { by, send }) ?? set;
}

function watched(
  by: Caller,
  command: object,
  planOf: (command: object) => CommandPlan,
  { simulation: { table }, onEffect }: Surroundings,
): CommandPlan {
  const plan = planOf(command);
  if (onEffect === undefined) return plan;
  const { writes, keys } = plan;
  // A transaction is one part.
  const keysOf = (at: number) => (plan.parts.length === 1 ? keys : keys.slice(at, at + 1));
  const part = (at: number, asOfMs?: number) => {
    const touched = keysOf(at).map((key) => ({ key, before: table.read(key) }));
    const result = plan.parts[at]?.(asOfMs);
    for (const { key, before } of touched)
      onEffect({
        by: by.id ?? 0,
        kind: by.kind,
        command,
        writes,
        key,
        before,
        after: table.read(key),
        shown: result?.value,
      });
    return result;
  };
  if (writes) return { ...plan, parts: plan.parts.map((_, at) => () => part(at)) };
  let read: (PartResult | undefined)[] | undefined;
  return {
    ...plan,
    parts: plan.parts.map((_, at) => (asOfMs?: number) => {
      read ??= plan.parts.map((__, each) => part(each, asOfMs));
      return read[at];
    }),
  };
}

function putting({ input: { Entries = [] } }: PutEventsCommand, onEvent: Surroundings['onEvent']): Call {
  return {
    name: `PutEvents ${Entries.length}`,
    writes: true,
    eventual: false,
    partial: true,
    parts: Entries.map(({ DetailType = '', Detail = '' }) => () => {
      onEvent(DetailType, Detail);
      return {};
    }),
    response: (results) => ({
      FailedEntryCount: results.filter((result) => result === undefined).length,
      Entries: results.map((result) => (result === undefined ? { ErrorCode: 'ThrottlingException' } : {})),
    }),
  };
}
