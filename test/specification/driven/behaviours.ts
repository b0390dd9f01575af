/** Random behaviours of the specification, as TLC generates them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DrivenInstance } from '../configuration.ts';
import { drivenConfig } from '../configuration.ts';
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
type Printed = readonly [
  before: number,
  key: number,
  did: Step['did'],
  records: readonly (readonly [string, string, number])[],
  queue: readonly string[],
  running: readonly (readonly [number, string])[],
  shown: readonly (readonly Line[])[],
];

const DRIVEN = readFileSync(join(import.meta.dirname, 'Driven.tla'), 'utf8');

/** @param jar TLC */
export async function behaviours(
  jar: string,
  instance: DrivenInstance,
  random: { readonly seed: number; readonly count: number; readonly depth: number },
): Promise<Step[][]> {
  const modules = { Driven: DRIVEN };
  const { output } = await check(jar, { module: 'Driven', config: drivenConfig(instance), modules, random });
  if (output.includes('Error:'))
    throw new Error(output.slice(output.indexOf('Error:'), output.indexOf('Error:') + 2_000));
  return behavioursIn(output);
}

/** TLC also prints states beside those that it takes: what it takes is what a later state comes from. */
function behavioursIn(output: string): Step[][] {
  const all: Step[][] = [];
  let siblings = new Map<number, Step>();
  let [current, before]: [Step[], number] = [[], 0];
  for (const printed of printedIn(output)) {
    if (printed[2][0] === 'Init') continue;
    if (printed[0] === 0 && before !== 0) {
      all.push([...current, ...[...siblings.values()].slice(0, 1)]);
      [current, siblings] = [[], new Map()];
    } else if (printed[0] !== before) {
      const taken = siblings.get(printed[0]);
      if (taken === undefined) throw new Error('A state comes from one that was not printed.');
      current.push(taken);
      siblings = new Map();
    }
    before = printed[0];
    siblings.set(printed[1], stepOf(printed));
  }
  return [...all, [...current, ...[...siblings.values()].slice(0, 1)]];
}

/** The printed values, each over some lines, in the words of JSON. */
function printedIn(output: string): Printed[] {
  const lines = output.split('\n').filter((line) => /^(<<| )/.test(line));
  const values = lines.join('\n').split(/^(?=<<)/m);
  return values.map(
    (value) =>
      JSON.parse(
        value
          .replaceAll(/<<|\{/g, '[')
          .replaceAll(/>>|\}/g, ']')
          .replaceAll(/\bw(\d)\b/g, '$1'),
      ) as Printed,
  );
}

function stepOf([, , did, records, queue, running, shown]: Printed): Step {
  const textOf = (line: Line) => line.map((each) => (typeof each === 'object' ? each.join(', ') : each)).join(' ');
  return {
    did,
    records: Object.fromEntries(records.map(([c, pair, content]) => [c, { pair, content }])),
    queue,
    running: new Map(running),
    shown: Object.fromEntries(MEMBERS.map((member, at) => [member, (shown[at] ?? []).map(textOf).toSorted()])),
  };
}
