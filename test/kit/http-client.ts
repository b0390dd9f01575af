/** A caller of one stack over HTTP, wherever it runs. Every response is checked against the published document. */
import { mustBeDocumented } from './documented.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Tests assert responses member by member; the OpenAPI document checks their shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export interface Sending {
  readonly token?: string;
  /** Sent as JSON, but text and bytes as they are. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export type Send = (method: string, path: string, options?: Sending) => Promise<Answer>;

export function sender(baseUrl: string): Send {
  return async (method, path, { token, body, headers = {} } = {}) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status, headers: received } = response;
    const answer = { status, headers: received, body: text === '' ? undefined : JSON.parse(text) };
    mustBeDocumented(method, path, answer);
    return answer;
  };
}

export async function tokensOf(
  send: Send,
  email: string,
  password: string,
): Promise<{ access: string; refresh: string }> {
  const { body } = await send('POST', '/api/v1/auth/login', { body: { email, password } });
  return { access: body.access_token, refresh: body.refresh_token };
}

/** Polls until the import is terminal: less and less often, since each poll takes time from what it waits for. */
export async function finished(send: Send, base: string, import_id: string, token: string): Promise<Answer> {
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 1.5, 400)) {
    const answer = await send('GET', `${base}/progress/imports/${import_id}`, { token });
    if (answer.status !== 200 || answer.body.status !== 'processing') return answer;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
