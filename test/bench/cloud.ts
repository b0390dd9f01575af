/** The local engines in place of AWS, with the table and the queue of the template, and metered clients. */
import { SQSClient, DeleteMessageBatchCommand, ReceiveMessageCommand, type Message } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { builtStack } from '../../bin/local/built-stack.ts';
import { clientSettings } from '../../bin/local/endpoints.ts';
import { startEngine } from '../../bin/local/engine.ts';
import { PhysicalResources, resourcesOfType, type Template } from '../../bin/local/template.ts';
import { createQueues } from '../../bin/local/queues.ts';
import { createTables } from '../../bin/local/tables.ts';
import { documentClient } from '../../functions/dynamodb/client.ts';
import { everyStore } from '../kit/services.ts';
import { sqsEvent } from '../kit/sqs-event.ts';
import { Meter } from './meter/meter.ts';
import { StoredItems } from './meter/stored-items.ts';
import type { Services } from '../kit/world.ts';
import { type Cloud, kindOfKey, type Operations, operationsOf, servicesOn } from './service.ts';
import { ADMIN, COMPANY, COMPANY_ID, courses, learners } from './workload.ts';
import { planted } from '../kit/planted.ts';

/** Messages that one receive returns at most. */
const MOST_MESSAGES = 10;

export interface Engines {
  readonly sqs: string;
  readonly queueUrl: string;
  /** Memory that the stack gives a function. */
  readonly memoryMb: (functionName: string) => number;
  /** An empty table of its own engine, so that no measurement finds items of another one. */
  freshDatabase(): Promise<Database>;
  stop(): Promise<void>;
}

export interface Database {
  readonly endpoint: string;
  readonly table: string;
  stop(): Promise<void>;
}

/** The queue server runs in a process of its own: neither its memory nor its time is the service's. */
export async function startEngines(): Promise<Engines> {
  const { template } = await builtStack();
  const queueServer = fork(join(import.meta.dirname, 'queue-server.ts'));
  const [{ endpoint: sqs }] = (await once(queueServer, 'message')) as [{ endpoint: string }];
  const resources = new PhysicalResources();
  await createQueues(template, resources, clientSettings(sqs));
  const [queueId = ''] =
    Object.entries(template.Resources).find(
      ([, { Type, Properties }]) => Type === 'AWS::SQS::Queue' && Properties?.['RedrivePolicy'] !== undefined,
    ) ?? [];
  return {
    sqs,
    queueUrl: resources.ref(queueId),
    memoryMb: (functionName) => memoryIn(template, functionName),
    async freshDatabase() {
      const engine = await startEngine(undefined);
      const [table = ''] = await createTables(template, resources, clientSettings(engine.endpoint));
      return { endpoint: engine.endpoint, table, stop: () => engine.stop() };
    },
    stop: async () => queueServer.disconnect(),
  };
}

function memoryIn(template: Template, functionName: string): number {
  const declared = resourcesOfType(template, 'AWS::Lambda::Function');
  const found = declared.find(([, , { Metadata }]) => basename(String(Metadata?.['aws:asset:path'])) === functionName);
  return Number(found?.[1]['MemorySize']);
}

export interface World extends Cloud {
  readonly meter: Meter;
  readonly services: Services;
  readonly operations: Operations;
  readonly database: Database;
  /** Hands waiting messages to the processor, one invocation at a time, until there are none. */
  readonly deliver: (invoke: (event: SQSEvent) => Promise<void>) => Promise<void>;
  destroy(): Promise<void>;
}

/** The service on a database of its own, with its platform data loaded. Its clock starts at `startMs`. */
export async function worldOf(
  engines: Engines,
  data: { readonly learners: number; readonly courses: number },
  startMs?: number,
): Promise<World> {
  const { sqs: sqsEndpoint, queueUrl } = engines;
  const database = await engines.freshDatabase();
  const { endpoint, table } = database;
  const client = documentClient(clientSettings(endpoint));
  const sqs = new SQSClient({ ...clientSettings(sqsEndpoint), useQueueUrlAsEndpoint: false });
  const poller = new SQSClient({ ...clientSettings(sqsEndpoint), useQueueUrlAsEndpoint: false });
  // Messages left by an earlier measurement name imports that are not in this database.
  await deliver(poller, queueUrl, MOST_MESSAGES, async () => undefined);
  await loadPlatform({ client, table }, data);
  const services = await servicesOn({ client, table, sqs, queueUrl }, startMs);
  const operations = await operationsOf(services);
  const meter = new Meter(new StoredItems(clientSettings(endpoint), table), kindOfKey);
  meter.attach(client);
  meter.attach(sqs);
  return {
    client,
    table,
    sqs,
    queueUrl,
    meter,
    services,
    operations,
    database,
    deliver: (invoke) => deliver(poller, queueUrl, 1, invoke),
    async destroy() {
      for (const each of [client, sqs, poller, meter]) each.destroy();
      await database.stop();
    },
  };
}

async function loadPlatform(on: Pick<Cloud, 'client' | 'table'>, data: { learners: number; courses: number }) {
  const { platform } = everyStore(on);
  await planted(platform).putCompanies([COMPANY]);
  await planted(platform).putUsers([ADMIN, ...learners(data.learners)]);
  await planted(platform).putCourses(COMPANY_ID, courses(data.courses));
}

async function deliver(
  poller: SQSClient,
  QueueUrl: string,
  batchSize: number,
  invoke: (event: SQSEvent) => Promise<void>,
): Promise<void> {
  for (;;) {
    const { Messages = [] } = await poller.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: batchSize, WaitTimeSeconds: 0 }),
    );
    if (Messages.length === 0) return;
    await invoke(eventOf(Messages));
    const Entries = Messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));
    await poller.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
}

export function eventOf(messages: readonly Pick<Message, 'MessageId' | 'Body'>[]): SQSEvent {
  return sqsEvent(messages.map(({ MessageId = '', Body = '' }) => ({ messageId: MessageId, body: Body })));
}
