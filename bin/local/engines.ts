/** The engines that replace AWS on one machine, as the proxy in front of them sees them. */
import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { randomUUID } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { ENGINE_KEY } from './endpoints.ts';

interface EngineCall {
  readonly target: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Calls the listener if the caller leaves before it has its response. */
  readonly onAbandoned: (listener: () => void) => void;
}

export interface LocalEngine {
  respond(call: EngineCall): Promise<{ readonly status: number; readonly body: Buffer }>;
}

const reply = (status: number, body: object) => ({ status, body: Buffer.from(JSON.stringify(body)) });

/** An error of AWS, by its name. */
export class EngineFault extends Error {}

/** An engine of this process: each operation returns what the service does. @throws EngineFault, which the caller gets */
export function engineOf(operation: (target: string, request: never) => object): LocalEngine {
  return {
    async respond({ target, body }) {
      try {
        return reply(200, operation(target, JSON.parse(body.toString('utf8')) as never));
      } catch (error) {
        return reply(400, { __type: error instanceof EngineFault ? error.message : 'ValidationException' });
      }
    },
  };
}

/** An SSM without a parameter, as before the first deployment: the local stack has no other. */
export const NO_PARAMETERS = engineOf(() => {
  throw new EngineFault('ParameterNotFound');
});

/** An event as a rule of the bus sees it. */
export interface BusEvent {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The account's event bus: `PutEvents`. Each event becomes a log line, and goes to the receiver, once there is one. */
export function eventBusEngine(onLine: (line: string) => void) {
  let receive: ((event: BusEvent) => void) | undefined;
  const engine = engineOf((_, { Entries = [] }: { readonly Entries?: readonly PutEventsRequestEntry[] }) => {
    for (const event of Entries.map(eventOf)) {
      onLine(JSON.stringify(event));
      receive?.(event);
    }
    return { FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: randomUUID() })) };
  });
  const deliverTo = (receiver: (event: BusEvent) => void): void => {
    receive = receiver;
  };
  return { ...engine, deliverTo };
}

function eventOf({ Source = '', DetailType = '', Detail = '' }: PutEventsRequestEntry): BusEvent {
  return { source: Source, 'detail-type': DetailType, detail: JSON.parse(Detail) as BusEvent['detail'] };
}

/** An engine that is a server of its own. Connections stay open for later calls. */
export function engineAt(endpoint: string, accessKeyId = ENGINE_KEY): LocalEngine {
  const { hostname, port } = new URL(endpoint);
  const server = { host: hostname.replace(/^\[|\]$/g, ''), port, agent: new Agent({ keepAlive: true }) };
  return {
    respond: ({ target, path, headers, body, onAbandoned }) =>
      new Promise((resolve, reject) => {
        const call = request({
          ...server,
          method: 'POST',
          path,
          headers: {
            'x-amz-target': target,
            'content-type': headers['content-type'] ?? 'application/x-amz-json-1.0',
            'x-amz-date': String(headers['x-amz-date']),
            // The engine's access key, in place of the caller's.
            authorization: headers.authorization?.replace(/Credential=[^/]*/, `Credential=${accessKeyId}`),
            'content-length': body.length,
          },
        });
        call.on('error', reject).on('response', (response) => {
          bodyOf(response).then((content) => resolve({ status: response.statusCode ?? 0, body: content }), reject);
        });
        onAbandoned(() => call.destroy());
        call.end(body);
      }),
  };
}

/** Cheaper than `buffer` of `node:stream/consumers`, which goes through a Blob. Every call of a function passes here twice. */
export function bodyOf(message: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    message
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => resolve(Buffer.concat(parts)))
      .on('error', reject);
  });
}
