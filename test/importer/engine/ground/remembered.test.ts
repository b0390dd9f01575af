/** A function that keeps its results. Costs milliseconds. */
import { expect, it } from 'vitest';
import { remembered } from '../../../../bin/importer/engine/ground/remembered.ts';

it('remembered: the same text again → the first result, also `undefined`, as far as results are kept', () => {
  const asked: string[] = [];
  const of = remembered((text) => (asked.push(text), text === 'a' ? undefined : text.length), 1);
  expect(['a', 'a', 'bb', 'bb'].map(of)).toEqual([undefined, undefined, 2, 2]);
  expect(asked).toEqual(['a', 'bb', 'bb']);
});
