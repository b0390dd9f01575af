import * as v from 'valibot';
import { ChangeMessageVisibilityCommand, SQSClient, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import type { BatchResultErrorEntry, SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import { FORMATS, assertReadable } from '../dynamodb/encoding.ts';
import { ENV, variable } from '../runtime/environment.ts';
import type { Environment } from '../runtime/environment.ts';
import { dependencyFault, isTransientName, PATIENT_CLIENT } from '../runtime/faults.ts';
import { batchesOf, sendUntilDone } from '../runtime/batching.ts';
import { systemWaiting } from '../runtime/system.ts';
import type { Waiting } from '../runtime/system.ts';
import { MAX_RECEIVES } from '../shared/limits.ts';
import type { ImportItem, RevertSubject } from '../shared/model.ts';

/** How many messages for the same came before this one, each sent by the delivery of the one before. */
const hop = v.pipe(v.number(), v.integer(), v.minValue(0));
/** Lambda stops a chain of messages and invocations after 16. */
export const LONGEST_CHAIN = 12;

const schema = v.object({
  company_id: v.string(),
  import_id: v.string(),
  chunk: v.pipe(v.number(), v.integer(), v.minValue(0)),
  payload_hash: v.string(),
  hop: v.optional(hop),
});

const reverted = v.union([v.object({ import_id: v.string() }), v.object({ run_id: v.string() })]);
const revertSchema = v.object({ company_id: v.string(), revert: reverted, hop });
const erasureSchema = v.object({ company_id: v.string(), erasure_id: v.string(), hop });
const json = v.pipe(v.string(), v.parseJson());
const formatted = v.pipe(json, v.object({ format: v.optional(v.number()) }));
const anyMessage = v.pipe(json, v.union([schema, revertSchema, erasureSchema]));

/** Asks for one chunk of an import: ids only, so that a message never outgrows its limit nor carries anyone's data. */
export type ChunkMessage = Readonly<v.InferOutput<typeof schema>> & { readonly delaySeconds?: number };
/** Asks to bring a revert forward, `delaySeconds` from now. */
export type RevertMessage = Readonly<v.InferOutput<typeof revertSchema>> & { readonly delaySeconds?: number };
/** Asks to bring an erasure forward. Its id is random: who is erased is not in it. */
export type ErasureMessage = Readonly<v.InferOutput<typeof erasureSchema>> & { readonly delaySeconds?: number };
export type ErasureIds = Pick<ErasureMessage, 'company_id' | 'erasure_id'>;
export type QueueMessage = ChunkMessage | RevertMessage | ErasureMessage;

/**
 * Reads the body of a message; `undefined` where it is none of ours.
 *
 * @throws TemporarilyUnavailable if a later release sent it, which will also read it
 */
export function queueMessage(body: string): QueueMessage | undefined {
  const named = v.safeParse(formatted, body);
  if (named.success) assertReadable(named.output.format, 'A message');
  const { success, output } = v.safeParse(anyMessage, body);
  return success ? output : undefined;
}

export function revertMessage({ company_id, ...revert }: RevertSubject, hops: number, delayMs: number): RevertMessage {
  return { company_id, revert, hop: hops, delaySeconds: Math.ceil(delayMs / 1000) };
}

export function erasureMessage({ company_id, erasure_id }: ErasureIds, hops: number, delayMs: number): ErasureMessage {
  return { company_id, erasure_id, hop: hops, delaySeconds: Math.ceil(delayMs / 1000) };
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

/** A delivery of a message. */
interface Delivery {
  readonly receiptHandle: string;
  /** How often the message was delivered, this time included. */
  readonly receives: number;
}

/** So long after it met a throttle a chunk comes again: those that met one together do not come back together. */
const POSTPONED_SECONDS = { least: 15, most: 30 };

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
    async send(messages: readonly QueueMessage[]): Promise<void> {
      for (const batch of batchesOf(messages, BATCH_SIZE)) {
        await sendUntilDone(batch.map(entryOf), sendBatch, { dependency: DEPENDENCY, waiting, attempts: ATTEMPTS });
      }
    },

    /**
     * Has a chunk that met a throttle delivered again after 15 to 30 s. Every delivery counts towards the dead-letter queue, so
     * before the last one the chunk is sent as a new message, whose count begins anew: then nothing is left to do for this
     * one. Returns `undefined` where it was sent so often that Lambda would soon take it for a loop.
     */
    async postpone(
      message: ChunkMessage,
      { receiptHandle, receives }: Delivery,
    ): Promise<'hidden' | 'sent' | undefined> {
      const { least, most } = POSTPONED_SECONDS;
      const delaySeconds = Math.round(least + waiting.random() * (most - least));
      const { hop: hops = 0 } = message;
      if (receives < MAX_RECEIVES - 1) {
        const change = { QueueUrl: queueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout: delaySeconds };
        await client.send(new ChangeMessageVisibilityCommand(change));
        return 'hidden';
      }
      if (hops >= LONGEST_CHAIN) return undefined;
      await this.send([{ ...message, hop: hops + 1, delaySeconds }]);
      return 'sent';
    },
  };
}

function entryOf(message: QueueMessage, position: number): SendMessageBatchRequestEntry {
  const format = FORMATS.written;
  const { delaySeconds } = message;
  const entry = { Id: String(position), ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }) };
  if ('erasure_id' in message) {
    const { company_id, erasure_id, hop: hops } = message;
    return { ...entry, MessageBody: JSON.stringify({ company_id, erasure_id, hop: hops, format }) };
  }
  if ('revert' in message) {
    const { company_id, revert, hop: hops } = message;
    return { ...entry, MessageBody: JSON.stringify({ company_id, revert, hop: hops, format }) };
  }
  const { company_id, import_id, chunk, payload_hash, hop: hops } = message;
  const MessageBody = JSON.stringify({ company_id, import_id, chunk, payload_hash, hop: hops, format });
  // On a standard queue a group is no order but a fair share: one company's backlog does not hold up another's chunk.
  return { ...entry, MessageBody, MessageGroupId: company_id };
}

/** A message that SQS calls malformed stays malformed: sending it again would only hide our fault. */
function refuseOwnFaults(failed: readonly BatchResultErrorEntry[]): void {
  const own = failed.find((entry) => entry.SenderFault === true && !isTransientName(entry.Code));
  if (own) throw new Error(`The chunk queue rejected a message: ${own.Code ?? 'no code'}.`);
}
