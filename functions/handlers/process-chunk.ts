import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { courseMemory } from '../catalog/course-memory.ts';
import { withinCompany } from '../dynamodb/tenancy.ts';
import { queueMessage, sqsChunkQueue } from '../jobs/queue.ts';
import type { ChunkMessage, ErasureMessage, RevertMessage } from '../jobs/queue.ts';
import { reportChunk } from '../imports/chunk-report.ts';
import { accountEventBus } from '../imports/event-bus.ts';
import { processChunk } from '../imports/process.ts';
import { continueRevert } from '../reverts/steps.ts';
import { withinTime } from '../runtime/deadline.ts';
import { TemporarilyUnavailable } from '../runtime/faults.ts';
import { METRIC } from '../runtime/metric-names.ts';
import { systemClock } from '../runtime/system.ts';
import type { Fields, Telemetry } from '../runtime/telemetry.ts';
import { continueErasure } from '../erasure/steps.ts';
import { connected, processingServices } from '../services/services.ts';
import type { ProcessingServices } from '../services/services.ts';

export type ChunkServices = Pick<ProcessingServices, 'clock' | 'stores' | 'telemetry' | 'queue' | 'events' | 'memory'>;

/** Somebody else sent it to the queue. */
class ForeignMessage extends Error {
  override readonly name = 'ForeignMessage';
}

let isColdStart = true;

/** Processes the messages of one delivery, all at once; only those that fail are delivered again (partial batch response). */
export async function processChunks(event: SQSEvent, context: Context, services: ChunkServices) {
  const invocation = { request_id: context.awsRequestId, cold_start: isColdStart };
  isColdStart = false;
  const processRecord = async (record: SQSRecord): Promise<void> => {
    const startedAtMs = services.clock.nowMs();
    const message = queueMessage(record.body);
    if (message === undefined) return reportForeign(record, invocation, services.telemetry);
    if ('revert' in message) return processRevert(message, services, invocation);
    if ('erasure_id' in message) return processErasure(message, services, invocation);
    const receives = Number(record.attributes.ApproximateReceiveCount);
    const fields = {
      ...invocation,
      company_id: message.company_id,
      import_id: message.import_id,
      chunk: message.chunk,
      receives,
    };
    try {
      const processed = await withinTime(
        () => context.getRemainingTimeInMillis(),
        () => withinCompany(message.company_id, () => processChunk(message, services)),
      );
      reportChunk(services, { message, processed, receives, startedAtMs, invocation });
    } catch (error) {
      const delivery = { receiptHandle: record.receiptHandle, receives };
      const postponed = error instanceof TemporarilyUnavailable && (await postpone(message, delivery, services));
      if (postponed) {
        services.telemetry.info('The chunk met a throttle.', {
          ...fields,
          outcome: 'throttled',
          cause: causeOf(error),
        });
        if (postponed === 'sent') return;
        throw error;
      }
      services.telemetry.count(METRIC.chunksFailed);
      services.telemetry.error('The chunk failed. The queue delivers it again.', error, fields);
      throw error;
    }
  };
  const processor = new BatchProcessor(EventType.SQS);
  try {
    return await processPartialResponse(event, processRecord, processor, { context, throwOnFullBatchFailure: false });
  } finally {
    services.telemetry.flush();
  }
}

/** How the chunk comes again in seconds; `undefined` where it does not, so that it waits for its visibility timeout. */
async function postpone(
  message: ChunkMessage,
  delivery: Parameters<ChunkServices['queue']['postpone']>[1],
  { queue, telemetry }: ChunkServices,
) {
  return queue.postpone(message, delivery).catch((error: unknown) => {
    telemetry.error('The chunk could not be postponed.', error);
    return undefined;
  });
}

const causeOf = ({ cause, message }: TemporarilyUnavailable): string => (cause instanceof Error ? cause.name : message);

/** What is not ours asks for no chunk of an import: it is deleted, so that it neither comes again nor hides a dead letter that counts. */
function reportForeign({ messageId, body, attributes }: SQSRecord, invocation: Fields, telemetry: Telemetry): void {
  telemetry.count(METRIC.foreignMessages);
  telemetry.error('A message was deleted.', new ForeignMessage('It is not one of this service.'), {
    ...invocation,
    message_id: messageId,
    sender_id: attributes.SenderId,
    bytes: Buffer.byteLength(body),
  });
}

async function processRevert(
  { company_id, revert, hop }: RevertMessage,
  services: ChunkServices,
  invocation: Fields,
): Promise<void> {
  const work = () => withinCompany(company_id, () => continueRevert({ company_id, ...revert }, hop, services));
  await reported('revert', work, services.telemetry, { ...invocation, company_id, ...revert, hop });
}

async function processErasure(
  { company_id, erasure_id, hop }: ErasureMessage,
  services: ChunkServices,
  invocation: Fields,
): Promise<void> {
  const work = () => continueErasure({ company_id, erasure_id }, hop, services);
  await reported('erasure', work, services.telemetry, { ...invocation, company_id, erasure_id, hop });
}

async function reported(
  name: 'revert' | 'erasure',
  work: () => Promise<void>,
  telemetry: Telemetry,
  fields: Fields,
): Promise<void> {
  try {
    await work();
    telemetry.info(name, fields);
  } catch (error) {
    telemetry.error(`The ${name} failed. The queue delivers it again.`, error, fields);
    throw error;
  }
}

const processing = processingServices((environment) => ({
  queue: sqsChunkQueue(environment),
  events: accountEventBus(environment),
  memory: courseMemory(systemClock),
}));
const services = await connected(processing, ({ imports }) => imports.read('none', 'none'));
export const handler = (event: SQSEvent, context: Context) => processChunks(event, context, services());
