import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { sessionStore } from '../auth/access-store.ts';
import { deployedQuotas } from '../auth/quotas.ts';
import { courseMemory, type CourseMemory } from '../catalog/course-memory.ts';
import { directoryStore } from '../catalog/directory-store.ts';
import { mappingStore } from '../catalog/mapping-store.ts';
import { connected, deployed } from '../dynamodb/client.ts';
import { withinCompany, withinTime } from '../dynamodb/tenancy.ts';
import { continueErasure, type ErasureServices } from '../erasure/steps.ts';
import { erasureStore } from '../erasure/store.ts';
import { accountEventBus } from '../runtime/event-bus.ts';
import { archiveStore } from '../imports/archive.ts';
import { keepingIn } from '../imports/import-item.ts';
import { workedImports } from '../imports/import-store.ts';
import { processChunk, reportChunk } from '../imports/process.ts';
import { progressStore } from '../imports/progress-store.ts';
import { gateStore } from '../jobs/gate.ts';
import { openWorkList } from '../jobs/open-work.ts';
import { sqsJobQueue, type JobQueue } from '../jobs/queue.ts';
import { messageOf } from '../jobs/read-message.ts';
import type { ChunkWork, Message } from '../jobs/work.ts';
import { continueApplication, type ApplyingServices } from '../plans/steps.ts';
import { applicationStore } from '../plans/store.ts';
import { continueRevert } from '../reverts/steps.ts';
import { revertStore } from '../reverts/store.ts';
import { TemporarilyUnavailable } from '../runtime/faults.ts';
import { processUsage, systemClock } from '../runtime/system.ts';
import { powertoolsTelemetry, type Fields, type Telemetry } from '../runtime/telemetry.ts';

type ChunkServices = ErasureServices &
  ApplyingServices & {
    readonly queue: JobQueue;
    readonly memory: CourseMemory;
  };

class ForeignMessage extends Error {
  override readonly name = 'ForeignMessage';
}

/** Processes the messages of one delivery, all at once; only those that fail are delivered again (partial batch response). */
export async function processChunks(event: SQSEvent, context: Context, services: ChunkServices) {
  const invocation = { request_id: context.awsRequestId, ...usage() };
  const { telemetry } = services;
  const processRecord = async (record: SQSRecord): Promise<void> => {
    const message = messageOf(record.body);
    if (message === undefined) return reportForeign(record, invocation, telemetry);
    if (message.kind === 'chunk') return deliverChunk(message, { record, context, invocation }, services);
    const logged = { ...invocation, hop: message.hops };
    if (message.kind === 'erasure') {
      const { company_id, erasure_id } = message;
      const work = () => continueErasure(message, services);
      return reported('erasure', work, telemetry, { ...logged, company_id, erasure_id });
    }
    if (message.kind === 'application') {
      const { company_id, plan_id } = message;
      const work = () => withinCompany(company_id, () => continueApplication(message, services));
      return reported('application', work, telemetry, { ...logged, company_id, plan_id });
    }
    const { company_id, kind: _, ...ids } = message.subject;
    const work = () => withinCompany(company_id, () => continueRevert(message, services));
    return reported('revert', work, telemetry, { ...logged, company_id, ...ids });
  };
  const processor = new BatchProcessor(EventType.SQS);
  try {
    return await processPartialResponse(event, processRecord, processor, { context, throwOnFullBatchFailure: false });
  } finally {
    telemetry.flush();
  }
}

interface Delivered {
  readonly record: SQSRecord;
  readonly context: Context;
  readonly invocation: Fields;
}

/** @throws the fault of the chunk, unless a new message asks for it: then this one is done */
async function deliverChunk(
  message: Message<ChunkWork>,
  { record, context, invocation }: Delivered,
  services: ChunkServices,
): Promise<void> {
  const startedAtMs = services.clock.nowMs();
  const receives = Number(record.attributes.ApproximateReceiveCount);
  const { company_id, import_id, chunk } = message;
  const fields = { ...invocation, company_id, import_id, chunk, receives };
  try {
    const processed = await withinTime(
      () => context.getRemainingTimeInMillis(),
      () => withinCompany(company_id, () => processChunk(message, services)),
    );
    reportChunk(services, { message, processed, receives, startedAtMs, invocation });
  } catch (error) {
    const delivery = { receiptHandle: record.receiptHandle, receives };
    const postponed = error instanceof TemporarilyUnavailable && (await postpone(message, delivery, services));
    if (postponed) {
      const throttled = { ...fields, outcome: 'throttled', cause: causeOf(error) };
      services.telemetry.info('The chunk met a throttle.', throttled);
      if (postponed === 'sent') return;
      throw error;
    }
    services.telemetry.count('ChunksFailed');
    services.telemetry.error('The chunk failed. The queue delivers it again.', error, fields);
    throw error;
  }
}

/** Schedules an early redelivery; `undefined` if only the visibility timeout applies. */
async function postpone(
  message: Message<ChunkWork>,
  delivery: Parameters<ChunkServices['queue']['postpone']>[1],
  { queue, telemetry }: ChunkServices,
) {
  return queue.postpone(message, delivery).catch((error: unknown) => {
    telemetry.error('The chunk could not be postponed.', error);
    return undefined;
  });
}

const causeOf = ({ cause, message }: TemporarilyUnavailable): string => (cause instanceof Error ? cause.name : message);

/** Deletes a message that this service did not send, so that it is not redelivered and does not hide real dead letters. */
function reportForeign({ messageId, body, attributes }: SQSRecord, invocation: Fields, telemetry: Telemetry): void {
  telemetry.count('ForeignMessages');
  telemetry.error('A message was deleted.', new ForeignMessage('It is not one of this service.'), {
    ...invocation,
    message_id: messageId,
    sender_id: attributes.SenderId,
    bytes: Buffer.byteLength(body),
  });
}

async function reported(
  name: 'revert' | 'erasure' | 'application',
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

await connected((database) => workedImports(database).read({ company_id: 'none', import_id: 'none' }));
const services = deployed((database, environment) => ({
  ...keepingIn(environment),
  clock: systemClock,
  telemetry: powertoolsTelemetry(),
  queue: sqsJobQueue(environment),
  events: accountEventBus(environment),
  memory: courseMemory(systemClock),
  stores: {
    imports: workedImports(database),
    archive: archiveStore(database),
    progress: progressStore(database),
    directory: directoryStore(database),
    mappings: mappingStore(database),
    jobs: { ...gateStore(database), ...openWorkList(database) },
    reverts: revertStore(database),
    erasures: erasureStore(database),
    plans: applicationStore(database),
    quotas: deployedQuotas(database, environment),
    sessions: sessionStore(database),
  },
}));
const usage = processUsage();
export const handler = (event: SQSEvent, context: Context) => processChunks(event, context, services());
