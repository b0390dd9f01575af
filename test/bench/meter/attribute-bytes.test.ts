/** How many bytes an item has by DynamoDB's rules, and that the stores count alike. Costs milliseconds. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itemBytes as storeBytes } from '../../../functions/dynamodb/items.ts';
import { marshalledBytes } from './attribute-bytes.ts';

const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.uint8Array({ maxLength: 9 }));
/** The SDK stumbles over names such as `constructor` and `__proto__`. No item of ours holds names from outside. */
const name = fc.string().map((text) => `n${text}`);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(name, tie('any'), { maxKeys: 3 }),
  ),
})).any;

describe('the size of an item', () => {
  it('is what the store reckons, counted anew from what goes over the wire', () => {
    const item = fc.dictionary(name, value, { maxKeys: 5, noNullPrototype: true });
    fc.assert(
      fc.property(item, (each) => {
        expect(marshalledBytes(each)).toBe(storeBytes(each));
      }),
    );
  });

  it('of nothing is nothing', () => {
    expect(marshalledBytes(undefined)).toBe(0);
  });
});
