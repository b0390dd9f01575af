/** The account's event bus on one machine: `PutEvents` of the AWS JSON protocol. Each event becomes a log line, as a rule sees it. */
import { randomUUID } from 'node:crypto';
import type { LocalEngine } from './engines.ts';

interface Entry {
  readonly Source?: string;
  readonly DetailType?: string;
  readonly Detail?: string;
}

/** It listens on no address. */
export function eventBusEngine(onLine: (line: string) => void): LocalEngine {
  return {
    async respond({ body }) {
      try {
        const { Entries = [] } = JSON.parse(body.toString('utf8')) as { Entries?: readonly Entry[] };
        const events = Entries.map(eventOf);
        for (const event of events) onLine(JSON.stringify(event));
        return reply(200, { FailedEntryCount: 0, Entries: events.map(() => ({ EventId: randomUUID() })) });
      } catch {
        return reply(400, { __type: 'ValidationException' });
      }
    },
  };
}

/** The event as EventBridge gives it to the target of a rule. */
function eventOf({ Source, DetailType, Detail = '' }: Entry) {
  return { source: Source, 'detail-type': DetailType, detail: JSON.parse(Detail) as unknown };
}

const reply = (status: number, body: Record<string, unknown>) => ({ status, body: Buffer.from(JSON.stringify(body)) });
