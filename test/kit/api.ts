/** A caller of the service over HTTP, as a developer of a client would write it. */
import { inject } from 'vitest';
import type { ClientSettings } from '../../bin/local/endpoints.ts';
import { type Answer, finished, type Send, sender } from './http-client.ts';
import { PASSWORD, type Suite } from './test-data.ts';

export type { Answer } from './http-client.ts';

declare module 'vitest' {
  interface ProvidedContext {
    baseUrl: string;
    /** For tests that change what is stored, as the database does when something expires. */
    database: { readonly settings: ClientSettings; readonly table: string };
    /** Answers what the function `Intake` answers. */
    intake: string;
  }
}

/** Calls the service, and holds its response to the published document. */
export const call: Send = (method, path, options) => sender(inject('baseUrl'))(method, path, options);

export async function login(email: string, password = PASSWORD): Promise<Answer> {
  return call('POST', '/api/v1/auth/login', { body: { email, password } });
}

export async function adminOf(company_id: Suite) {
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
    /** The pages of a list to its end. The path has a query. */
    async pages(path: string): Promise<Answer['body'][]> {
      const bodies: Answer['body'][] = [];
      for (let cursor = ''; ;) {
        const { status, body } = await get(path + cursor);
        if (status !== 200) throw new Error(`${path}: ${status}`);
        bodies.push(body);
        if (body.next_cursor === null) return bodies;
        cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
      }
    },
    dryRun: (records: unknown[], headers?: Record<string, string>) =>
      post('/progress/imports', { dry_run: true, records }, headers),
    startImport: (records: unknown[], headers?: Record<string, string>) =>
      post('/progress/imports', { dry_run: false, records }, headers),
    finished: (import_id: string): Promise<Answer> => finished(call, base, import_id, token),
    async importAndWait(records: unknown[], headers?: Record<string, string>): Promise<Answer> {
      const started = await this.startImport(records, headers);
      if (started.status !== 202) return started;
      return this.finished(started.body.import_id);
    },
  };
}

export type Admin = Awaited<ReturnType<typeof adminOf>>;
