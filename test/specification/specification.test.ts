/** What the specification's command reads and writes. TLC itself runs in `npm run test:specification`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { counterexample } from './counterexample.ts';
import { configOf, COVERS } from './configuration.ts';
import { INSTANCES } from './instances.ts';
import { countedConfig, RUN_COUNTS } from './run-counts.ts';
import { read } from './tlc.ts';

const STATES = `Error: Invariant NothingLost is violated.
Error: The behavior up to this point is:
State 1: <Initial predicate>
/\\ db = [ by |-> "none",
  bound |-> ("id" :> "p" @@ "id2" :> "none"),
  plan |-> [A |-> [out |-> "none"], B |-> [out |-> "none"]] ]
/\\ queue = {"A", "B"}

State 2: <ReadChunk line 42, col 25 to line 42, col 68 of module Imports>
/\\ db = [ by |-> "revert A",
  bound |-> ("id" :> "p" @@ "id2" :> "none"),
  plan |-> [A |-> [out |-> "none"], B |-> [out |-> "none"]] ]
/\\ queue = {"B"}

35 states generated, 14,208 distinct states found, 2 states left on queue.
The depth of the complete state graph search is 43.
`;

describe('read', () => {
  it('a counterexample → the property, its length and the distinct states', () => {
    const { outcome, failed, states, depth, trace } = read(STATES);
    expect({ outcome, failed, states, depth, trace }).toEqual({
      outcome: 'fails',
      failed: 'NothingLost',
      states: 14_208,
      depth: 43,
      trace: 2,
    });
  });

  it('a fault of the specification → no outcome', () => {
    expect(read('Error: TLC encountered an unexpected exception.').outcome).toBeUndefined();
  });
});

it('counterexample: each action → the lines that it changes', () => {
  expect(counterexample(STATES).slice(-3)).toEqual([
    '2 ReadChunk',
    '/\\ db = [ by |-> "revert A",',
    '/\\ queue = {"B"}',
  ]);
});

describe('the instances', () => {
  const spoken = readFileSync(join(import.meta.dirname, '../../docs/specification.md'), 'utf8');

  const all = [...INSTANCES, ...COVERS, ...RUN_COUNTS];

  it('have names of their own', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  const none = { name: '', title: '' };
  it.each([
    ['State', 'MaxFaults', configOf(none)],
    ['RunCounts', 'Readers', countedConfig(none)],
  ])('their configuration gives each constant of %s', (module, known, config) => {
    const text = readFileSync(join(import.meta.dirname, `${module}.tla`), 'utf8');
    const [, declared = ''] = /^CONSTANTS\n([\s\S]*?)\nVARIABLES/m.exec(text) ?? [];
    const constants = declared.replaceAll(/\\\*.*/g, '').match(/\w+/g) ?? [];
    expect(constants).toContain(known);
    expect(constants.filter((constant) => !new RegExp(`\\b${constant} (?:=|<-)`).test(config))).toEqual([]);
  });

  it.each(all.flatMap(({ name, fails }) => (fails === undefined ? [] : [{ name, fails }])))(
    'the page lists $name and the property that fails',
    ({ name, fails }) => {
      const row = spoken.split('\n').find((line) => line.includes(`\`${name}\``)) ?? '';
      expect(row).toContain(fails === 'liveness' ? 'Every' : fails);
    },
  );
});
