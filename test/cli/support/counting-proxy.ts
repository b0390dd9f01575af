import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { undocumented } from '../../support/documented.ts';

/** A way to the service that counts which imports were sent, by Idempotency-Key, and holds every answer to the document. */
export interface CountingProxy {
  readonly url: string;
  /** Keys of the real imports that were sent. */
  readonly sent: ReadonlySet<string>;
  /** Ids of those whose acceptance has left for the client, by key. */
  readonly accepted: ReadonlyMap<string, string>;
  /** One entry each time an import was sent again: its id, if its acceptance had left for the client by then. */
  readonly sentAgain: readonly (string | undefined)[];
  /** What was answered otherwise than documented. */
  readonly findings: readonly string[];
  stop(): Promise<void>;
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
    const onward = forward(new URL(url, target), { method, headers }).end(body);
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    const text = await buffer(answer);
    const seen = { status: answer.statusCode ?? 0, headers: headersOf(answer), body: JSON.parse(text.toString()) };
    findings.push(...undocumented(method, url, seen).map((problem) => `${method} ${url} ${seen.status}: ${problem}`));
    if (key !== '' && seen.status === 202) accepted.set(key, seen.body.import_id);
    outgoing.writeHead(seen.status, answer.headers).end(text);
  };

  const server = createServer((incoming, outgoing) => {
    // A way that breaks off on either side is none of the proxy's business: the client is told by the broken connection.
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    accepted,
    sentAgain,
    findings,
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function headersOf({ headers }: IncomingMessage): Headers {
  return new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]));
}

/** The Idempotency-Key of a real import; empty for anything else. */
function importKey(headers: IncomingMessage['headers'], body: Buffer): string {
  return body.includes('"dry_run":false') ? String(headers['idempotency-key'] ?? '') : '';
}
