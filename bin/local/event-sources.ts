import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientSettings } from './endpoints.ts';
import { type Functions, type LocalFunction, MOST_CONCURRENT, functionArn } from './functions.ts';
import { type PhysicalResources, REGION, type Template, resourcesOfType, declared } from './template.ts';

interface EventSourceSpec {
  readonly client: ClientSettings;
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly batchSize: number;
  readonly maximumConcurrency: number;
  /** Whether the function reports the messages that failed; if not, one failure fails the batch. */
  readonly reportsFailures: boolean;
}

/** Long enough that an idle stack is quiet. */
const WAIT_SECONDS = 20;
const PAUSE_AFTER_FAULT_MS = 1000;

/** Invokes a function with messages of a queue, as Lambda does. It deletes those that succeed; the others become visible again. */
export class EventSource {
  readonly #spec: EventSourceSpec;
  readonly #target: Pick<LocalFunction, 'invoke'>;
  readonly #client: SQSClient;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #loop: Promise<void>;

  constructor(spec: EventSourceSpec, target: Pick<LocalFunction, 'invoke'>) {
    this.#spec = spec;
    this.#target = target;
    this.#client = new SQSClient(spec.client);
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    this.#client.destroy();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      if (this.#running.size >= this.#spec.maximumConcurrency) {
        await Promise.race([...this.#running, aborted(signal)]);
        continue;
      }
      const messages = await this.#receive();
      if (messages.length === 0) continue;
      const work: Promise<void> = this.#process(messages).finally(() => this.#running.delete(work));
      this.#running.add(work);
    }
  }

  async #receive(): Promise<Message[]> {
    const { queueUrl, batchSize } = this.#spec;
    const command = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: Math.min(10, batchSize),
      WaitTimeSeconds: WAIT_SECONDS,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    try {
      return (await this.#client.send(command, { abortSignal: this.#stopping.signal })).Messages ?? [];
    } catch {
      await pause(PAUSE_AFTER_FAULT_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      return [];
    }
  }

  async #process(messages: readonly Message[]): Promise<void> {
    const failed = await this.#invoke(messages);
    const done = messages.filter(({ MessageId = '' }) => !failed(MessageId));
    if (done.length === 0) return;
    const Entries = done.map(({ ReceiptHandle }, position) => ({ Id: String(position), ReceiptHandle }));
    // If this fails, the messages are delivered again, which is harmless.
    await this.#client
      .send(new DeleteMessageBatchCommand({ QueueUrl: this.#spec.queueUrl, Entries }))
      .catch(() => undefined);
  }

  async #invoke(messages: readonly Message[]): Promise<(messageId: string) => boolean> {
    try {
      const result = await this.#target.invoke({ Records: messages.map((message) => this.#record(message)) });
      if (!this.#spec.reportsFailures) return () => false;
      return failedMessages(result, new Set(messages.map(({ MessageId = '' }) => MessageId)));
    } catch {
      return () => true;
    }
  }

  #record(message: Message) {
    return {
      messageId: message.MessageId,
      receiptHandle: message.ReceiptHandle,
      body: message.Body,
      attributes: message.Attributes ?? {},
      messageAttributes: message.MessageAttributes ?? {},
      md5OfBody: message.MD5OfBody,
      eventSource: 'aws:sqs',
      eventSourceARN: this.#spec.queueArn,
      awsRegion: REGION,
    };
  }
}

/** An invalid report, or one of an unknown message, fails the whole batch. */
function failedMessages(result: unknown, sent: ReadonlySet<string>): (messageId: string) => boolean {
  if (result === null || result === undefined) return () => false;
  const failures =
    (result as { batchItemFailures?: readonly { itemIdentifier?: unknown }[] | null }).batchItemFailures ?? [];
  if (!Array.isArray(failures)) return () => true;
  const ids = new Set(failures.map((failure) => String(failure?.itemIdentifier)));
  if (![...ids].every((id) => sent.has(id))) return () => true;
  return (messageId) => ids.has(messageId);
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

const DEFAULT_BATCH = 10;

/** Starts every queue-to-function mapping of the template. `clientOf`: settings of a function's own clients, by its logical id. */
export function startEventSources(
  template: Template,
  resources: PhysicalResources,
  functions: Functions,
  clientOf: (functionId: string) => ClientSettings,
): EventSource[] {
  return declared(template, 'AWS::Lambda::EventSourceMapping', resources).map(([id, properties]) => {
    const queueArn = String(properties['EventSourceArn']);
    const functionId = String(properties['FunctionName']);
    const target = functions.get(functionArn(functionId));
    if (target === undefined) throw new Error(`The event source ${id} has no function`);
    const scaling = properties['ScalingConfig'] as { MaximumConcurrency?: number } | undefined;
    const spec = {
      client: clientOf(functionId),
      queueUrl: queueUrl(template, resources, queueArn),
      queueArn,
      batchSize: Number(properties['BatchSize'] ?? DEFAULT_BATCH),
      maximumConcurrency: Math.min(MOST_CONCURRENT, scaling?.MaximumConcurrency ?? MOST_CONCURRENT),
      reportsFailures: ((properties['FunctionResponseTypes'] ?? []) as string[]).includes('ReportBatchItemFailures'),
    };
    return new EventSource(spec, target);
  });
}

function queueUrl(template: Template, resources: PhysicalResources, arn: string): string {
  const queue = resourcesOfType(template, 'AWS::SQS::Queue').find(([id]) => resources.attribute(id, 'Arn') === arn);
  if (queue === undefined) throw new Error(`No queue has the ARN ${arn}`);
  return resources.ref(queue[0]);
}
