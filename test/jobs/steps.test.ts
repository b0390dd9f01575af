/** Work in stored steps, on a clock that the test moves. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { LONGEST_CHAIN, erasureMessage } from '../../functions/jobs/queue.ts';
import { bringForward, fenceMs } from '../../functions/jobs/steps.ts';
import { createWorld, START_MS } from '../kit/world.ts';

interface Work {
  readonly left: number;
  readonly until?: string;
}

const IDS = { company_id: 'acme', erasure_id: 'e' };

function setting(stepMs: number) {
  const { clock, services, erasureMessages } = createWorld();
  const step = async ({ left }: Work): Promise<Work | undefined> => {
    clock.now += stepMs;
    return left === 1 ? undefined : { left: left - 1 };
  };
  const message = (hop: number, waitMs: number) => erasureMessage(IDS, hop, waitMs);
  return { erasureMessages, run: (work: Work, hop = 0) => bringForward({ work, step, hop, message }, services) };
}

describe('work in steps', () => {
  it('is done in one invocation where it is short', async () => {
    const { run, erasureMessages } = setting(100);
    await run({ left: 20 });
    expect(erasureMessages).toEqual([]);
  });

  it('begins no step after 8 seconds, and goes on by a message', async () => {
    const { run, erasureMessages } = setting(3_000);
    await run({ left: 20 }, 4);
    expect(erasureMessages).toEqual([erasureMessage(IDS, 5, 0)]);
  });

  it('goes on when what it waits for is over', async () => {
    const { run, erasureMessages } = setting(0);
    await run({ left: 1, until: new Date(START_MS + fenceMs(20)).toISOString() });
    expect(erasureMessages).toEqual([erasureMessage(IDS, 1, 25_000)]);
  });

  it('is left to the watchdog where Lambda would take it for a loop', async () => {
    const { run, erasureMessages } = setting(9_000);
    await run({ left: 20 }, LONGEST_CHAIN);
    expect(erasureMessages).toEqual([]);
  });
});
