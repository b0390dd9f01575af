import { ChangeMessageVisibilityCommand, SQSClient, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import type { BatchResultErrorEntry, SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import * as ENV from '../runtime/variables.ts';
import { dependencyFault, isTransientName, PATIENT_CLIENT } from '../runtime/faults.ts';
import { batchesOf, sendUntilDone } from '../runtime/batching.ts';
import { systemWaiting, type Waiting } from '../runtime/system.ts';
import { MAX_RECEIVES } from '../shared/limits.ts';
import { bodyOf, type ChunkWork, type Message } from './work.ts';

/** Lambda stops a chain of messages and invocations after 16. */
export const LONGEST_CHAIN = 12;

export type JobQueue = ReturnType<typeof jobQueue>;

/** The chunk queue of the stack. @throws Error if its URL is not set */
export function sqsJobQueue(environment: ENV.Environment): JobQueue {
  // The endpoint comes from the region or the environment, not from the host in the queue's URL.
  const client = new SQSClient({ ...PATIENT_CLIENT, useQueueUrlAsEndpoint: false });
  return jobQueue({ client, queueUrl: ENV.variable(environment, ENV.chunkQueueUrl) });
}

interface JobQueueOptions {
  readonly client: Pick<SQSClient, 'send'>;
  readonly queueUrl: string;
  readonly waiting?: Waiting;
}

const DEPENDENCY = 'The chunk queue';
const BATCH_SIZE = 10;
/** Few, because a POST waits for them; the watchdog sends what could not be sent. */
const ATTEMPTS = 5;

interface Delivery {
  readonly receiptHandle: string;
  readonly receives: number;
}

/** Random redelivery delay after a throttle, so that chunks that were throttled together are spread out. */
const POSTPONED_SECONDS = { least: 15, most: 30 };

/** Sends work as messages. A message may arrive twice, late, or after its work is done. */
export function jobQueue({ client, queueUrl, waiting = systemWaiting }: JobQueueOptions) {
  const sendBatch = async (entries: SendMessageBatchRequestEntry[]): Promise<SendMessageBatchRequestEntry[]> => {
    const command = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries });
    const { Failed = [] } = await client.send(command).catch((error: unknown) => {
      throw dependencyFault(error, DEPENDENCY);
    });
    refuseOwnFaults(Failed);
    return entries.filter((entry) => Failed.some((failed) => failed.Id === entry.Id));
  };

  return {
    async send(messages: readonly Message[]): Promise<void> {
      for (const batch of batchesOf(messages, BATCH_SIZE)) {
        await sendUntilDone(batch.map(entryOf), sendBatch, { dependency: DEPENDENCY, waiting, attempts: ATTEMPTS });
      }
    },

    /**
     * Delivers a throttled chunk again after 15 to 30 s; before the last delivery as a new message (`sent`). `undefined` if the
     * chain is so long that Lambda would soon stop it as a loop.
     */
    async postpone(
      message: Message<ChunkWork>,
      { receiptHandle, receives }: Delivery,
    ): Promise<'hidden' | 'sent' | undefined> {
      const { least, most } = POSTPONED_SECONDS;
      const delaySeconds = Math.round(least + waiting.random() * (most - least));
      if (receives < MAX_RECEIVES - 1) {
        const change = { QueueUrl: queueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout: delaySeconds };
        await client.send(new ChangeMessageVisibilityCommand(change));
        return 'hidden';
      }
      if (message.hops >= LONGEST_CHAIN) return undefined;
      await this.send([{ ...message, hops: message.hops + 1, delaySeconds }]);
      return 'sent';
    },
  };
}

function entryOf(message: Message, position: number): SendMessageBatchRequestEntry {
  const { kind, delaySeconds } = message;
  return {
    Id: String(position),
    ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }),
    MessageBody: bodyOf(message),
    // On a standard queue a group does not order messages, it shares the queue: one company's backlog does not delay another's.
    ...(kind === 'chunk' && { MessageGroupId: message.company_id }),
  };
}

/** A message that SQS calls malformed stays malformed: sending it again would only hide a fault of the service. */
function refuseOwnFaults(failed: readonly BatchResultErrorEntry[]): void {
  const own = failed.find((entry) => entry.SenderFault === true && !isTransientName(entry.Code));
  if (own) throw new Error(`The chunk queue rejected a message: ${own.Code ?? 'no code'}.`);
}
