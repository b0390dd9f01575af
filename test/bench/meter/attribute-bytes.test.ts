/** The bytes of an item by DynamoDB's rules, and the same count by the stores. Costs milliseconds. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itemBytes as storeBytes } from '../../../functions/dynamodb/items.ts';
import { marshalledBytes } from './attribute-bytes.ts';

const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.uint8Array({ maxLength: 9 }));
/** The SDK fails on names such as `constructor` and `__proto__`. No item of the service has names from outside. */
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
  it('the size of an item by the stores equals the bytes of its attribute values on the wire', () => {
    const item = fc.dictionary(name, value, { maxKeys: 5, noNullPrototype: true });
    fc.assert(
      fc.property(item, (each) => {
        expect(marshalledBytes(each)).toBe(storeBytes(each));
      }),
    );
  });

  it('an absent item has no bytes', () => {
    expect(marshalledBytes(undefined)).toBe(0);
  });
});
