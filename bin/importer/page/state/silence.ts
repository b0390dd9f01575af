/** A worker that no longer responds: no limit of the engine is looked at within one step that does not end. */

const TICK_MS = 20_000;
/** Two minutes. A step of an ordinary file takes a fraction of a second. */
const MOST_SILENT = 6;

interface Watched {
  /** It has a call to respond to. */
  readonly isBusy: () => boolean;
  /** Asks it for a sign of life. */
  readonly ask: () => void;
  readonly end: () => void;
}

/** Ticks are counted, not time: a computer that slept is no reason. Returns what takes a sign of life. */
export function endIfSilent({ isBusy, ask, end }: Watched, every: typeof setInterval = setInterval): () => void {
  let unanswered = 0;
  every(() => {
    if (!isBusy()) unanswered = 0;
    else if (unanswered === MOST_SILENT) end();
    else {
      unanswered += 1;
      ask();
    }
  }, TICK_MS);
  return () => {
    unanswered = 0;
  };
}
