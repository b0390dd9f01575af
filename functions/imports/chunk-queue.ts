/** Sends chunk messages to SQS: ids only, so that a message never outgrows its limit nor carries anyone's data. */
/** Imports and their chunks: what is staged, committed, planned, summarised and settled. */
import * as v from 'valibot';
import { SQSClient, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import type { BatchResultErrorEntry, SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import { jitter as systemJitter, pause as systemPause } from '../runtime/system.ts';
import { ENV, variable } from '../runtime/environment.ts';
import type { Environment } from '../runtime/environment.ts';
import { TemporarilyUnavailable, dependencyFault } from '../runtime/faults.ts';

const schema = v.object({
  company_id: v.string(),
  import_id: v.string(),
  chunk: v.pipe(v.number(), v.integer(), v.minValue(0)),
  payload_hash: v.string(),
});

/** Reads the body of a chunk message. Throws where it is none of ours: the message fails, and ends in the dead-letter queue. */
export function chunkMessage(body: string): ChunkMessage {
  return v.parse(schema, JSON.parse(body));
}

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
  pause = systemPause,
  jitter = systemJitter,
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

export interface ChunkMessage {
  readonly company_id: string;
  readonly import_id: string;
  readonly chunk: number;
  readonly payload_hash: string;
}

export interface ChunkQueue {
  /** Sends all; entries that stay refused after retries make it throw `TemporarilyUnavailable`. */
  send(messages: readonly ChunkMessage[]): Promise<void>;
}
