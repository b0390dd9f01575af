/** A server of a test's own on a free port of 127.0.0.1. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as forward, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Serving {
  readonly url: string;
  /** Cuts open connections. */
  stop(): void;
}

/** A request whose `listener` fails loses its connection. */
export async function serve(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<Serving> {
  const respond = async (...[request, response]: Parameters<typeof listener>) => listener(request, response);
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What another server says to this request, for a proxy. */
export async function passedOn(target: string, { method, headers, url = '/' }: IncomingMessage, body: Buffer) {
  const onward = forward(new URL(url, target), { method, headers }).end(body);
  const [response] = (await once(onward, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, bytes: await buffer(response) };
}
