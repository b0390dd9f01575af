/** Takes what the worker reports into the state of the page. */
import { current, update } from './store.ts';
import { onEvent } from './worker.ts';

/** @returns a function that ends it */
export function followWorker(): () => void {
  let shown: ReturnType<typeof setTimeout> | undefined;
  return onEvent((event) => {
    if (event.kind === 'signed out') update({ isSignedOut: true });
    if (event.kind === 'meter') {
      const { step, done } = event.meter;
      update({ meters: { ...current().meters, [step]: done } });
    }
    if (event.kind !== 'waiting') return;
    clearTimeout(shown);
    update({ waiting: { isAway: event.isAway, seconds: Math.ceil(event.delayMs / 1000) } });
    shown = setTimeout(() => update({ waiting: undefined }), event.delayMs + 500);
  });
}
