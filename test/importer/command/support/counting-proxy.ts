import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { undocumented } from '../../../kit/documented.ts';
import { passedOn, serve, type Serving } from '../../../kit/serve.ts';

/** Records which dry runs were sent, by Idempotency-Key, and validates every response against the document. */
export interface CountingProxy extends Serving {
  /** Keys of the dry runs that were sent. */
  readonly sent: ReadonlySet<string>;
  /** Ids of those whose acceptance was sent to the client, by key. */
  readonly accepted: ReadonlyMap<string, string>;
  /** One entry each time a dry run was sent again: its id, if its acceptance had been sent to the client by then. */
  readonly sentAgain: readonly (string | undefined)[];
  readonly findings: readonly string[];
}

export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const sent = new Set<string>();
  const accepted = new Map<string, string>();
  const sentAgain: (string | undefined)[] = [];
  const findings: string[] = [];

  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = 'GET', headers, url = '/' } = incoming;
    const body = await buffer(incoming);
    const key = importKey(headers, body);
    if (sent.has(key)) sentAgain.push(accepted.get(key));
    if (key !== '') sent.add(key);
    const { status, headers: given, bytes } = await passedOn(target, incoming, body);
    const text = given['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    const received = {
      status,
      headers: new Headers(Object.entries(given).map(([name, value]): [string, string] => [name, String(value)])),
      body: text.length === 0 ? undefined : JSON.parse(text.toString()),
    };
    findings.push(
      ...undocumented(method, url, received).map((problem) => `${method} ${url} ${received.status}: ${problem}`),
    );
    if (key !== '' && status === 200) accepted.set(key, received.body.import_id);
    outgoing.writeHead(status, given).end(bytes);
  };

  return { ...(await serve(pass)), sent, accepted, sentAgain, findings };
}

/** The Idempotency-Key of a dry run; empty for anything else. */
function importKey(headers: IncomingMessage['headers'], body: Buffer): string {
  const text = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
  return text.includes('"dry_run":true') ? String(headers['idempotency-key'] ?? '') : '';
}
