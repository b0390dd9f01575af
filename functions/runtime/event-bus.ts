/** The account's event bus (§4.9). An event that is sent again has the same `event_id`. */
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { contentHash } from './content-hash.ts';
import * as ENV from './variables.ts';
import { PATIENT_CLIENT, dependencyFault } from './faults.ts';
import { EVENT_SOURCE, type EventType } from '../shared/codes.ts';
import type { ImportSummary } from '../shared/model.ts';

/** An event and the import it is about, as the import is after it (§4.9). */
export interface ImportEvent {
  readonly type: EventType;
  readonly import: ImportSummary;
}

export type EventBus = ReturnType<typeof eventBus>;

/** The default bus of the account, to which every stack of it sends. */
export function accountEventBus(environment: ENV.Environment): EventBus {
  return eventBus({ client: new EventBridgeClient(PATIENT_CLIENT), stage: ENV.variable(environment, ENV.stage) });
}

const DEPENDENCY = 'The event bus';

/** Sends events one at a time. Each carries the stage, so that a rule of the receiver can filter by it. */
export function eventBus({
  client,
  stage,
}: {
  readonly client: Pick<EventBridgeClient, 'send'>;
  readonly stage: string;
}) {
  return {
    /** Throws `TemporarilyUnavailable` if the bus throttles or is down. */
    async send({ type, import: subject }: ImportEvent): Promise<void> {
      const event_id = contentHash([type, subject.company_id, subject.import_id].join('\n'));
      const entry = { Source: EVENT_SOURCE, DetailType: type, Detail: JSON.stringify({ event_id, stage, ...subject }) };
      const { FailedEntryCount = 0, Entries = [] } = await client
        .send(new PutEventsCommand({ Entries: [entry] }))
        .catch((error: unknown) => {
          throw dependencyFault(error, DEPENDENCY);
        });
      if (FailedEntryCount > 0) {
        throw dependencyFault(Object.assign(new Error(DEPENDENCY), { name: Entries[0]?.ErrorCode }), DEPENDENCY);
      }
    },
  };
}
