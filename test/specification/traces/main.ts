/**
 * TLC must accept histories of the code step by step: `npm run test:traces`. A seed is a history. Skips without Java, fails there in CI.
 *
 *   --histories N   how many; 3,000 without it
 *   --from SEED     the first seed
 *   --variants      histories of the simulator's broken variants instead, each until one is rejected
 *   --only TEXT     of the variants, those whose name has this text
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { skipped } from '../../kit/skipped.ts';
import type { Variant } from '../../simulation/stack.ts';
import { check, hasTlc, tlcJar } from '../tlc.ts';
import { actionsBeside, everyAction, printActions } from '../actions.ts';
import { counterexample } from '../counterexample.ts';
import { TRACE_PLACES, tracesConfigOf } from '../configuration.ts';
import { historyOf, plannedIn, type TracedHistory } from './histories.ts';
import { TRACED_VARIANTS } from './variants.ts';
import { PLAN } from './plan-recorder.ts';
import { ERASURE } from './spoken-state.ts';

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '3000' },
    from: { type: 'string', default: '0' },
    variants: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
/** More take much longer: the search for the next event of a history takes longer with each one. */
const AT_ONCE = 100;
const textOf = (name: string): string => readFileSync(join(import.meta.dirname, `${name}.tla`), 'utf8');
const MODULES = { Traces: textOf('Traces'), Surroundings: textOf('Surroundings') };

function tla(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (Array.isArray(value)) return `{${value.map(tla).join(', ')}}`;
  // Places of invocations are model values.
  if (typeof value === 'string') return TRACE_PLACES.includes(value) ? value : `"${value}"`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `[${Object.entries(value)
    .map(([name, member]) => `${name} |-> ${tla(member)}`)
    .join(', ')}]`;
}

function dataOf(histories: readonly TracedHistory[]): string {
  const text = histories.map(
    ({ seed, records, events }) =>
      `[seed |-> ${seed}, records |-> ${tla(records)}, events |-> <<\n${events.map(tla).join(',\n')}>>]`,
  );
  const named = new Set(
    histories.flatMap(({ events }) =>
      events.flatMap(({ r }) => (typeof r === 'string' && r !== ERASURE && r !== PLAN ? [r] : [])),
    ),
  );
  const reverts = [...named].map((name) => {
    const imports = Array.from(name.slice(name.indexOf(' ') + 1), (each) => tla(each));
    return `[name |-> ${tla(name)}, ofRun |-> ${tla(name.startsWith('run '))}, imports |-> <<${imports.join(', ')}>>]`;
  });
  return [
    '---- MODULE TraceData ----',
    `CONSTANTS ${TRACE_PLACES.join(', ')}`,
    `HistoryReverts == <<${reverts.join(', ')}>>`,
    `Histories == <<\n${text.join(',\n')}\n>>`,
    '====\n',
  ].join('\n');
}

interface Accepted {
  /** The seed, and the event that is no step of the specification; `undefined` if all are accepted. */
  readonly rejected: string | undefined;
  readonly output: string;
}

function rejectedEvent(histories: readonly TracedHistory[], output: string): string {
  const last = (name: string) =>
    Number([...output.matchAll(new RegExp(`^/\\\\ ${name} = (\\d+)`, 'gm'))].at(-1)?.[1] ?? 0);
  const { seed, events } = histories[last('trace') - 1] ?? { seed: -1, events: [] };
  return `seed ${seed}, event ${last('step')}: ${JSON.stringify(events[last('step') - 1])}`;
}

const counts = new Map<string, number>();

/** Those in which a plan is applied have constants of their own. */
async function accepted(jar: string, from: number, to: number, variant?: Variant): Promise<Accepted> {
  const histories: TracedHistory[] = [];
  for (let seed = from; seed < to; seed += 1) histories.push(await historyOf(seed, variant));
  const ofPlan = Map.groupBy(histories, ({ seed }) => plannedIn(seed).join(''));
  for (const [planned, those] of ofPlan) {
    const each = await acceptedUnder(tracesConfigOf(planned), jar, those);
    if (each.rejected !== undefined) return each;
  }
  return { rejected: undefined, output: '' };
}

async function acceptedUnder(config: string, jar: string, histories: readonly TracedHistory[]): Promise<Accepted> {
  const modules = { ...MODULES, TraceData: dataOf(histories) };
  const { outcome, output, seconds, states } = await check(jar, {
    module: 'Traces',
    config,
    modules,
    findsDeadlocks: true,
  });
  // Anything but a deadlock is a fault of the specification, not of a history.
  if (outcome !== 'holds' && !output.includes('Deadlock reached')) throw new Error(output);
  const seeds = histories.map(({ seed }) => seed);
  const of = `${seeds.length} histories from ${Math.min(...seeds)} to ${Math.max(...seeds)}`;
  console.log(`${of}: ${states} states, ${seconds.toFixed(0)} s, ${outcome === 'holds' ? 'accepted' : 'REJECTED'}`);
  for (const { a } of histories.flatMap(({ events }) => events)) counts.set(a, (counts.get(a) ?? 0) + 1);
  return { rejected: outcome === 'holds' ? undefined : rejectedEvent(histories, output), output };
}

const explained = (output: string): string =>
  [/Error:[^]*?(?=State 1:|$)/.exec(output)?.[0] ?? '', ...counterexample(output)].join('\n');

async function checkHistories(jar: string, first: number, wanted: number): Promise<boolean> {
  for (let from = first; from < first + wanted; from += AT_ONCE) {
    const { rejected, output } = await accepted(jar, from, Math.min(from + AT_ONCE, first + wanted));
    if (rejected === undefined) continue;
    console.log(`${explained(output)}\n${rejected}`);
    return false;
  }
  const wantedActions = [...everyAction(), ...actionsBeside()].filter((action) => !UNSEEN.has(action));
  return printActions(counts, wantedActions) || wanted < ENOUGH;
}

/** So many histories must contain every action. */
const ENOUGH = 1_000;

/** Of plans: what no history has. Nobody approves or withdraws one, and nobody is erased beside it. */
const OF_PLANS = ['Approve', 'Withdraw', 'EraseReport', 'Recourse'];
/** No history archives. */
const OF_ARCHIVE = ['Archive', 'RemoveArchived', 'EraseArchive', 'CopyKept'];
/** Not calls of an invocation: what happens to messages. `Traces.tla` adds the first three. */
const MESSAGES = ['Kill', 'Double', 'WaitAgain', 'Lose', 'WatchChunk', 'WatchEarly'];
const UNSEEN = new Set([...MESSAGES, ...OF_PLANS, ...OF_ARCHIVE]);

const TRIED = 1_000;
const AT_A_TIME = 50;

/** The event of the broken variant that is no step of the specification; `undefined` if all are accepted. */
async function rejectedIn(jar: string, variant: Variant): Promise<string | undefined> {
  for (let from = 0; from < TRIED; from += AT_A_TIME) {
    const { rejected } = await accepted(jar, from, from + AT_A_TIME, variant);
    if (rejected !== undefined) return rejected;
  }
  return undefined;
}

async function checkVariants(jar: string): Promise<boolean> {
  const chosen = TRACED_VARIANTS.filter(([name]) => name.includes(values.only));
  let rejected = 0;
  for (const [name, variant] of chosen) {
    const event = await rejectedIn(jar, variant);
    console.log(`${name}: ${event ?? 'ACCEPTED'}`);
    rejected += Number(event !== undefined);
  }
  console.log(`${rejected} of ${chosen.length} broken variants rejected`);
  return rejected === chosen.length;
}

if (!hasTlc()) {
  skipped('Histories are checked by TLC, which needs Java 11 or newer, and Python 3 to download it.');
} else {
  const jar = tlcJar();
  const histories = () => checkHistories(jar, Number(values.from), Number(values.histories));
  if (!(await (values.variants ? checkVariants(jar) : histories()))) process.exitCode = 1;
}
