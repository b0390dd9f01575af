/**
 * Checks that what concurrent clients see is one order: `npm run test:linearizability`. For each learner and course, Porcupine looks
 * for an order of the imports, reverts and reads; of an import, a later poll never says less. Skips where Go is missing.
 *
 *   --histories N   how many in the simulator; 1,000 without it
 *   --from SEED     the first seed
 *   --planted       of services that are wrong instead, each until it is found
 *   --stack N       N histories on the local stack beside them, on its usual engine, and N on DynamoDB Local where Java is
 */
import { parseArgs } from 'node:util';
import type { Variant } from '../simulation/stack.ts';
import { builtChecker, hasGo, notLinearizable } from './checker.ts';
import { goingBack, type ClientHistory } from './clients.ts';
import { PLANTED } from './planted.ts';
import { simulatedHistory } from './simulated.ts';

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '1000' },
    from: { type: 'string', default: '0' },
    planted: { type: 'boolean', default: false },
    stack: { type: 'string', default: '0' },
  },
});
const [first, wanted, onStack] = [Number(values.from), Number(values.histories), Number(values.stack)];
const AT_ONCE = 100;

interface Found {
  /** Positions of the histories with reads that are in no order, and of those with polls that go back. */
  readonly reads: readonly number[];
  readonly polls: readonly number[];
}

function check(program: string, histories: readonly ClientHistory[]): Found {
  const parts = histories.flatMap(({ byPair }, position) => byPair.map((operations) => ({ position, operations })));
  const bad = notLinearizable(
    program,
    parts.map(({ operations }) => operations),
  );
  return {
    reads: bad.map((part) => parts[part]?.position ?? -1),
    polls: histories.flatMap(({ polls }, position) => (goingBack(polls).length > 0 ? [position] : [])),
  };
}

/** Prints and returns whether all is as it should be. */
function isOneOrder(program: string, name: string, histories: readonly ClientHistory[], from: number): boolean {
  const { reads, polls } = check(program, histories);
  const sum = (of: (history: ClientHistory) => number) => histories.reduce((total, history) => total + of(history), 0);
  const kinds = Map.groupBy(
    histories.flatMap(({ byPair }) => byPair.flat()),
    ({ kind }) => kind,
  );
  const counted = [...kinds].map(([kind, all]) => `${all.length} ${kind}s`).join(', ');
  const requests = histories.map((history) => history.requests);
  console.log(
    `${name}: ${histories.length} histories of ${Math.min(...requests)} to ${Math.max(...requests)} requests, ` +
      `${counted}, ${sum((history) => history.polls.length)} polls; ${reads.length + polls.length} not in one order`,
  );
  for (const position of new Set([...reads, ...polls])) console.log(`  seed ${from + position}`);
  return reads.length + polls.length === 0 && kinds.has('import');
}

async function simulated(from: number, to: number, variant?: Variant): Promise<ClientHistory[]> {
  const histories: ClientHistory[] = [];
  for (let seed = from; seed < to; seed += 1) histories.push(await simulatedHistory(seed, variant));
  return histories;
}

async function planted(program: string): Promise<boolean> {
  const missed: string[] = [];
  for (const kind of ['reads', 'polls'] as const) {
    for (const [name, variant] of Object.entries(PLANTED[kind])) {
      const { [kind]: found } = check(program, await simulated(0, AT_ONCE, variant));
      console.log(`${name}: found in ${new Set(found).size} of ${AT_ONCE} histories`);
      if (found.length === 0) missed.push(name);
    }
  }
  return missed.length === 0;
}

async function all(program: string): Promise<boolean> {
  const histories = await simulated(first, first + wanted);
  let isGood = wanted === 0 || isOneOrder(program, 'the simulator', histories, first);
  if (onStack === 0) return isGood;
  const { stackHistories } = await import('./over-http.ts');
  for await (const { engine, found } of stackHistories(first, onStack))
    isGood = isOneOrder(program, engine, found, first) && isGood;
  return isGood;
}

if (!hasGo()) {
  console.log('Skipped: what clients see is checked by Porcupine, which needs Go 1.22 or newer.');
} else if (!(await (values.planted ? planted : all)(builtChecker()))) {
  process.exitCode = 1;
}
