/** A caller of the service over HTTP, as a client of ours would write it. */
import { inject } from 'vitest';
import { mustBeDocumented } from './documented.ts';
import { PASSWORD, type Suite } from './test-data.ts';

declare module 'vitest' {
  interface ProvidedContext {
    baseUrl: string;
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Answers are asserted member by member; their shapes are the OpenAPI document's business.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** Calls the service, and holds its answer to the published document. */
export async function call(
  method: string,
  path: string,
  options: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { token, body, headers = {} } = options;
  const response = await fetch(inject('baseUrl') + path, {
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
  const answer = {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
  mustBeDocumented(method, path, answer);
  return answer;
}

export async function login(email: string, password = PASSWORD): Promise<Answer> {
  return call('POST', '/api/v1/auth/login', { body: { email, password } });
}

/** The migration operations of one company, as its admin. */
export async function adminOf(company_id: Suite | 'disabled') {
  const { body } = await login(`admin@${company_id}.test`);
  const token: string = body.access_token;
  const base = `/v1/migrations/${company_id}`;
  const get = (path: string) => call('GET', base + path, { token });
  const post = (path: string, sent: unknown, headers: Record<string, string> = {}) =>
    call('POST', base + path, { token, body: sent, headers });
  return {
    token,
    base,
    get,
    post,
    dryRun: (records: unknown[], headers?: Record<string, string>) =>
      post('/progress/imports', { dry_run: true, records }, headers),
    startImport: (records: unknown[], headers?: Record<string, string>) =>
      post('/progress/imports', { dry_run: false, records }, headers),
    /** Polls until the import is terminal, as clients do. */
    async finished(import_id: string): Promise<Answer> {
      for (;;) {
        const answer = await get(`/progress/imports/${import_id}`);
        if (answer.status !== 200 || answer.body.status !== 'processing') return answer;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async importAndWait(records: unknown[], headers?: Record<string, string>): Promise<Answer> {
      const started = await this.startImport(records, headers);
      if (started.status !== 202) return started;
      return this.finished(started.body.import_id);
    },
  };
}

export type Admin = Awaited<ReturnType<typeof adminOf>>;
