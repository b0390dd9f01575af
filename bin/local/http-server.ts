import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { httpEvent, requestTarget } from './http-event.ts';
import { sendGatewayError, sendResult } from './http-response.ts';
import { serveReferencePage } from './reference-page.ts';
import { LARGEST_BODY, readBody } from './request-body.ts';
import type { RouteTable } from './route-table.ts';
import { StartupFault, systemCode } from './startup-fault.ts';

/** Patience with slow clients. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2000,
};
/** How long what is refused may go on before the connection is cut, so that the client reads the refusal first. */
const LINGER_MS = 3000;
/** How long requests under way may take once the stack stops. */
const DRAIN_MS = 2000;

export interface HttpServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves the routes on 127.0.0.1 as an HTTP API would, and the reference page beside them.
 *
 * @throws StartupFault if the port is taken
 */
export async function startHttpServer(port: number, routes: RouteTable): Promise<HttpServer> {
  const server = createServer(TIMEOUTS, (request, response) => void serve(request, response, routes));
  // A body that is refused anyway need not be sent at all.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (Number(request.headers['content-length'] ?? 0) <= LARGEST_BODY) response.writeContinue();
    void serve(request, response, routes);
  });
  server.on('connect', (_request, socket) => endWith(socket, '405 Method Not Allowed'));
  server.on('clientError', refuseUnreadable);
  await listen(server, port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await Promise.race([closed, pause(DRAIN_MS, undefined, { ref: false })]);
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    const reason = systemCode(error);
    if (reason === 'EADDRINUSE') throw new StartupFault(`port ${port} is in use: stop what uses it, or pass --port`);
    throw new StartupFault(`port ${port} cannot be used (${reason ?? String(error)}): pass another with --port`);
  }
}

async function serve(request: IncomingMessage, response: ServerResponse, routes: RouteTable): Promise<void> {
  const requestId = randomUUID();
  try {
    const body = await readBody(request);
    if (body === 'aborted') return;
    if (body === 'too large') return refuseBody(request, response);
    const target = requestTarget(request.url ?? '/');
    if (await serveReferencePage(request.method ?? '', target.rawPath, response)) return;
    const match = routes.match(request.method ?? '', target.rawPath);
    if (match === undefined) return sendGatewayError(response, 404, 'Not Found');
    const result = await match.target.invoke(httpEvent(request, target, match, body, requestId));
    sendResult(response, result, requestId);
  } catch {
    // The log tells why.
    if (!response.headersSent) sendGatewayError(response, 500, 'Internal Server Error');
  }
}

function refuseBody(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('connection', 'close');
  response.shouldKeepAlive = false;
  sendGatewayError(response, 413, 'Request Entity Too Large');
  request.resume();
  cutLater(request.socket);
}

const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** What is no HTTP, or longer than a request line and headers may be. Told of every further piece of it as well. */
function refuseUnreadable({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (socket.writable) endWith(socket, UNREADABLE[code] ?? '400 Bad Request');
}

function endWith(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  cutLater(socket);
}

/** A socket that is cut before all was read resets its connection, and the client may never see the answer. */
function cutLater(socket: Duplex): void {
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}
