/** A proxy that delays, refuses and loses replies to the page, as networks and busy services do. */
import { once } from 'node:events';
import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Dice } from '../../kit/dice.ts';
import { serve, type Serving } from '../../kit/serve.ts';

/** The page itself has no faults. */
const OF_API = /^\/(?:v1|api)\//;
const REFUSALS = { 429: 'too_many_requests', 503: 'temporarily_unavailable' };

export function startFaulty(target: string): Promise<Serving> {
  const dice = new Dice(7);
  return serve(async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method, headers, url = '/' } = incoming;
    const body = await buffer(incoming);
    const [delay, luck, loss] = OF_API.test(url) ? [dice.next(), dice.next(), dice.next()] : [0, 1, 1];
    await pause(50 * delay);
    const status = luck < 0.1 ? 429 : luck < 0.25 ? 503 : undefined;
    if (status !== undefined) {
      outgoing.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' });
      outgoing.end(
        JSON.stringify({ errors: [{ error_code: REFUSALS[status], message: 'Try again.' }], request_id: 'a' }),
      );
      return;
    }
    const onward = forward(new URL(url, target), { method, headers }).end(body);
    const [response] = (await once(onward, 'response')) as [IncomingMessage];
    const sentBack = await buffer(response);
    if (loss < 0.1) outgoing.destroy();
    else outgoing.writeHead(response.statusCode ?? 0, response.headers).end(sentBack);
  });
}
