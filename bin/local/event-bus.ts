/** A local event bus: `PutEvents` of the AWS JSON protocol, on loopback. Each event becomes a log line, as a rule would see it. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface Entry {
  readonly Source?: string;
  readonly DetailType?: string;
  readonly Detail?: string;
}

export async function startEventBus(
  onLine: (line: string) => void,
): Promise<{ endpoint: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => void respond(request, response, onLine));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, onLine: (line: string) => void) {
  try {
    const { Entries = [] } = JSON.parse((await buffer(request)).toString('utf8')) as { Entries?: readonly Entry[] };
    for (const entry of Entries) onLine(JSON.stringify(eventOf(entry)));
    send(response, 200, { FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: randomUUID() })) });
  } catch {
    send(response, 400, { __type: 'ValidationException' });
  }
}

/** The event as EventBridge gives it to the target of a rule. */
function eventOf({ Source, DetailType, Detail = '{}' }: Entry) {
  return { source: Source, 'detail-type': DetailType, detail: JSON.parse(Detail) as unknown };
}

function send(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}
