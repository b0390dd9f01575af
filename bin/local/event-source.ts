import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { setTimeout as pause } from 'node:timers/promises';
import { clientSettings } from './endpoints.ts';
import type { LocalFunction } from './local-function.ts';
import { REGION } from './physical-resources.ts';

export interface EventSourceSpec {
  readonly endpoint: string;
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly batchSize: number;
  readonly maximumConcurrency: number;
  /** Whether the function names the messages that failed; else one failure fails the batch. */
  readonly reportsFailures: boolean;
}

/** Long enough that an idle stack is quiet. */
const WAIT_SECONDS = 20;
const PAUSE_AFTER_FAULT_MS = 1000;

/** Feeds a queue to a function as Lambda does: what succeeded is deleted, what failed comes back when its visibility ends. */
export class EventSource {
  readonly #spec: EventSourceSpec;
  readonly #target: Pick<LocalFunction, 'invoke'>;
  readonly #client: SQSClient;
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  readonly #loop: Promise<void>;

  constructor(spec: EventSourceSpec, target: Pick<LocalFunction, 'invoke'>) {
    this.#spec = spec;
    this.#target = target;
    this.#client = new SQSClient(clientSettings(spec.endpoint));
    this.#loop = this.#run();
  }

  /** Takes no more messages; those under way are left to whoever stops the function. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    this.#client.destroy();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      if (this.#underWay.size >= this.#spec.maximumConcurrency) {
        await Promise.race([...this.#underWay, aborted(signal)]);
        continue;
      }
      const messages = await this.#receive();
      if (messages.length === 0) continue;
      const work: Promise<void> = this.#process(messages).finally(() => this.#underWay.delete(work));
      this.#underWay.add(work);
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
    // A message that is not deleted is delivered again, which is harmless.
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

/** A report that names an unknown message, or is no report, fails the whole batch. */
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
