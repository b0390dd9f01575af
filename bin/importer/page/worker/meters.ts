import type { OnProgress } from '../../engine/run/send.ts';
import { emit } from './events.ts';
import type { Meter } from './protocol.ts';

/** Often enough to look steady. */
const EVERY_MS = 200;

/** Runs a step, and sends the page how many records each part of it has done. */
export async function metered<Result>(
  steps: readonly Meter['step'][],
  step: (onProgress: OnProgress) => Promise<Result>,
): Promise<Result> {
  const done = new Map(steps.map((each) => [each, 0]));
  let sentMs = 0;
  const send = (): void => {
    sentMs = performance.now();
    for (const [each, count] of done) emit({ kind: 'meter', meter: { step: each, done: count } });
  };
  send();
  const result = await step(({ step: each, records }) => {
    const known = done.get(each);
    if (known === undefined) return;
    done.set(each, known + records);
    if (performance.now() - sentMs > EVERY_MS) send();
  });
  send();
  return result;
}
