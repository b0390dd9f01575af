/** What the machine changes in a file of the protocol. Costs milliseconds. */
import { expect, it } from 'vitest';
import { mutantsOf } from './mutants.ts';

const named = (source: string) => mutantsOf('f.ts', source).map(({ name }) => name.replace('f.ts: ', ''));
const texts = (source: string) => mutantsOf('f.ts', source).map(({ text }) => text);

it('a condition of a write is left out, and each part of one', () => {
  expect(texts('update(key, { set, when: allOf(a, b) });')).toEqual([
    'update(key, { set, when: undefined });',
    'update(key, { set, when: allOf(b) });',
    'update(key, { set, when: allOf(a) });',
  ]);
  expect(texts('putItem(database, item, itemIsAbsent);')).toEqual(['putItem(database, item, undefined);']);
});

it('an awaited call is left out, or made after the next one that does not need it', () => {
  expect(named('async () => { await first(); await second(); };')).toEqual([
    'without await first();',
    'after the next: await first();',
    'without await second();',
  ]);
  expect(named('async () => { const one = await first(); await second(one); };')).toEqual([
    'without await second(one);',
  ]);
});

it('a wait is left out', () => {
  expect(texts('const FENCE_MS = 5;')).toEqual(['const FENCE_MS = 0;']);
  expect(texts('at(nowMs + FENCE_MS);')).toEqual(['at(nowMs);']);
  expect(texts('move({ until: afterFence() });')).toEqual(['move({ until: undefined });']);
});

it('a condition of the code holds always or never, and each part of one is left out', () => {
  expect(texts('if (a && b) c();')).toEqual(['if (true) c();', 'if (false) c();', 'if (a) c();', 'if (b) c();']);
});

it('mutants that look the same have names of their own', () => {
  expect(named('async () => { await a(); return b; }; async () => { await a(); };')).toEqual([
    'without await a();',
    'without await a(); (2)',
  ]);
});
