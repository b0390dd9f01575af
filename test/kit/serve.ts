/** A server of a test's own on a free port of 127.0.0.1. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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
