/**
 * A share of the matrix over HTTP, on the local stack: every token class on every operation of the own company, and every
 * hostile company under a sound token. Costs about half a minute.
 */
import { beforeAll, expect, it } from 'vitest';
import { ROUTES } from '../../../lib/routes.ts';
import { setTimeout } from 'node:timers/promises';
import { ask, type Known, validRequest } from '../matrix/ask.ts';
import { importedRecord } from '../matrix/imported-record.ts';
import { faultsOf } from '../matrix/judge.ts';
import { type Cell, cells } from '../matrix/matrix.ts';
import { OWN } from '../support/data.ts';
import { stackTarget } from '../support/stack-target.ts';
import type { Target } from '../support/target.ts';
import { report } from '../support/volume.ts';
import { validToken } from '../matrix/token-class.ts';

let target: Target;
let known: Known;

const SOUND = new Set(['an admin', 'a customer', 'an admin of another company']);
const isInShare = ({ company, tokenClass }: Cell) =>
  tokenClass.inProcessOnly !== true && (company === undefined || company === OWN || SOUND.has(tokenClass.name));
const share = cells().filter(isInShare);

beforeAll(async () => {
  target = await stackTarget();
  known = await importedRecord(target);
  await untilProcessed();
});

async function untilProcessed(): Promise<void> {
  const route = ROUTES.find(({ name }) => name === 'get-record') as (typeof ROUTES)[number];
  for (;;) {
    const authorization = `Bearer ${await validToken(target, 'access')}`;
    const { status } = await target.send({ ...validRequest(route, known, OWN), headers: { authorization } });
    if (status === 200) return;
    await setTimeout(20);
  }
}

it('every cell of the share is answered as it must be', async () => {
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
  expect(share.length).toBeGreaterThanOrEqual(1500);
  expect(faults).toEqual([]);
  report(`matrix over HTTP: ${share.length} cells asserted`);
});
