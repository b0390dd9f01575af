/** Sends chunk messages to SQS: ids only, so that a message never outgrows its limit nor carries anyone's data. */
import {
  SendMessageBatchCommand,
  SQSClient,
  type BatchResultErrorEntry,
  type SendMessageBatchRequestEntry,
} from '@aws-sdk/client-sqs';
import { TemporarilyUnavailable } from '../domain/temporarily-unavailable.ts';
import type { ChunkMessage, ChunkQueue } from '../workflow/ports.ts';
import { dependencyFault } from './dependency-fault.ts';
import { ENV } from './environment.ts';
import * as live from './live-system.ts';
import { variable, type Environment } from './variable.ts';

export interface ChunkQueueOptions {
  readonly client: Pick<SQSClient, 'send'>;
  readonly queueUrl: string;
  /** Waits before entry failures are sent again. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
  /** From 0 to below 1. */
  readonly jitter?: () => number;
}

const BATCH_SIZE = 10;
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 50;

/** The queue that the function's environment names. */
export function sqsChunkQueue(environment: Environment): ChunkQueue {
  // The endpoint comes from the region or the environment, not from the host in the queue's URL.
  const client = new SQSClient({ useQueueUrlAsEndpoint: false });
  return chunkQueue({ client, queueUrl: variable(environment, ENV.chunkQueueUrl) });
}

export function chunkQueue({
  client,
  queueUrl,
  pause = live.pause,
  jitter = live.jitter,
}: ChunkQueueOptions): ChunkQueue {
  const sendOnce = async (entries: SendMessageBatchRequestEntry[]): Promise<SendMessageBatchRequestEntry[]> => {
    const { Failed = [] } = await client
      .send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries }))
      .catch((error: unknown) => {
        throw dependencyFault(error, 'The chunk queue');
      });
    refuseOwnFaults(Failed);
    return entries.filter((entry) => Failed.some((failed) => failed.Id === entry.Id));
  };
  const sendBatch = async (entries: SendMessageBatchRequestEntry[]): Promise<void> => {
    let left = entries;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (attempt > 0) await pause(jitter() * FIRST_PAUSE_MS * 2 ** attempt);
      left = await sendOnce(left);
      if (left.length === 0) return;
    }
    throw new TemporarilyUnavailable('The chunk queue refuses messages.');
  };
  return {
    async send(messages) {
      for (let from = 0; from < messages.length; from += BATCH_SIZE) {
        await sendBatch(messages.slice(from, from + BATCH_SIZE).map(entryOf));
      }
    },
  };
}

function entryOf(
  { company_id, import_id, chunk, payload_hash }: ChunkMessage,
  position: number,
): SendMessageBatchRequestEntry {
  const MessageBody = JSON.stringify({ company_id, import_id, chunk, payload_hash });
  // On a standard queue a group is no order but a fair share: one company's backlog does not hold up another's chunk.
  return { Id: String(position), MessageBody, MessageGroupId: company_id };
}

/** A message that SQS calls malformed stays malformed: sending it again would only hide our fault. */
function refuseOwnFaults(failed: readonly BatchResultErrorEntry[]): void {
  const own = failed.find((entry) => entry.SenderFault === true && !/Throttl/.test(entry.Code ?? ''));
  if (own) throw new Error(`The chunk queue rejected a message: ${own.Code ?? 'no code'}`);
}
