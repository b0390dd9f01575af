import { messageOf } from '../engine/ground/errors.ts';
import { jsonOf } from '../engine/ground/text.ts';
import { ServiceError, ServiceUnreachable } from '../wire/errors.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface HttpResponse<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
  readonly retryAfterSeconds: number | undefined;
}

/** Sends one request. The default is `fetchTransport`. */
export type Transport = <Body>(request: HttpRequest) => Promise<HttpResponse<Body>>;

/**
 * A transport over `fetch`. Every call ends within the timeout.
 *
 * @throws ServiceError for a status of 400 and above
 * @throws ServiceUnreachable if no complete response arrives: JSON, or a 204 without a body
 * @example
 * const send = fetchTransport(60_000);
 * const { status, body } = await send({ method: 'GET', url: 'data:application/json,{"courses":[]}' });
 * ({ status, body }); // => { status: 200, body: { courses: [] } }
 */
export function fetchTransport(timeoutMs: number): Transport {
  return async <Body>({ method, url, headers, body }: HttpRequest): Promise<HttpResponse<Body>> => {
    const sent = await contentOf(body);
    const response = await orUnreachable(url, () =>
      fetch(url, {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
        ...sent,
        headers: { accept: 'application/json', ...sent.headers, ...headers },
      }),
    );
    const text = await orUnreachable(url, () => response.text());
    const json = jsonOf(text);
    const retryAfterSeconds = retryAfter(response.headers.get('retry-after'));
    if (response.status >= 400) throw new ServiceError(response.status, json, retryAfterSeconds);
    if (json === undefined && response.status !== 204)
      throw new ServiceUnreachable(`${new URL(url).origin} does not respond in JSON`);
    return { status: response.status, body: json as Body, headers: response.headers, retryAfterSeconds };
  };
}

const JSON_BODY = { 'content-type': 'application/json' };
/** A shorter body would gain nothing. */
const PACKED_FROM = 1024;

/** A form is sent as one (RFC 6749), anything else as JSON. */
async function contentOf(body: unknown): ReturnType<typeof packed> {
  if (body === undefined) return {};
  return body instanceof URLSearchParams ? { body } : packed(JSON.stringify(body));
}

/** Records repeat names and texts: compressed they take a tenth. */
async function packed(
  text: string,
): Promise<Pick<RequestInit, 'body'> & { readonly headers?: Record<string, string> }> {
  if (text.length < PACKED_FROM) return { body: text, headers: JSON_BODY };
  const gzip = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return { body: await new Response(gzip).arrayBuffer(), headers: { ...JSON_BODY, 'content-encoding': 'gzip' } };
}

async function orUnreachable<T>(url: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw new ServiceUnreachable(`${new URL(url).origin} cannot be reached (${reason(error)})`, { cause: error });
  }
}

/** `fetch` wraps the cause; the code of the system (`ECONNREFUSED`) is the most precise. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no response in time';
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  if (!('code' in cause)) return cause.message;
  const code = String(cause.code);
  return DATED.has(code)
    ? `${code}: its certificate is not valid at the time of this machine, ${new Date().toISOString().slice(0, 16)}Z. Check the clock`
    : code;
}

const DATED: ReadonlySet<string> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

/** Reads `Retry-After` in seconds; the service does not send dates. */
function retryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}

export interface RetryPolicy {
  /** How long to retry before the error is thrown, in milliseconds. */
  readonly patienceMs: number;
  /** Waits as long as a 429 demands, however long that is: a quota of an hour may be used up. Default: no. */
  readonly waitsOutThrottles?: boolean;
  /** Called before every wait with its reason and length. */
  readonly onWait?: (reason: string, delayMs: number) => void;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
const RETRYABLE = new Set([429, 500, 502, 503, 504]);

/** Retries on no response, 429, 500, 502, 503, 504, after `Retry-After` or `backOffMs`. The call must be repeatable. */
export async function withRetries<T>(
  call: () => Promise<T>,
  { patienceMs, waitsOutThrottles = false, onWait }: RetryPolicy,
): Promise<T> {
  let deadline = Date.now() + patienceMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const delayMs = delayAfter(error, attempt);
      if (delayMs !== undefined && waitsOutThrottles && isThrottled(error)) deadline += delayMs;
      if (delayMs === undefined || Date.now() + delayMs > deadline) throw error;
      onWait?.(messageOf(error), delayMs);
      await pause(delayMs);
    }
  }
}

const isThrottled = (error: unknown): boolean =>
  error instanceof ServiceError && error.status === 429 && error.retryAfterSeconds !== undefined;

function delayAfter(error: unknown, attempt: number): number | undefined {
  if (error instanceof ServiceUnreachable) return backOffMs(attempt);
  if (!(error instanceof ServiceError) || !RETRYABLE.has(error.status)) return undefined;
  return error.retryAfterSeconds === undefined ? backOffMs(attempt) : error.retryAfterSeconds * 1000;
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Doubles with each attempt (0, 1, …) up to 10 s; the jitter keeps many clients from retrying at the same moment. */
function backOffMs(attempt: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
}
