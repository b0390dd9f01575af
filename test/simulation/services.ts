/** The real stores and the real queue sender of one invocation, on the simulated database and queue. */
import type { SQSClient, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { chunkQueue } from '../../functions/imports/chunk-queue.ts';
import type { Telemetry } from '../../functions/runtime/telemetry.ts';
import type { Services } from '../../functions/services/services.ts';
import { dynamoStores } from '../../functions/services/services.ts';
import { planCommand } from '../kit/memory-table/commands.ts';
import type { Invocation } from './invocation.ts';
import type { SimulatedQueue } from './queue.ts';
import type { Simulation } from './simulation.ts';

const SILENT: Telemetry = { count: () => {}, time: () => {}, info: () => {}, error: () => {}, flush: () => {} };

const unused = () => Promise.reject(new Error('imports need no such thing'));

export interface Surroundings {
  readonly simulation: Simulation;
  readonly queue: SimulatedQueue;
  readonly chunkLimits: { readonly records: number; readonly bytes: number };
  /** Breaks the services on purpose. */
  readonly breakServices?: (services: Services, broken: BrokenContext) => Services;
  /** Changes single commands on purpose. */
  readonly breakCommand?: (command: object, by: Invocation) => object;
  /** Changes what they answer. */
  readonly breakAnswer?: (answer: object) => object;
}

export interface BrokenContext {
  readonly by: Invocation;
  readonly send: (command: object) => Promise<unknown>;
}

export function servicesOf(by: Invocation, surroundings: Surroundings): Services {
  const { simulation, queue, chunkLimits, breakServices, breakCommand, breakAnswer } = surroundings;
  const sleep = (ms: number) => by.sleep(ms);
  const random = () => simulation.dice.next();
  const send = async (command: object) => {
    const plan = planCommand(breakCommand?.(command, by) ?? command, simulation.table);
    const [first] = plan.keys;
    const name = `${plan.name} ${first?.pk ?? ''} ${first?.sk ?? ''}${plan.keys.length > 1 ? ` +${plan.keys.length - 1}` : ''}`;
    const answer = await by.io({ ...plan, name });
    return breakAnswer?.(answer as object) ?? answer;
  };
  const client = { send } as unknown as DynamoDBDocumentClient;
  const sqs = {
    send: (command: SendMessageBatchCommand) => by.io(queue.sending(command)),
  } as unknown as SQSClient;
  const services: Services = {
    clock: { nowMs: () => by.nowMs() },
    random: { hex: (bytes) => simulation.dice.hex(bytes) },
    stores: dynamoStores({ client, table: 'table', sleep, random, nowMs: () => by.nowMs() }),
    queue: chunkQueue({ client: sqs, queueUrl: 'queue', pause: sleep, jitter: random }),
    parties: { issuer: '', audience: '' },
    signer: { publicKey: unused, sign: unused },
    verifier: { verify: unused } as unknown as Services['verifier'],
    passwords: { hash: unused, matches: unused } as unknown as Services['passwords'],
    telemetry: SILENT,
    chunkLimits,
  };
  return breakServices?.(services, { by, send }) ?? services;
}
