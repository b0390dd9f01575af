import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { gunzipSync, inflateSync } from 'node:zlib';
import { setTimeout as pause } from 'node:timers/promises';
import { isLoopbackHost } from './endpoints.ts';
import type { GatewayFault, SendGatewayResponse } from './gateway-responses.ts';
import { isTooLargeForLambda, proxyEvent, requestTarget, sendResult } from './http-payload.ts';
import { isForIntake, type LocalIntake, toIntake } from './intake.ts';
import { StartupFault, systemCode } from './lifecycle.ts';
import type { RouteTable } from './route-table.ts';

const LARGEST_BODY = 10 * 1024 * 1024;

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

export type HttpServer = Awaited<ReturnType<typeof startHttpServer>>;

interface LocalApi {
  readonly route: RouteTable;
  readonly refuse: SendGatewayResponse;
  readonly intake?: LocalIntake | undefined;
}

/** Serves the API on 127.0.0.1 as a REST API would. @throws StartupFault if the port is taken */
export async function startHttpServer(port: number, api: LocalApi) {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (isLoopbackHost(request.headers.host)) return void serve(request, response, api);
    // A gateway without such a domain name does the same.
    drain(request);
    api.refuse(response, 'foreignHost', randomUUID());
  };
  // A request without a host gets the response of a foreign one.
  const server = createServer({ ...TIMEOUTS, requireHostHeader: false }, handle);
  // A client that asks first need not send a body that would be refused.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (Number(request.headers['content-length'] ?? 0) <= LARGEST_BODY) response.writeContinue();
    handle(request, response);
  });
  server.on('connect', (_request, socket) => endWith(socket, ['405 Method Not Allowed', 'There is no tunnel.']));
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

async function serve(request: IncomingMessage, response: ServerResponse, api: LocalApi): Promise<void> {
  const requestId = randomUUID();
  // The function's log has the reason.
  const fault = await respond(request, response, api, requestId).catch(() => 'functionFailed' as const);
  if (fault === undefined || response.headersSent) return;
  if (!request.complete) drain(request);
  api.refuse(response, fault, requestId);
}

/** Sends the response of the route's function. If the API itself responds instead, returns its error. */
async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { route, intake }: LocalApi,
  requestId: string,
): Promise<GatewayFault | undefined> {
  const body = await bodyOf(request);
  if (body === undefined) return 'bodyTooLarge';
  const target = requestTarget(request.url ?? '/');
  if (intake !== undefined && isForIntake(request, target.rawPath)) {
    const result = await toIntake(body, intake);
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(result);
    return undefined;
  }
  const match = route(request.method ?? '', target.rawPath);
  if (match === undefined) return 'noRoute';
  const content = uncompressed(body, request.headers['content-encoding']);
  if (typeof content === 'string') return content;
  const event = proxyEvent(request, target, match, content, requestId);
  if (isTooLargeForLambda(event)) return 'bodyTooLarge';
  sendResult(request, response, await match.target.invoke(event), requestId);
  return undefined;
}

/** Undefined if it is too large. @throws Error if the client leaves before its end */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY) return undefined;
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    bytes += part.length;
    if (bytes > LARGEST_BODY) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const INFLATE = new Map([
  ['gzip', gunzipSync],
  ['deflate', inflateSync],
]);

/** An API that compresses responses also takes compressed bodies; its limit holds for the content. Other names reach the function. */
function uncompressed(body: Buffer, encoding = ''): Buffer | GatewayFault {
  const inflate = INFLATE.get(encoding);
  if (inflate === undefined || body.length === 0) return body;
  try {
    return inflate(body, { maxOutputLength: LARGEST_BODY });
  } catch (error) {
    return systemCode(error) === 'ERR_BUFFER_TOO_LARGE' ? 'bodyTooLarge' : 'notUnpacked';
  }
}

/** Takes the rest of a body that was refused, for a while: a client that still writes may never see the response otherwise. */
function drain(request: IncomingMessage): void {
  cutLater(request.socket, request);
  request.resume();
}

const SECURITY_HEADERS = [
  'cache-control: no-store',
  'strict-transport-security: max-age=63072000; includeSubDomains',
  'x-content-type-options: nosniff',
];

type Refusal = readonly [status: string, message: string];

const MALFORMED: Refusal = ['400 Bad Request', 'The request is not well-formed HTTP.'];
const UNREADABLE: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request line and the headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
};

/** Malformed HTTP, or a request line and headers above the limit. Node calls this for every further piece as well. */
function refuseUnreadable({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (socket.writable) endWith(socket, UNREADABLE[code] ?? MALFORMED);
}

function endWith(socket: Duplex, [status, message]: Refusal): void {
  const request_id = randomUUID();
  const body = JSON.stringify({ errors: [{ error_code: 'invalid_request', message }], request_id });
  const lines = [
    `HTTP/1.1 ${status}`,
    'connection: close',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${request_id}`,
    ...SECURITY_HEADERS,
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  cutLater(socket);
}

/** Destroying a socket with unread input resets the connection, and the client may never see the response. */
function cutLater(socket: Duplex, open: Duplex | IncomingMessage = socket): void {
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  open.once('close', () => clearTimeout(cut));
}
