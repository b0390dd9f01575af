/**
 * `npm run test:driven`: behaviours that TLC draws from the specification are led through the real handlers and stores. After each
 * action the table must be in the state of the specification. `-- --pairs` takes the possible pairs of adjacent actions that are left
 * also where there are fewer behaviours than 10,000.
 */
import { parseArgs } from 'node:util';
import { printActions } from '../actions.ts';
import type { DrivenInstance } from '../configuration.ts';
import { hasTlc, tlcJar } from '../tlc.ts';
import { draw, type Step } from './behaviours.ts';
import { follow } from './driver.ts';
import { ACTIONS, Pairs } from './pairs.ts';

const { values } = parseArgs({
  options: {
    behaviours: { type: 'string', default: '250' },
    from: { type: 'string', default: '1' },
    pairs: { type: 'boolean' },
  },
});

const ALL = ['A', 'B', 'C'];
const EVERY = ['revert A', 'revert B', 'revert C', 'run BC'];
const NONE = { imports: ALL, reverts: [], cancellable: [], abandonable: [] } as const;

/** What happens together in them; the rare actions are frequent in one of them each. */
const INSTANCES: readonly DrivenInstance[] = [
  { ...NONE, cancellable: ['A', 'B'], abandonable: ['B'], faults: 3, kinds: ['Kills', 'Doubles', 'Losses', 'Remaps'] },
  { ...NONE, abandonable: ['B', 'C'], faults: 3, kinds: ['Kills', 'Losses'] },
  { ...NONE, reverts: ['revert A', 'revert B'], isSame: true, faults: 2, kinds: ['Kills'] },
  { ...NONE, reverts: EVERY, faults: 3, kinds: ['Kills', 'Doubles'] },
  {
    ...NONE,
    reverts: EVERY,
    cancellable: ['A', 'B'],
    abandonable: ['B'],
    isSame: true,
    faults: 3,
    kinds: ['Kills', 'Doubles', 'Losses'],
  },
  {
    ...NONE,
    isErased: true,
    isSame: true,
    cancellable: ['A'],
    abandonable: ['B'],
    faults: 1,
    kinds: ['Kills', 'Doubles'],
  },
  { ...NONE, isErased: true, reverts: EVERY, faults: 2, kinds: ['Kills', 'Losses'] },
];
const AT_ONCE = 50;
/** So many behaviours must have every action, and every pair of adjacent actions that is possible in one of their states. */
const ENOUGH = 10_000;
const TOLD_EVERY = 500;

/** Prints where the table differs; returns whether it never does. */
async function isFollowed(behaviour: readonly Step[], where: string): Promise<boolean> {
  const found = await follow(behaviour);
  if (found === undefined) return true;
  const path = behaviour.slice(0, found.at + 1).map(({ did }) => did.join(' '));
  console.log(`${where} differs after ${path.length} actions: ${path.join(', ')}\n${found.lines.join('\n')}`);
  return false;
}

async function main(jar: string, wanted: number, from: number): Promise<boolean> {
  const pairs = new Pairs();
  let [differing, taken] = [0, 0];
  const drive = async (all: readonly Step[][], where: string): Promise<void> => {
    for (const [at, behaviour] of all.entries()) {
      pairs.saw(behaviour);
      taken += behaviour.length;
      if (!(await isFollowed(behaviour, `${where}, behaviour ${at}`))) differing += 1;
    }
  };
  const tell = (what: string): void =>
    console.log(
      `${what}: ${taken} actions, ${pairs.seen} of ${pairs.all} possible pairs of adjacent actions, ${differing} behaviours differ`,
    );

  for (let done = 0, seed = from; done < wanted; done += AT_ONCE, seed += 1) {
    const instance = INSTANCES[seed % INSTANCES.length] as DrivenInstance;
    const count = Math.min(AT_ONCE, wanted - done);
    const { behaviours, others } = await draw(jar, { instance, seed, count, known: pairs.possible });
    for (const other of others) pairs.found(other);
    await drive(behaviours, `Seed ${seed}`);
    if ((done + count) % TOLD_EVERY === 0) tell(`${done + count} behaviours`);
  }
  const isLong = wanted >= ENOUGH || values.pairs === true;
  const others = isLong ? pairs.missing : [];
  await drive(others, 'Of the pairs that were left');
  const hasAll = printActions(pairs.actions, ACTIONS) && pairs.seen === pairs.all;
  tell(`${wanted} behaviours, and ${others.length} for pairs that they left`);
  return differing === 0 && (hasAll || !isLong);
}

if (!hasTlc())
  console.log('Skipped: behaviours are drawn by TLC, which needs Java 11 or newer, and Python 3 to download it.');
else if (!(await main(tlcJar(), Number(values.behaviours), Number(values.from)))) process.exitCode = 1;
