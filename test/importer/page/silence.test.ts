/** When the page ends its worker. Costs milliseconds. */
import { expect, it, vi } from 'vitest';
import { endIfSilent } from '../../../bin/importer/page/state/silence.ts';

function watched() {
  const [ask, end] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const state = { isBusy: true };
  let tick = (): void => {};
  const every = ((run: () => void) => {
    tick = run;
  }) as unknown as typeof setInterval;
  const heard = endIfSilent({ isBusy: () => state.isBusy, ask, end }, every);
  const ticks = (count: number): void => Array.from({ length: count }).forEach(() => tick());
  return { state, ask, end, heard, ticks };
}

it('a busy worker that gives no sign of life to six questions is ended at the seventh tick', () => {
  const { ask, end, ticks } = watched();
  ticks(6);
  expect(ask).toHaveBeenCalledTimes(6);
  expect(end).not.toHaveBeenCalled();
  ticks(1);
  expect(end).toHaveBeenCalledOnce();
});

it('a sign of life at any time begins the count again', () => {
  const { end, heard, ticks } = watched();
  for (let at = 0; at < 20; at += 1) {
    ticks(6);
    heard();
  }
  expect(end).not.toHaveBeenCalled();
});

it('a worker without a call is not asked, and not ended', () => {
  const { state, ask, end, ticks } = watched();
  state.isBusy = false;
  ticks(100);
  expect(ask).not.toHaveBeenCalled();
  expect(end).not.toHaveBeenCalled();
});
