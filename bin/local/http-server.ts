import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { isLoopbackHost } from './endpoints.ts';
import { httpEvent, requestTarget, sendResult } from './http-payload.ts';
import { StartupFault, systemCode } from './lifecycle.ts';
import { serveReferencePage } from './reference-page.ts';
import type { RouteTable } from './route-table.ts';

/** The limit of an HTTP API, in bytes. */
const LARGEST_BODY = 10 * 1024 * 1024;

/** Time-outs for slow clients. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2000,
};
/** How long a refused client may keep sending before the connection is cut: it reads the refusal first. */
const LINGER_MS = 3000;
/** How long requests in progress may take once the stack stops. */
const DRAIN_MS = 2000;

export interface HttpServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves the routes on 127.0.0.1 as an HTTP API would, and the reference page.
 *
 * @throws StartupFault if the port is taken
 */
export async function startHttpServer(port: number, routes: RouteTable): Promise<HttpServer> {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    // As a gateway does that has no such domain name.
    if (!isLoopbackHost(request.headers.host)) refuse(request, response, 403, 'Forbidden');
    else void serve(request, response, routes);
  };
  const server = createServer(TIMEOUTS, handle);
  // A client that asks first need not send a body that would be refused.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (Number(request.headers['content-length'] ?? 0) <= LARGEST_BODY) response.writeContinue();
    handle(request, response);
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
    if (reason === 'EADDRINUSE')
      throw new StartupFault(`port ${port} is in use: stop the process that uses it, or pass another --port`);
    throw new StartupFault(`port ${port} cannot be used (${reason ?? String(error)}): pass another with --port`);
  }
}

async function serve(request: IncomingMessage, response: ServerResponse, routes: RouteTable): Promise<void> {
  const requestId = randomUUID();
  try {
    const body = await readBody(request);
    if (body === 'aborted') return;
    if (body === 'too large') return refuse(request, response, 413, 'Request Entity Too Large');
    const target = requestTarget(request.url ?? '/');
    if (await serveReferencePage(request.method ?? '', target.rawPath, response)) return;
    const match = routes.match(request.method ?? '', target.rawPath);
    if (match === undefined) return sendGatewayError(response, 404, 'Not Found');
    const result = await match.target.invoke(httpEvent(request, target, match, body, requestId));
    sendResult(response, result, requestId);
  } catch {
    // The function's log has the reason.
    if (!response.headersSent) sendGatewayError(response, 500, 'Internal Server Error');
  }
}

type RequestBody = Buffer | 'too large' | 'aborted';

/** Reads the body, up to the limit. */
function readBody(request: IncomingMessage): Promise<RequestBody> {
  if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY) return Promise.resolve('too large');
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    request.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > LARGEST_BODY) {
        parts.length = 0;
        resolve('too large');
      } else {
        parts.push(part);
      }
    });
    request.on('end', () => resolve(Buffer.concat(parts)));
    request.on('error', () => resolve('aborted'));
    request.on('close', () => resolve('aborted'));
  });
}

/** An error of API Gateway itself, in its own format: not the service's envelope. */
function sendGatewayError(response: ServerResponse, status: number, message: string): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  const body = JSON.stringify({ message });
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body);
}

/** Without reading the body. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number, message: string): void {
  response.setHeader('connection', 'close');
  response.shouldKeepAlive = false;
  sendGatewayError(response, status, message);
  request.resume();
  cutLater(request.socket);
}

const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Malformed HTTP, or a request line and headers above the limit. Node calls this for every further piece as well. */
function refuseUnreadable({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (socket.writable) endWith(socket, UNREADABLE[code] ?? '400 Bad Request');
}

function endWith(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  cutLater(socket);
}

/** Destroying a socket with unread input resets the connection, and the client may never see the response. */
function cutLater(socket: Duplex): void {
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}
