/** Histories of concurrent clients. Porcupine itself runs in `npm run test:linearizability`. */
import { describe, expect, it } from 'vitest';
import { goingBack, type Poll } from './clients.ts';
import { PLANTED } from './planted.ts';
import { simulatedHistory } from './simulated.ts';

const poll = (call: number, change: Partial<Poll>): Poll => ({
  import: 0,
  call,
  return: call + 10,
  ended: false,
  reverted: false,
  done: 0,
  ...change,
});

describe('goingBack', () => {
  it('a poll that says less than one that was answered before it → both', () => {
    const polls = [poll(0, { done: 2 }), poll(10, { done: 1 })];
    expect(goingBack(polls)).toEqual([[polls[0], polls[1]]]);
    expect(goingBack([poll(0, { ended: true, done: 2 }), poll(20, { done: 2 })])).toHaveLength(1);
  });

  it('polls that overlap, and polls of different imports → none', () => {
    expect(goingBack([poll(0, { done: 2 }), poll(9, { done: 1 })])).toEqual([]);
    expect(goingBack([poll(0, { done: 2 }), poll(10, { done: 1, import: 1 })])).toEqual([]);
  });
});

describe('a history of clients', () => {
  it('the history has imports, reads and reverts, and is the same for the same seed', async () => {
    const [once, again] = [await simulatedHistory(0), await simulatedHistory(0)];
    expect(again).toEqual(once);
    const kinds = new Set(once.byPair.flat().map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(['read', 'import', 'revert']));
    expect(goingBack(once.polls)).toEqual([]);
  });

  it('polls that read eventually go back', async () => {
    const found: boolean[] = [];
    for (let seed = 0; seed < 30; seed += 1) {
      const { polls } = await simulatedHistory(seed, PLANTED.polls['polls are read eventually']);
      found.push(goingBack(polls).length > 0);
    }
    expect(found).toContain(true);
  });
});
