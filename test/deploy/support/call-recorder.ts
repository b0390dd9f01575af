/**
 * Sits between the functions and the servers, passes everything on, and notes each call as IAM would check it: which
 * function, which action, on what, and for a table the leading key.
 */
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Endpoints } from '../../../bin/local/endpoints.ts';
import { type RecordedCall, tableCalls } from './table-calls.ts';

type Reader = (operation: string, body: Record<string, unknown>) => Omit<RecordedCall, 'caller'>[];

const sqsCalls: Reader = (operation) => [{ action: `sqs:${operation.replace(/Batch$/, '')}`, on: 'queue' }];
const eventCalls: Reader = (operation) => [{ action: `events:${operation}`, on: 'events' }];
const kmsCalls: Reader = (operation) => [{ action: `kms:${operation}`, on: 'key' }];

export class CallRecorder {
  readonly calls: RecordedCall[] = [];
  /** Bodies of the messages that were sent. */
  readonly messages: string[] = [];
  /** While set, every call meets a broken connection. */
  isDown = false;
  readonly #stops: (() => void)[] = [];

  readonly between = async ({ dynamodb, sqs, kms, events }: Endpoints): Promise<Endpoints> => ({
    dynamodb: await this.#proxy(dynamodb, tableCalls),
    sqs: await this.#proxy(sqs, sqsCalls),
    kms: await this.#proxy(kms, kmsCalls),
    events: await this.#proxy(events, eventCalls),
  });

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  async #proxy(target: string, read: Reader): Promise<string> {
    const server = createServer((request, response) => void this.#pass(request, response, target, read));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.#stops.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async #pass(request: IncomingMessage, response: ServerResponse, target: string, read: Reader): Promise<void> {
    const body = await buffer(request);
    this.#note(request, body.toString('utf8'), read);
    if (this.isDown) return void response.destroy();
    try {
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
      const answer = await fetch(target + request.url, {
        method: String(request.method),
        headers: headers as Record<string, string>,
        body,
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(bytes);
    } catch {
      response.destroy();
    }
  }

  #note(request: IncomingMessage, body: string, read: Reader): void {
    const caller = /\bapp\/(\w+)/.exec(String(request.headers['user-agent']))?.[1] ?? 'unknown';
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    for (const call of read(operation, JSON.parse(body))) this.calls.push({ caller, ...call });
    if (operation.startsWith('SendMessage')) this.messages.push(body);
  }
}
