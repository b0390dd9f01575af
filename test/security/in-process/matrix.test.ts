/** The whole matrix of callers and operations, on the deployed handlers in this process. Costs about half a minute. */
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { ask, type Known, faultsOf, revertedImport } from '../matrix/ask.ts';
import { ASKED, type Cell, cells, TOKEN_CLASSES } from '../matrix/matrix.ts';
import { ADMIN_OF_OWN, validToken } from '../matrix/token-class.ts';
import { routeOf } from '../support/target.ts';
import { createService, type Service } from '../support/world.ts';

let world: Service;
let known: Known;
const all = cells();

beforeAll(async () => {
  world = await createService();
  known = await revertedImport(world, () => world.deliver());
});

const named = ({ route, tokenClass, carrier, company }: Cell, fault: string) =>
  `${route.name}, ${tokenClass.name} (${carrier}), company ${JSON.stringify(company?.slice(0, 20))}: ${fault}`;

describe('the matrix', () => {
  it('the matrix is as large as promised', () => {
    expect(TOKEN_CLASSES.length).toBeGreaterThanOrEqual(32);
    expect(new Set(TOKEN_CLASSES.map(({ name }) => name)).size).toBe(TOKEN_CLASSES.length);
    expect(all.length).toBeGreaterThanOrEqual(1500);
    expect(new Set(all.map(({ route }) => route.name)).size).toBe(ASKED.length);
    const passed = all.filter(({ expected }) => expected === 'passed').length;
    expect(passed).toBeGreaterThan(ASKED.length);
  });

  it.each(ASKED.map(({ name }) => name))(
    '%s returns the expected response in every cell, and a refusal writes nothing',
    async (name) => {
      const faults: string[] = [];
      for (const cell of all.filter(({ route }) => route.name === name)) {
        const { expected, route } = cell;
        const answered = await withoutWriting(cell);
        faults.push(...faultsOf(route, answered, expected).map((fault) => named(cell, fault)));
      }
      expect(faults).toEqual([]);
      expect(world.guard.violations).toEqual([]);
    },
  );
});

/** Sends the request of a cell, and fails if a refused call wrote anything or touched another company. */
async function withoutWriting(cell: Cell) {
  const { route, expected, carrier } = cell;
  const prepared = await prepare(cell);
  const before = world.writes.count;
  const answered = await prepared();
  world.guard.release();
  const wrote = world.writes.count - before;
  // A refresh token that is not the current one ends its session.
  const mayWrite = expected.startsWith('passed') || carrier === 'body';
  if (!mayWrite && wrote > 0)
    throw new Error(named(cell, `${wrote} writes by a call that was refused by ${route.name}`));
  return answered;
}

/** Makes the token first, because only that may write. */
async function prepare(cell: Cell) {
  const made = await cell.tokenClass.make(world, cell.carrier === 'header' ? 'access' : 'refresh');
  const fixed: Cell = { ...cell, tokenClass: { ...cell.tokenClass, make: async () => made } };
  const { outcome } = cell.tokenClass;
  if (cell.route.access === 'migration' && typeof outcome === 'object') {
    const { sid } = decodeJwt(made?.replace(/^bearer /i, '') ?? '');
    world.guard.watch(outcome.company_id, String(sid));
  }
  return () => ask(world, fixed, known);
}

it('a response to a caller of another company does not reveal whether the company exists', async () => {
  const refused = await Promise.all(
    ['globex', 'dormant', 'nowhere', 'ACME'].map(async (company) => {
      const headers = { authorization: `Bearer ${await validToken(world, 'access')}` };
      return (await world.send({ route: routeOf('list-courses'), path: { company_id: company }, headers })).text;
    }),
  );
  expect(new Set(refused).size).toBe(1);
  expect(refused[0]).not.toContain(ADMIN_OF_OWN.email);
});
