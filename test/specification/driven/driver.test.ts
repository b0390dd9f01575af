/** One behaviour, written down by hand. `npm run test:driven` draws thousands from the specification. */
import { describe, expect, it } from 'vitest';
import { VARIANTS } from '../../simulation/variants.ts';
import type { Step } from './behaviours.ts';
import { follow } from './driver.ts';
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
