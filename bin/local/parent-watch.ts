const EVERY_MS = 250;

/**
 * Calls back once the process that started this one is gone. `npm start` stands behind npm and a shell, which do not pass
 * every signal on: without this, ending npm would leave the stack running with nobody to stop it.
 */
export function onParentGone(callback: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, EVERY_MS);
  timer.unref();
}
