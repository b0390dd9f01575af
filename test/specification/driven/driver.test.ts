/** One behaviour, written down by hand. `npm run test:driven` draws thousands from the specification. */
import { describe, expect, it } from 'vitest';
import { VARIANTS } from '../../simulation/variants.ts';
import type { Step } from './behaviours.ts';
import { follow } from './driver.ts';
import { Pairs } from './pairs.ts';
import { MEMBERS, type Shown } from './shown.ts';

const NOTHING: Shown = {
  ...Object.fromEntries(MEMBERS.map((member) => [member, []])),
  status: ['A none', 'B none', 'C none'],
  summary: ['A0 none', 'A1 none', 'B0 none', 'C0 none'],
  gate: ['none 0'],
};

type Line = readonly [did: Step['did'], change: Shown, also?: Partial<Pick<Step, 'queue'>> & { readonly ended?: true }];

const PLANNED = { plans: ['B0 applied p none'] };

/** An import of one record, from its request to its end. */
const LINES: readonly Line[] = [
  [['Accept', 'B'], { status: ['A none', 'B open', 'C none'] }, { queue: ['B0'], ended: true }],
  [['ReadChunk', 1, 'B0'], {}],
  [['Decide', 1], {}],
  [['PutPlan', 1], PLANNED],
  [['Claim', 1], { bound: ['r-0 p'] }],
  [['Write', 1], { contributions: ['B0 p'] }],
  [['Summarise', 1], { summary: ['A0 none', 'A1 none', 'B0 ok', 'C0 none'] }],
  [['Settle', 1], { status: ['A none', 'B ended', 'C none'] }, { ended: true }],
];

const NO_SUMMARY = { summary: NOTHING['summary'] ?? [] };

/** The table is restored to a point where the id is claimed, when the import has ended. */
const RESTORED: readonly Line[] = [
  ...LINES.slice(0, 5),
  [['Save'], {}],
  ...LINES.slice(5),
  [['Restore'], { ...NO_SUMMARY, status: ['A none', 'B open', 'C none'], contributions: [] }, { ended: true }],
  [['WatchChunk', 'B0'], {}, { queue: ['B0'], ended: true }],
  [['ReadChunk', 1, 'B0'], {}],
  [['Claim', 1], {}],
  ...LINES.slice(5),
];

function behaviourOf(lines: readonly Line[]): Step[] {
  let shown = NOTHING;
  const records = { B0: { pair: 'p', content: 40 } };
  return lines.map(([did, change, { queue = [], ended } = {}]) => {
    shown = { ...shown, ...change };
    return { did, records, queue, running: new Map(ended === true ? [] : [[1, 'B0']]), shown };
  });
}

describe('follow', () => {
  it('the code takes the actions of an import, and the table is as specified after each', async () => {
    expect(await follow(behaviourOf(LINES))).toBeUndefined();
  });

  it('the table is restored → what it had at that point, from which the import is carried out again', async () => {
    expect(await follow(behaviourOf(RESTORED))).toBeUndefined();
  });

  it('a state that the table is not in → the action, what is specified and what is stored', async () => {
    const wrong = LINES.map((line): Line => (line[0][0] === 'Claim' ? [line[0], { bound: ['r-0 q'] }] : line));
    expect(await follow(behaviourOf(wrong))).toEqual({
      at: 4,
      lines: ['bound: specified r-0 q, stored r-0 p'],
    });
  });

  it('broken code, which claims an id after the contribution → the first action that it takes otherwise', async () => {
    const broken = VARIANTS['the identity is claimed after the contribution'];
    expect(await follow(behaviourOf(LINES), broken)).toEqual({
      at: 4,
      lines: ['contributions: specified none, stored B0 p'],
    });
  });
});

describe('Pairs', () => {
  const stepsOf = (...names: string[]) => behaviourOf(names.map((name): Line => [[name], {}]));
  const namesOf = (behaviours: readonly Step[][]) => behaviours.map((each) => each.map(({ did: [name] }) => name));

  it('a possible pair that no behaviour has taken → the one that ends with it, until it is taken', () => {
    const pairs = new Pairs();
    pairs.saw(stepsOf('Accept', 'ReadChunk', 'Decide'));
    pairs.found(stepsOf('Accept', 'ReadChunk', 'Kill'));
    pairs.found(stepsOf('Accept', 'ReadChunk'));
    expect([pairs.all, pairs.seen, namesOf(pairs.missing)]).toEqual([3, 2, [['Accept', 'ReadChunk', 'Kill']]]);
    pairs.saw(stepsOf('ReadChunk', 'Kill'));
    expect([pairs.all, pairs.seen, pairs.missing]).toEqual([3, 3, []]);
  });
});
