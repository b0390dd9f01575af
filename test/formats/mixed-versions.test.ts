/** Two releases over one table and one queue, forward and back. Costs about a minute; `npm run test:crash` is the long run. */
import { describe, expect, it } from 'vitest';
import { randomFaults } from '../simulation/faults.ts';
import { simulate } from '../simulation/run.ts';
import * as thisBuild from '../simulation/build.ts';
import { randomWorkload } from '../simulation/workload.ts';
import { editedBuild, mixed } from './builds.ts';
import { INCOMPATIBLE } from './incompatible.ts';

describe('a release beside the one before it', () => {
  it.each(Object.entries(INCOMPATIBLE))('is caught where %s', { timeout: 120_000 }, async (_, edits) => {
    const variant = mixed(thisBuild, await editedBuild(edits));
    let caught: string[] = [];
    let seed = 0;
    for (; seed < 200 && caught.length === 0; seed += 1) {
      const faults = randomFaults(seed, 3, 80);
      caught = [...(await simulate({ seed, workload: randomWorkload(seed), faults, variant })).violations];
    }
    console.log(_, seed, caught[0]?.slice(0, 200));
    expect(caught).not.toEqual([]);
  });
});
