/** The account's event bus (§4.9). An event that is sent again has the same `event_id`. */
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { contentHash } from './content-hash.ts';
import * as ENV from './variables.ts';
import { PATIENT_CLIENT, dependencyFault } from './faults.ts';
import { EVENT_SOURCE, type EventType, type RunEventType } from '../shared/codes.ts';
import type { ImportSummary, Run } from '../shared/model.ts';

/** An event and the import it is about, as the import is after it (§4.9). */
export interface ImportEvent {
  readonly type: EventType;
  readonly import: ImportSummary;
}

/** A notice of a run, as the run is now (§4.11). `of`: what happened; a notice that is sent again has the same. */
export interface RunEvent {
  readonly type: RunEventType;
  readonly run: Run;
  readonly of: string;
}

export type EventBus = ReturnType<typeof eventBus>;
export type RunEventBus = ReturnType<typeof runEventBus>;

interface Bus {
  readonly client: Pick<EventBridgeClient, 'send'>;
  readonly stage: string;
}

/** The default bus of the account, to which every stack of it sends. */
const accountBus = (environment: ENV.Environment): Bus => ({
  client: new EventBridgeClient(PATIENT_CLIENT),
  stage: ENV.variable(environment, ENV.stage),
});

export const accountEventBus = (environment: ENV.Environment): EventBus => eventBus(accountBus(environment));
export const accountRunEventBus = (environment: ENV.Environment): RunEventBus => runEventBus(accountBus(environment));

const DEPENDENCY = 'The event bus';

/** Sends events one at a time. Throws `TemporarilyUnavailable` if the bus throttles or is down. */
export const eventBus = (bus: Bus) => ({
  send: ({ type, import: subject }: ImportEvent): Promise<void> =>
    put(bus, type, [subject.company_id, subject.import_id], subject),
});

/** The same for notices of runs. */
export const runEventBus = (bus: Bus) => ({
  send: ({ type, run, of }: RunEvent): Promise<void> => put(bus, type, [run.company_id, run.run_id, of], run),
});

/** Each event carries the stage, so that a rule of the receiver can filter by it. */
async function put({ client, stage }: Bus, type: string, happened: readonly string[], subject: object): Promise<void> {
  const event_id = contentHash([type, ...happened].join('\n'));
  const entry = { Source: EVENT_SOURCE, DetailType: type, Detail: JSON.stringify({ event_id, stage, ...subject }) };
  const { FailedEntryCount = 0, Entries = [] } = await client
    .send(new PutEventsCommand({ Entries: [entry] }))
    .catch((error: unknown) => {
      throw dependencyFault(error, DEPENDENCY);
    });
  if (FailedEntryCount > 0) {
    throw dependencyFault(Object.assign(new Error(DEPENDENCY), { name: Entries[0]?.ErrorCode }), DEPENDENCY);
  }
}
