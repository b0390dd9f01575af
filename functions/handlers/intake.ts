import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { sessionStore } from '../auth/access-store.ts';
import { scryptPasswords } from '../auth/passwords.ts';
import { directoryStore } from '../catalog/directory-store.ts';
import { mappingStore } from '../catalog/mapping-store.ts';
import { connected, deployed } from '../dynamodb/client.ts';
import type { ExportServices } from '../erasure/export-person.ts';
import { archiveReader } from '../imports/archive.ts';
import { importStore } from '../imports/import-store.ts';
import { progressReader } from '../imports/progress-store.ts';
import { applyMessage, type MessageResult, auditFields } from '../platform/apply-facts.ts';
import type { FactServices } from '../platform/facts.ts';
import { platformDataStore } from '../platform/platform-data-store.ts';
import { originOf, sqsRejectedMessages, type RejectedMessages } from '../platform/rejected-messages.ts';
import { revertStore } from '../reverts/store.ts';
import { secureRandom, systemClock } from '../runtime/system.ts';
import { powertoolsTelemetry, type Telemetry } from '../runtime/telemetry.ts';

type IntakeServices = Omit<FactServices, 'stores'> &
  ExportServices & {
    readonly stores: FactServices['stores'];
    readonly telemetry: Telemetry;
    readonly rejected: RejectedMessages;
  };

/** Applies facts (§13.1) and returns results. A delivered message with rejected facts comes again, and ends as a dead letter. */
export async function intake(event: unknown, context: Context, services: IntakeServices) {
  try {
    if (!isDelivery(event)) return await applied(event, context, services);
    const applyRecord = async (record: SQSRecord) => {
      const origin = originOf(record);
      const result = await applied(parsed(record.body), context, services, origin);
      if (errorsOf(result).length > 0) await services.rejected.passOn(record.body, origin);
    };
    const processor = new BatchProcessor(EventType.SQS);
    return await processPartialResponse(event, applyRecord, processor, { context, throwOnFullBatchFailure: false });
  } finally {
    services.telemetry.flush();
  }
}

function isDelivery(event: unknown): event is SQSEvent {
  return typeof event === 'object' && event !== null && 'Records' in event && Array.isArray(event.Records);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Lambda does not pass on who invoked a function: CloudTrail has it, by the request id. */
const INVOKED: FactSource = { sent_by: 'invocation' };

interface FactSource {
  readonly messageId?: string;
  readonly sent_by: string;
  readonly sentMs?: number;
}

const ALWAYS_LOGGED: ReadonlySet<string> = new Set(['user', 'company', 'client', 'person']);

/** A log line for each applied fact, and one for the message, which names the wrong members. None has a value of a member. */
async function applied(
  message: unknown,
  context: Context,
  services: IntakeServices,
  { messageId, sent_by, sentMs } = INVOKED,
) {
  const source = {
    request_id: context.awsRequestId,
    ...(messageId !== undefined && { message_id: messageId }),
    sent_by,
  };
  const exporting = sentMs === undefined ? services : undefined;
  const result = await applyMessage(message, { ...services, sentMs, exporting }, (fact, outcome) => {
    const isApplied = outcome.status === 'applied';
    // `restore` finds in these lines who was erased or shut out. Stale facts are logged too, because an earlier delivery may have ended before logging.
    if (!isApplied && !ALWAYS_LOGGED.has(fact.kind)) return;
    const message = isApplied ? 'A fact was applied.' : 'A fact was stored before.';
    services.telemetry.info(outcome.status === 'exported' ? 'Data of a person was exported.' : message, {
      ...source,
      ...auditFields(fact, outcome),
    });
  });
  const statuses = 'results' in result ? result.results.map(({ status }) => status) : [];
  const count = (status: string) => statuses.filter((each) => each === status).length;
  services.telemetry.info('Facts of the platform were read.', {
    ...source,
    applied: count('applied'),
    stale: count('stale'),
    erased: count('erased'),
    exported: count('exported'),
    rejected: count('rejected'),
    errors: errorsOf(result).slice(0, 10).join(' '),
  });
  return result;
}

function errorsOf(result: MessageResult): string[] {
  const errors =
    'errors' in result ? result.errors : result.results.flatMap((each) => ('errors' in each ? each.errors : []));
  return errors.map(({ message }) => message);
}

await connected((database) => directoryStore(database).users('none', ['none'], true));
const services = deployed((database, environment) => ({
  clock: systemClock,
  random: secureRandom,
  telemetry: powertoolsTelemetry(),
  rejected: sqsRejectedMessages(environment),
  passwords: scryptPasswords(secureRandom),
  stores: {
    platform: platformDataStore(database),
    directory: directoryStore(database),
    mappings: mappingStore(database),
    sessions: sessionStore(database),
    progress: progressReader(database),
    imports: importStore(database),
    archive: archiveReader(database),
    reverts: revertStore(database),
  },
}));
export const handler = (event: unknown, context: Context) => intake(event, context, services());
