/** A caller of one stack over HTTP, wherever it runs; what it is answered must be as documented. */
import { mustBeDocumented } from '../../kit/documented.ts';

export interface Answer {
  readonly status: number;
  // Answers are asserted member by member.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export type Send = (
  method: string,
  path: string,
  options?: { readonly token?: string; readonly body?: unknown; readonly headers?: Record<string, string> },
) => Promise<Answer>;

/** Sends to the server at this address. */
export function sender(baseUrl: string): Send {
  return async (method, path, { token, body, headers = {} } = {}) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const seen = { status: response.status, headers: response.headers, body: await response.json() };
    mustBeDocumented(method, path, seen);
    return seen;
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

/** Polls until the import is terminal, as clients do. */
export async function finished(send: Send, base: string, import_id: string, token: string): Promise<Answer> {
  for (;;) {
    const answer = await send('GET', `${base}/progress/imports/${import_id}`, { token });
    if (answer.body.status !== 'processing') return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
