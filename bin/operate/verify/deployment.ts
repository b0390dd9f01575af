/** One deployed stack, as anyone on the internet reaches it. */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { ServiceError } from '../../importer/wire/errors.ts';
import type { Transport } from '../../importer/client/index.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; `undefined` if the body is not JSON. */
  readonly body: unknown;
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text as it is. */
  readonly body?: unknown;
}

export interface Deployment {
  readonly baseUrl: string;
  /** @throws Error if no response arrives */
  readonly send: (method: string, path: string, sent?: Sent) => Promise<Reply>;
  /** The same, for the client. */
  readonly transport: Transport;
}

const TIMEOUT_MS = 40_000;
const URL_PARTS = /^(https?):\/\/([^/]+)(\/.*?)?\/*$/;

/**
 * The stack at a base URL. `connect` (`HOST:PORT`, without TLS) leads elsewhere than the URL's host name, which is still
 * sent: for a name that does not resolve yet.
 *
 * @throws Error if `baseUrl` is not a URL
 */
export function deploymentAt(baseUrl: string, connect?: string): Deployment {
  // Not by `URL`, which refuses a name that ends like an IP address.
  const [, scheme, host = '', prefix = ''] = URL_PARTS.exec(baseUrl) ?? [];
  if (scheme === undefined)
    throw new Error(`${baseUrl} is not a URL such as https://abc.execute-api.eu-west-1.amazonaws.com.`);
  const request = scheme === 'https' && connect === undefined ? requestHttps : requestHttp;
  const [hostname = '', port] = (connect ?? host).split(':');

  async function send(method: string, path: string, { headers = {}, body }: Sent = {}): Promise<Reply> {
    const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const type =
      payload === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const sent = request({
      hostname,
      port,
      method,
      path: prefix + path,
      headers: { host, ...type, ...headers },
      signal,
    });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject);
      sent.end(payload);
    });
    const received = await text(response);
    const replied = new Headers();
    for (const [name, value] of Object.entries(response.headers)) replied.set(name, String(value));
    return { status: response.statusCode ?? 0, headers: replied, body: parsed(received) };
  }

  const transport: Transport = async ({ method, url, ...sent }) => {
    const { status, headers, body } = await send(method, url.slice(baseUrl.replace(/\/+$/, '').length), sent);
    const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
    const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : undefined;
    if (status >= 400) throw new ServiceError(status, body, retryAfterSeconds);
    return { status, headers, body: body as never, retryAfterSeconds };
  };
  return { baseUrl, send, transport };
}

function parsed(received: string): unknown {
  try {
    return JSON.parse(received);
  } catch {
    return undefined;
  }
}
