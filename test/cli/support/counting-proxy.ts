import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { undocumented } from '../../support/documented.ts';

/** A way to the service that counts which imports were sent, by Idempotency-Key, and holds every answer to the document. */
export interface CountingProxy {
  readonly url: string;
  /** Keys of the real imports that were sent. */
  readonly sent: ReadonlySet<string>;
  /** Those whose acceptance has reached the client. */
  readonly answered: ReadonlySet<string>;
  /** How often an import was sent again, and how often although its acceptance had reached the client. */
  readonly repeats: { sent: number; answered: number };
  /** What was answered otherwise than documented. */
  readonly findings: readonly string[];
  stop(): Promise<void>;
}

export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const sent = new Set<string>();
  const answered = new Set<string>();
  const repeats = { sent: 0, answered: 0 };
  const findings: string[] = [];
  const count = (key: string): void => {
    if (sent.has(key)) repeats.sent += 1;
    if (answered.has(key)) repeats.answered += 1;
    sent.add(key);
  };
  const server = createServer((incoming, outgoing) => {
    void buffer(incoming).then((body) => {
      const key = incoming.headers['idempotency-key'];
      const isImport = typeof key === 'string' && body.includes('"dry_run":false');
      if (isImport) count(key);
      const { method, headers, url = '/' } = incoming;
      const onward = forward(
        new URL(url, target),
        { ...(method === undefined ? {} : { method }), headers },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
          outgoing.once('finish', () => isImport && answer.statusCode === 202 && answered.add(key));
          // One that breaks off was no answer.
          void buffer(answer).then(
            (seen) => findings.push(...problemsOf(method, url, answer, seen)),
            () => undefined,
          );
        },
      );
      onward.on('error', () => outgoing.destroy());
      onward.end(body);
      return undefined;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    answered,
    repeats,
    findings,
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function problemsOf(method = 'GET', url: string, { statusCode = 0, headers }: IncomingMessage, body: Buffer): string[] {
  const lines = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const answer = { status: statusCode, headers: new Headers(lines), body: JSON.parse(body.toString()) as unknown };
  return undocumented(method, url, answer).map((problem) => `${method} ${url} ${statusCode}: ${problem}`);
}
