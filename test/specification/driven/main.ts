/**
 * `npm run test:driven`: behaviours that TLC draws from the specification are led through the real handlers and stores. After each
 * action the table must be in the state of the specification.
 */
import { parseArgs } from 'node:util';
import { everyAction, printActions } from '../actions.ts';
import type { DrivenInstance } from '../configuration.ts';
import { hasTlc, tlcJar } from '../tlc.ts';
import { behaviours, type Step } from './behaviours.ts';
import { follow } from './driver.ts';

const { values } = parseArgs({
  options: { behaviours: { type: 'string', default: '250' }, from: { type: 'string', default: '1' } },
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
const DEPTH = 140;
const AT_ONCE = 50;
/** So many behaviours must have every action. */
const ENOUGH = 5_000;

const actions = new Map<string, number>();
const pairs = new Set<string>();

function count(behaviour: readonly Step[]): void {
  const names = behaviour.map(({ did: [name] }) => name);
  for (const name of names) actions.set(name, (actions.get(name) ?? 0) + 1);
  for (const [at, name] of names.slice(1).entries()) pairs.add(`${names[at]} ${name}`);
}

/** Prints where the table differs; returns whether it never does. */
async function isFollowed(behaviour: readonly Step[], where: string): Promise<boolean> {
  const found = await follow(behaviour);
  if (found === undefined) return true;
  const path = behaviour.slice(0, found.at + 1).map(({ did }) => did.join(' '));
  console.log(`${where} differs after ${path.length} actions: ${path.join(', ')}\n${found.lines.join('\n')}`);
  return false;
}

async function main(jar: string, wanted: number, from: number): Promise<boolean> {
  let differing = 0;
  for (let done = 0, seed = from; done < wanted; done += AT_ONCE, seed += 1) {
    const instance = INSTANCES[seed % INSTANCES.length] as DrivenInstance;
    const drawn = await behaviours(jar, instance, { seed, count: Math.min(AT_ONCE, wanted - done), depth: DEPTH });
    for (const [at, behaviour] of drawn.entries()) {
      count(behaviour);
      if (!(await isFollowed(behaviour, `Seed ${seed}, behaviour ${at}`))) differing += 1;
    }
  }
  const isComplete = printActions(actions, everyAction()) || wanted < ENOUGH;
  const steps = [...actions.values()].reduce((sum, times) => sum + times, 0);
  console.log(
    `${wanted} behaviours, ${steps} actions, ${pairs.size} pairs of adjacent actions: ${differing} behaviours differ`,
  );
  return differing === 0 && isComplete;
}

if (!hasTlc())
  console.log('Skipped: behaviours are drawn by TLC, which needs Java 11 or newer, and Python 3 to download it.');
else if (!(await main(tlcJar(), Number(values.behaviours), Number(values.from)))) process.exitCode = 1;
