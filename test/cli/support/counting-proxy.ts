import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A way to the service that counts which imports were sent, by Idempotency-Key. */
export interface CountingProxy {
  readonly url: string;
  /** Keys of the real imports that were sent. */
  readonly sent: ReadonlySet<string>;
  /** Those whose acceptance has reached the client. */
  readonly answered: ReadonlySet<string>;
  /** How often an import was sent again, and how often although its acceptance had reached the client. */
  readonly repeats: { sent: number; answered: number };
  stop(): Promise<void>;
}

export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const sent = new Set<string>();
  const answered = new Set<string>();
  const repeats = { sent: 0, answered: 0 };
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
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
