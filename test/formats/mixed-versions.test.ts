/** Two releases over one table and queue, forward and back. Costs half a minute; `npm run test:crash` runs longer. */
import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../functions/dynamodb/encoding.ts';
import { cases } from '../kit/at-length.ts';
import * as thisBuild from '../simulation/build.ts';
import { planWorkload } from '../simulation/plan-workload.ts';
import { simulate } from '../simulation/run.ts';
import type { Variant } from '../simulation/stack.ts';
import type { Workload } from '../simulation/workload.ts';
import { alternating, divided, editedBuild, type Edit, formerBuild, mixed, mixedOptions } from './builds.ts';
import { releases } from './frozen.ts';
import { INCOMPATIBLE } from './incompatible.ts';

async function firstViolation(
  variant: Variant,
  seeds: number,
  workloadOf?: (seed: number) => Workload,
): Promise<string | undefined> {
  for (let seed = 0; seed < seeds; seed += 1) {
    const [violation] = (await simulate(mixedOptions(seed, variant, workloadOf?.(seed)))).violations;
    if (violation !== undefined) return `seed ${seed}: ${violation}`;
  }
  return undefined;
}

const writer: Edit = ['dynamodb/encoding.ts', '{ written: 1, read: [1] }', '{ written: 2, read: [1, 2] }'];

describe('two releases over one table', () => {
  it('consecutive releases keep every invariant side by side, forward and back', async () => {
    const former = await formerBuild(releases().at(-1) ?? '');
    expect(await firstViolation(mixed(former, thisBuild), cases(150, 4))).toBeUndefined();
  });

  it.each(['applied in turns', 'made by the former', 'made by the latter'] as const)(
    'a plan of two releases is imported as it says: %s',
    async (how) => {
      const former = await formerBuild(releases().at(-1) ?? '');
      const variant = {
        'applied in turns': alternating(former, thisBuild),
        'made by the former': divided(former, thisBuild),
        'made by the latter': divided(thisBuild, former),
      }[how];
      expect(await firstViolation(variant, cases(100, 3), planWorkload)).toBeUndefined();
    },
  );

  it('a change of format over two releases keeps every invariant', async () => {
    const former = await formerBuild(releases().at(-1) ?? '');
    const { read } = FORMATS;
    Object.assign(FORMATS, { read: [1, 2] });
    try {
      expect(await firstViolation(mixed(former, thisBuild), cases(60, 2))).toBeUndefined();
      expect(await firstViolation(mixed(thisBuild, await editedBuild([writer])), cases(60, 2))).toBeUndefined();
    } finally {
      Object.assign(FORMATS, { read });
    }
  });

  it.each(Object.entries(INCOMPATIBLE).slice(0, cases(Infinity, 2)))(
    'an incompatible release is caught: %s',
    async (_, edits) => {
      expect(await firstViolation(mixed(thisBuild, await editedBuild(edits)), 200)).toBeDefined();
    },
  );
});
