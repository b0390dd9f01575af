import { setTimeout } from 'node:timers/promises';
import { jsonOf } from '../../importer/engine/ground/text.ts';

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Whether a 429 is what the caller wants to see; default: the request is repeated. */
  readonly takesThrottle?: boolean;
}

export type Deployment = ReturnType<typeof deploymentAt>;
export type Reply = Awaited<ReturnType<Deployment['send']>>;

export interface Sending {
  /** Waits until the next request may be sent; default: at once. */
  readonly turn?: () => Promise<void>;
  readonly pause?: (ms: number) => Promise<unknown>;
  /** For how long a request is repeated that is throttled. */
  readonly patienceMs?: number;
  readonly fetch?: typeof fetch;
}

const TIMEOUT_MS = 40_000;
/** The window in which a web ACL counts. */
const PATIENCE_MS = 60_000;

/** @throws Error if `baseUrl` is not a URL */
export function deploymentAt(baseUrl: string, sending: Sending = {}) {
  const { turn = async () => {}, pause = setTimeout, patienceMs = PATIENCE_MS, fetch: call = fetch } = sending;
  if (!/^https?:\/\/[^/]/.test(baseUrl))
    throw new Error(`${baseUrl} is not a URL such as https://abc.execute-api.eu-west-1.amazonaws.com.`);
  const root = baseUrl.replace(/\/+$/, '');

  async function sendOnce(method: string, path: string, { headers, body }: Sent) {
    await turn();
    const response = await call(root + path, {
      method,
      headers: {
        'accept-encoding': 'identity',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: Error) => {
      throw error.cause ?? error;
    });
    return { status: response.status, headers: response.headers, body: jsonOf(await response.text()) };
  }

  /**
   * Repeats what is throttled after `Retry-After`, and each time later. `body`: parsed JSON; `undefined` if it is not JSON.
   * @throws Error if no response arrives
   */
  async function send(method: string, path: string, sent: Sent = {}) {
    for (let repeats = 0, waitedMs = 0; ; repeats += 1) {
      const reply = await sendOnce(method, path, sent);
      const waitMs = Math.max(1, Number(reply.headers.get('retry-after') ?? 1)) * 1_000 * 2 ** repeats;
      waitedMs += waitMs;
      if (reply.status !== 429 || sent.takesThrottle === true || waitedMs > patienceMs) return reply;
      await pause(waitMs);
    }
  }
  return { baseUrl, send };
}
