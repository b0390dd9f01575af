/** A proxy that delays, refuses and loses replies to the page, as networks and busy services do. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Dice } from '../../kit/dice.ts';
import { passedOn, serve, type Serving } from '../../kit/serve.ts';

/** The page itself has no faults. */
const OF_API = /^\/(?:v1|api)\//;
const REFUSALS = { 429: 'too_many_requests', 503: 'temporarily_unavailable' };

export function startFaulty(target: string): Promise<Serving> {
  const dice = new Dice(7);
  return serve(async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await buffer(incoming);
    const [delay, luck, loss] = OF_API.test(incoming.url ?? '') ? [dice.next(), dice.next(), dice.next()] : [0, 1, 1];
    await pause(50 * delay);
    const status = luck < 0.1 ? 429 : luck < 0.25 ? 503 : undefined;
    if (status !== undefined) {
      outgoing.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' });
      outgoing.end(
        JSON.stringify({ errors: [{ error_code: REFUSALS[status], message: 'Try again.' }], request_id: 'a' }),
      );
      return;
    }
    const { status: received, headers, bytes } = await passedOn(target, incoming, body);
    if (loss < 0.1) outgoing.destroy();
    else outgoing.writeHead(received, headers).end(bytes);
  });
}
