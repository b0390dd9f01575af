/** Digests as an outsider computes them. Costs milliseconds. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { digestOf } from '../../functions/imports/digests.ts';

it('each value is one line of canonical JSON', () => {
  const text = '{"a":[1,"é"],"b":{"10":1,"9":2}}\nnull\n';
  const values = [{ b: { 9: 2, 10: 1 }, a: [1.0, 'é'], left_out: undefined }, null];
  expect(digestOf(values)).toBe(createHash('sha256').update(text).digest('hex'));
});
