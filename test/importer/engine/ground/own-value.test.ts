/** Members by names of a file. Costs milliseconds. */
import { expect, it } from 'vitest';
import { ownValue } from '../../../../bin/importer/engine/ground/own-value.ts';

it.each(['constructor', '__proto__', 'toString'])('a table has no %s that nobody gave it', (name) => {
  expect(ownValue({}, name)).toBeUndefined();
  expect(ownValue(undefined, name)).toBeUndefined();
  expect(ownValue(Object.fromEntries([[name, 1]]), name)).toBe(1);
});
