import { ServiceError, ServiceUnreachable } from './failures.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface HttpAnswer<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
  readonly retryAfterSeconds: number | undefined;
}

/** How one request travels; tests put their own in its place. */
export type Transport = <Body>(request: HttpRequest) => Promise<HttpAnswer<Body>>;

/**
 * A transport over `fetch`. Every call ends within the timeout.
 *
 * @throws ServiceError for an answer of 400 and above
 * @throws ServiceUnreachable where no whole JSON answer came
 */
export function fetchTransport(timeoutMs: number): Transport {
  return async <Body>({ method, url, headers, body }: HttpRequest): Promise<HttpAnswer<Body>> => {
    const response = await reached(url, () =>
      fetch(url, {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
        headers: { accept: 'application/json', ...(body === undefined ? {} : JSON_BODY), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const text = await reached(url, () => response.text());
    const answer = parsed(text);
    const retryAfterSeconds = retryAfter(response.headers.get('retry-after'));
    if (response.status >= 400) throw new ServiceError(response.status, answer, retryAfterSeconds);
    if (answer === undefined) throw new ServiceUnreachable(`${new URL(url).origin} does not answer in JSON`);
    return { status: response.status, body: answer as Body, headers: response.headers, retryAfterSeconds };
  };
}

const JSON_BODY = { 'content-type': 'application/json' };

async function reached<T>(url: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw new ServiceUnreachable(`${new URL(url).origin} cannot be reached (${reason(error)})`, { cause: error });
  }
}

/** `fetch` wraps what went wrong; the system's own code says most. */
function reason(error: unknown): string {
  const { cause, name, message } = error as {
    cause?: { code?: string; message?: string };
    name: string;
    message: string;
  };
  if (name === 'TimeoutError') return 'no answer in time';
  return cause?.code ?? cause?.message ?? message;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Only the form in seconds is honoured: the service sends no other. */
function retryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}
