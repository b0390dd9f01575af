/**
 * A share of the matrix over HTTP, on the local stack: every token class in a header and in a body; every hostile
 * company under a sound token on one that reads and one that writes, and the own and another company on every one.
 */
import { beforeAll, expect, it } from 'vitest';
import { setTimeout } from 'node:timers/promises';
import { ask, type Known, revertedImport, faultsOf } from '../matrix/ask.ts';
import { type Cell, cells } from '../matrix/matrix.ts';
import { OTHER, OWN } from '../support/data.ts';
import { stackTarget } from '../support/stack-target.ts';
import type { Target } from '../support/target.ts';

let target: Target;
let known: Known;

const SOUND = new Set(['an admin', 'a customer', 'an admin of another company']);
const READS_AND_WRITES = new Set(['list-courses', 'start-import']);

function isInShare({ route: { name }, carrier, company, tokenClass }: Cell): boolean {
  if (tokenClass.inProcessOnly === true) return false;
  if (!SOUND.has(tokenClass.name)) return carrier === 'body' || (name === 'list-courses' && company === OWN);
  return [undefined, OWN, OTHER].includes(company) || READS_AND_WRITES.has(name);
}

const share = cells().filter(isInShare);

beforeAll(async () => {
  target = await stackTarget();
  // An import that is not processed yet cannot be reverted, so the call is repeated.
  known = await revertedImport(target, () => setTimeout(500));
});

it('every cell of the share gets its expected response', async () => {
  const faults: string[] = [];
  for (const cell of share) {
    const answered = await ask(target, cell, known);
    const { route, tokenClass, company } = cell;
    faults.push(
      ...faultsOf(route, answered, cell.expected).map(
        (fault) => `${route.name}, ${tokenClass.name}, company ${JSON.stringify(company?.slice(0, 20))}: ${fault}`,
      ),
    );
  }
  expect(share.length).toBeGreaterThanOrEqual(500);
  expect(faults).toEqual([]);
});
