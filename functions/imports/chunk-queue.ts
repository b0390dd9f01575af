import * as v from 'valibot';
import { SQSClient, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import type { BatchResultErrorEntry, SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import { ENV, variable } from '../runtime/environment.ts';
import type { Environment } from '../runtime/environment.ts';
import { dependencyFault, isTransientName, PATIENT_CLIENT } from '../runtime/faults.ts';
import { batchesOf, sendUntilDone } from '../runtime/batching.ts';
import { systemWaiting } from '../runtime/system.ts';
import type { Waiting } from '../runtime/system.ts';
import type { ImportItem } from '../shared/model.ts';

const schema = v.object({
  company_id: v.string(),
  import_id: v.string(),
  chunk: v.pipe(v.number(), v.integer(), v.minValue(0)),
  payload_hash: v.string(),
});

const message = v.pipe(v.string(), v.parseJson(), schema);

/** Asks for one chunk of an import: ids only, so that a message never outgrows its limit nor carries anyone's data. */
export type ChunkMessage = Readonly<v.InferOutput<typeof schema>>;

/** Reads the body of a chunk message; `undefined` where it is not one. */
export function chunkMessage(body: string): ChunkMessage | undefined {
  const { success, output } = v.safeParse(message, body);
  return success ? output : undefined;
}

/** The messages that ask for these chunks of an import. */
export function chunkMessages(
  { company_id, import_id, chunks }: ImportItem,
  wanted: readonly number[],
): ChunkMessage[] {
  return wanted.flatMap((chunk) => {
    const payload_hash = chunks[chunk]?.payload_hash;
    return payload_hash === undefined ? [] : [{ company_id, import_id, chunk, payload_hash }];
  });
}

export type ChunkQueue = ReturnType<typeof chunkQueue>;

/** The queue that the function's environment names. */
export function sqsChunkQueue(environment: Environment): ChunkQueue {
  // The endpoint comes from the region or the environment, not from the host in the queue's URL.
  const client = new SQSClient({ ...PATIENT_CLIENT, useQueueUrlAsEndpoint: false });
  return chunkQueue({ client, queueUrl: variable(environment, ENV.chunkQueueUrl) });
}

interface ChunkQueueOptions {
  readonly client: Pick<SQSClient, 'send'>;
  readonly queueUrl: string;
  /** Waits before what was refused is sent again. */
  readonly waiting?: Waiting;
}

const DEPENDENCY = 'The chunk queue';
const BATCH_SIZE = 10;
/** Few, because a POST waits for them; the watchdog sends what could not be sent. */
const ATTEMPTS = 5;

export function chunkQueue({ client, queueUrl, waiting = systemWaiting }: ChunkQueueOptions) {
  const sendBatch = async (entries: SendMessageBatchRequestEntry[]): Promise<SendMessageBatchRequestEntry[]> => {
    const command = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries });
    const { Failed = [] } = await client.send(command).catch((error: unknown) => {
      throw dependencyFault(error, DEPENDENCY);
    });
    refuseOwnFaults(Failed);
    return entries.filter((entry) => Failed.some((failed) => failed.Id === entry.Id));
  };

  return {
    /** Sends all; entries that stay refused after retries make it throw `TemporarilyUnavailable`. */
    async send(messages: readonly ChunkMessage[]): Promise<void> {
      for (const batch of batchesOf(messages, BATCH_SIZE)) {
        await sendUntilDone(batch.map(entryOf), sendBatch, { dependency: DEPENDENCY, waiting, attempts: ATTEMPTS });
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
  const own = failed.find((entry) => entry.SenderFault === true && !isTransientName(entry.Code));
  if (own) throw new Error(`The chunk queue rejected a message: ${own.Code ?? 'no code'}.`);
}
