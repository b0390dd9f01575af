/** What invokes functions beside the API: queues, rules of the event bus, and the schedule of the watchdog. */
import { randomUUID } from 'node:crypto';
import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { setTimeout as pause } from 'node:timers/promises';
import type { SQSBatchResponse } from 'aws-lambda';
import type { ClientSettings } from './endpoints.ts';
import type { BusEvent } from './engines.ts';
import { type Functions, type LocalFunction, MOST_CONCURRENT, functionArn } from './functions.ts';
import { ACCOUNT, type PhysicalResources, REGION } from './template.ts';

interface EventSourceSpec {
  readonly client: ClientSettings;
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly batchSize: number;
  readonly maximumConcurrency: number;
}

/** Long enough that an idle stack is quiet. */
const WAIT_SECONDS = 20;
const PAUSE_AFTER_FAULT_MS = 1000;

/**
 * Invokes a function with messages of a queue, as Lambda does. It deletes those that succeed; those that the function reports as
 * failed, or all if it throws, become visible again. Returns what stops it.
 */
export function startEventSource(
  { client: settings, queueUrl: QueueUrl, queueArn, batchSize, maximumConcurrency }: EventSourceSpec,
  target: Pick<LocalFunction, 'invoke'>,
): () => Promise<void> {
  const client = new SQSClient(settings);
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const running = new Set<Promise<void>>();

  const receive = async (): Promise<Message[]> => {
    const command = new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: batchSize,
      WaitTimeSeconds: WAIT_SECONDS,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    try {
      return (await client.send(command, { abortSignal: signal })).Messages ?? [];
    } catch {
      await pause(PAUSE_AFTER_FAULT_MS, undefined, { signal }).catch(() => undefined);
      return [];
    }
  };
  const process = async (messages: readonly Message[]): Promise<void> => {
    const Records = messages.map((message) => recordOf(message, queueArn));
    const all = { batchItemFailures: Records.map(({ messageId: itemIdentifier }) => ({ itemIdentifier })) };
    const report = (await target.invoke({ Records }).catch(() => all)) as Partial<SQSBatchResponse> | null;
    const failed = new Set(report?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
    // A report that names a message which the batch does not have fails the whole batch.
    const isKnown = [...failed].every((id) => messages.some(({ MessageId }) => MessageId === id));
    const done = isKnown ? messages.filter(({ MessageId = '' }) => !failed.has(MessageId)) : [];
    if (done.length === 0) return;
    const Entries = done.map(({ ReceiptHandle }, position) => ({ Id: String(position), ReceiptHandle }));
    // If this fails, the messages are delivered again, which is harmless.
    await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries })).catch(() => undefined);
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      if (running.size >= maximumConcurrency) {
        await Promise.race([...running, stopped]);
        continue;
      }
      const messages = await receive();
      if (messages.length === 0) continue;
      const work: Promise<void> = process(messages).finally(() => running.delete(work));
      running.add(work);
    }
  };

  const ended = run();
  return async () => {
    stopping.abort();
    await ended;
    client.destroy();
  };
}

const recordOf = (message: Message, eventSourceARN: string) => ({
  messageId: message.MessageId ?? '',
  receiptHandle: message.ReceiptHandle,
  body: message.Body,
  attributes: message.Attributes ?? {},
  messageAttributes: attributesOf(message),
  md5OfBody: message.MD5OfBody,
  eventSource: 'aws:sqs',
  eventSourceARN,
  awsRegion: REGION,
});

/** Lambda spells their members in lower case. */
const attributesOf = ({ MessageAttributes = {} }: Message) =>
  Object.fromEntries(
    Object.entries(MessageAttributes).map(([name, { DataType, StringValue }]) => [
      name,
      { dataType: DataType, stringValue: StringValue },
    ]),
  );

/** Starts every queue-to-function mapping of the template. `clientOf`: settings of a function's own clients, by its logical id. */
export function startEventSources(
  resources: PhysicalResources,
  functions: Functions,
  clientOf: (functionId: string) => ClientSettings,
): (() => Promise<void>)[] {
  return resources.declared('AWS::Lambda::EventSourceMapping').map(([id, properties]) => {
    const queueArn = String(properties['EventSourceArn']);
    const functionId = String(properties['FunctionName']);
    const target = functions.get(functionArn(functionId));
    if (target === undefined) throw new Error(`The event source ${id} has no function`);
    const { MaximumConcurrency = MOST_CONCURRENT } = (properties['ScalingConfig'] ?? {}) as {
      MaximumConcurrency?: number;
    };
    const spec = {
      client: clientOf(functionId),
      // The id of a queue is its name.
      queueUrl: resources.ref(queueArn.split(':').at(-1) ?? ''),
      queueArn,
      batchSize: Number(properties['BatchSize']),
      maximumConcurrency: Math.min(MOST_CONCURRENT, MaximumConcurrency),
    };
    return startEventSource(spec, target);
  });
}

/** The one schedule of a stack that runs here: that of its watchdog. */
const EVERY_MINUTE = 'rate(1 minute)';
const MINUTE_MS = 60_000;

/** Also once at the start: queues in memory may have lost messages of open imports. Returns what stops them. */
export function startSchedules(resources: PhysicalResources, functions: Functions): () => void {
  const timers = rulesOf(resources, functions).flatMap(({ id, schedule, targets }) => {
    if (schedule === undefined || targets.length === 0) return [];
    if (schedule !== EVERY_MINUTE)
      throw new Error(`The local stack does not support the schedule of ${id}: ${schedule}.`);
    for (const target of targets) invoke(target, { 'detail-type': 'local-start', detail: { open: 'all' } });
    const event = { 'detail-type': 'Scheduled Event', detail: {} };
    return targets.map((target) => setInterval(() => invoke(target, event), MINUTE_MS));
  });
  return () => timers.forEach((timer) => clearInterval(timer));
}

/** Returns what invokes the functions whose rules match an event. */
export function eventRules(resources: PhysicalResources, functions: Functions): (event: BusEvent) => void {
  const rules = rulesOf(resources, functions);
  return (event) => {
    const matching = rules.filter(({ pattern }) => pattern !== undefined && matches(pattern, { ...event }));
    for (const target of matching.flatMap(({ targets }) => targets)) invoke(target, event);
  };
}

interface Pattern {
  readonly [member: string]: readonly unknown[] | Pattern;
}

const isValues = (expected: readonly unknown[] | Pattern): expected is readonly unknown[] => Array.isArray(expected);

/** Whether each member of the pattern lists the value that the event has, which is all that the rules of a stack use. */
function matches(pattern: Pattern, event: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(pattern).every(([member, expected]) => {
    const value = event[member];
    if (isValues(expected)) return expected.includes(value);
    return typeof value === 'object' && value !== null && matches(expected, value as Record<string, unknown>);
  });
}

/** The rules of a stack, each with those of its targets that are functions of it. */
function rulesOf(resources: PhysicalResources, functions: Functions) {
  return resources
    .declared('AWS::Events::Rule')
    .map(([id, { ScheduleExpression: schedule, EventPattern: pattern, Targets = [] }]) => ({
      id,
      schedule: schedule as string | undefined,
      pattern: pattern as Pattern | undefined,
      targets: (Targets as readonly { readonly Arn: string }[]).flatMap(({ Arn }) => functions.get(Arn) ?? []),
    }));
}

function invoke(target: LocalFunction, event: object): void {
  const id = randomUUID();
  const frame = { version: '0', id, source: 'aws.events', account: ACCOUNT, region: REGION, resources: [] };
  // The failure is logged, and the next invocation comes anyway.
  target.invoke({ ...frame, time: new Date().toISOString(), ...event }, id).catch(() => undefined);
}
