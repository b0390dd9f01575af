/** Work in stored steps, on a clock that the test moves. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { text } from '../../functions/dynamodb/attributes.ts';
import { erasureKey } from '../../functions/dynamodb/table.ts';
import { LONGEST_CHAIN } from '../../functions/jobs/queue.ts';
import { fenceMs, packStepped, stepStore, takeSteps, unpackStepped, type Stepped } from '../../functions/jobs/steps.ts';
import { systemWaiting } from '../../functions/runtime/system.ts';
import { START_MS, createWorld } from '../kit/world.ts';

interface Counted extends Stepped {
  readonly left: string;
}

const WORK = { kind: 'erasure', company_id: 'acme', erasure_id: 'e' } as const;
const BEGINNING: Stepped = { phase: 'counting', resends: 0, version: 0 };
const later = (ms: number) => new Date(START_MS + ms).toISOString();

/** When the turn of the first invocation ends. */
const TURN = later(fenceMs(20));

/** Work of `left` steps, each of which takes `stepMs`. */
function setting(stepMs: number) {
  const { client, clock, services, erasureMessages, table } = createWorld();
  const store = stepStore<object, Counted>(
    { client, table: 'table', ...systemWaiting, nowMs: clock.nowMs },
    {
      idsOf: () => ({}),
      keyOf: () => erasureKey('acme', 'e'),
      pack: ({ left }) => ({ left }),
      unpack: (_, item) => ({ left: text(item, 'left'), phase: text(item, 'phase'), ...unpackStepped(item) }),
    },
  );
  return {
    clock,
    store,
    erasureMessages,
    run: async (left: number, { hops = 0, ...stored }: Partial<Stepped> & { readonly hops?: number } = {}) => {
      const key = erasureKey('acme', 'e');
      table.write(key, { ...key, left: String(left), ...packStepped({ ...BEGINNING, ...stored }) });
      await takeSteps(
        { ...WORK, hops },
        {
          state: await store.read({}),
          async step(state, { move }) {
            clock.now += stepMs;
            return state.left === '1' ? undefined : move(state, { left: String(Number(state.left) - 1) });
          },
          advance: store.advance,
          fenceMs: fenceMs(20),
        },
        services,
      );
    },
  };
}

describe('work in steps', () => {
  it('short work is done in one invocation', async () => {
    const { run, store, erasureMessages } = setting(100);
    await run(20);
    expect(erasureMessages).toEqual([]);
    expect(await store.read({})).toMatchObject({ left: '1', version: 20 });
  });

  it('no step starts after 8 seconds, and a message asks for the rest', async () => {
    const { run, erasureMessages } = setting(3_000);
    await run(20, { hops: 4 });
    expect(erasureMessages).toEqual([{ ...WORK, hops: 5, delaySeconds: 0 }]);
  });

  it('one invocation at a time works: a second one waits until the turn of the first is over', async () => {
    const { run, store, clock, erasureMessages } = setting(3_000);
    await run(20);
    expect(await store.read({})).not.toHaveProperty('until');
    expect(erasureMessages).toMatchObject([{ delaySeconds: 0 }]);
    await run(1, { until: TURN, version: 7 });
    expect(erasureMessages[1]).toMatchObject({ delaySeconds: (Date.parse(TURN) - clock.now) / 1_000 });
    expect(await store.read({})).toMatchObject({ left: '1', version: 7 });
  });

  it('work resumes when its fence is over', async () => {
    const { run, erasureMessages } = setting(0);
    await run(1, { until: later(fenceMs(20)) });
    expect(erasureMessages).toEqual([{ ...WORK, hops: 1, delaySeconds: 25 }]);
  });

  it('a long chain of messages is left to the watchdog before Lambda would take it for a loop', async () => {
    const { run, erasureMessages } = setting(9_000);
    await run(20, { hops: LONGEST_CHAIN });
    expect(erasureMessages).toEqual([]);
  });
});

describe('a stored step', () => {
  it('a step is taken by the first invocation alone, and moves the time at which the watchdog looks', async () => {
    const { run, store } = setting(100);
    await run(3, { resends: 2 });
    const state = await store.read({});
    expect(state).toEqual({ left: '1', phase: 'counting', resends: 0, version: 3, until: TURN, due_at: later(60_200) });
    if (state === undefined) return;
    expect(await store.advance(state, { left: '0' })).toMatchObject({ left: '0', version: 4 });
    expect(await store.advance(state, { left: '9' })).toBeUndefined();
  });

  it('work that is done leaves the index of open work', async () => {
    const { run, store } = setting(0);
    await run(1, { due_at: later(0) });
    const state = await store.read({});
    if (state !== undefined) await store.advance(state, { phase: 'done' });
    expect(await store.read({})).toEqual({ left: '1', phase: 'done', resends: 0, version: 2, until: TURN });
  });
});
