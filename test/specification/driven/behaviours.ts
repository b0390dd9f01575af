/** Random behaviours of the specification, as TLC generates them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DrivenInstance, drivenConfig, setOf } from '../configuration.ts';
import { check } from '../tlc.ts';
import { MEMBERS, type Shown } from './shown.ts';

/** What the record of each chunk says: its learner course, and its content. */
export type Records = Readonly<Record<string, { readonly pair: string; readonly content: number }>>;

/** An action of the specification, and the state that it leads to. */
export interface Step {
  /** Its name, and what tells it from others of this name: the place of an invocation, a chunk, an import. */
  readonly did: readonly [name: string, ...what: (string | number)[]];
  readonly records: Records;
  /** The messages that can be delivered. */
  readonly queue: readonly string[];
  /** The job of each place where an invocation runs. */
  readonly running: ReadonlyMap<number, string>;
  readonly shown: Shown;
}

type Line = readonly (string | number | readonly string[])[];
type State = readonly [
  did: Step['did'],
  records: readonly (readonly [string, string, number])[],
  queue: readonly string[],
  running: readonly (readonly [number, string])[],
  shown: readonly (readonly Line[])[],
];

export interface Draw {
  readonly instance: DrivenInstance;
  readonly seed: number;
  readonly count: number;
  /** The names that are known to be possible after each. */
  readonly known: ReadonlyMap<string, Iterable<string>>;
}

export interface Drawn {
  readonly behaviours: Step[][];
  /** The beginnings of these behaviours, each with another action than was taken then, of a name that is not known there. */
  readonly others: Step[][];
}

const DRIVEN = readFileSync(join(import.meta.dirname, 'Driven.tla'), 'utf8');
const DEPTH = 140;

/** @param jar TLC */
export async function draw(jar: string, { instance, seed, count, known }: Draw): Promise<Drawn> {
  const after = [...known].map(([name, names]) => `${name} |-> ${setOf([...names])}`).join(', ');
  const modules = { Driven: DRIVEN, Known: `---- MODULE Known ----\nKnownAfter == [${after}]\n====` };
  const random = { seed, count, depth: DEPTH };
  const { output } = await check(jar, { module: 'Driven', config: drivenConfig(instance), modules, random });
  if (output.includes('Error:'))
    throw new Error(output.slice(output.indexOf('Error:'), output.indexOf('Error:') + 2_000));
  return drawnIn(output);
}

/** Each state is printed when TLC looks for the next one, and then those that are not known: one of each name after a name is taken. */
function drawnIn(output: string): Drawn {
  const behaviours: Step[][] = [];
  const others = new Map<string, Step[]>();
  for (const text of valuesIn(output)) {
    const current = behaviours.at(-1) ?? [];
    const pair = OTHER.exec(text)
      ?.slice(1)
      .join(` ${current.at(-1)?.did[0]} `);
    if (pair === undefined) {
      const step = stepOf(parsed(text) as State);
      if (step.did[0] === 'Init') behaviours.push([]);
      else current.push(step);
    } else if (!others.has(pair)) {
      const [, state] = parsed(text) as ['or', State];
      others.set(pair, [...current, stepOf(state)]);
    }
  }
  return { behaviours, others: [...others.values()] };
}

const OTHER = /^<<\s*("or"),\s*<<\s*<<\s*"(\w+)"/;

/** The printed values, each over some lines. */
function valuesIn(output: string): string[] {
  const lines = output.split('\n').filter((line) => /^(<<| )/.test(line));
  return lines
    .join('\n')
    .split(/^(?=<<)/m)
    .filter(Boolean);
}

/** In the words of JSON. */
const parsed = (value: string): unknown =>
  JSON.parse(
    value
      .replaceAll(/<<|\{/g, '[')
      .replaceAll(/>>|\}/g, ']')
      .replaceAll(/\bw(\d)\b/g, '$1'),
  );

function stepOf([did, records, queue, running, shown]: State): Step {
  const textOf = (line: Line) => line.map((each) => (typeof each === 'object' ? each.join(', ') : each)).join(' ');
  return {
    did,
    records: Object.fromEntries(records.map(([c, pair, content]) => [c, { pair, content }])),
    queue,
    running: new Map(running),
    shown: Object.fromEntries(MEMBERS.map((member, at) => [member, (shown[at] ?? []).map(textOf).toSorted()])),
  };
}
