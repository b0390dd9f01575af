/** Sizes as DynamoDB's documentation gives them. Milliseconds. */
import { describe, expect, it } from 'vitest';
import { itemBytes } from '../../functions/dynamodb/items.ts';

describe('the size of an item', () => {
  it.each([
    ['text: its UTF-8 bytes', 'é😀', 6],
    ['a half surrogate pair: the three bytes it is sent as', '\ud800', 3],
    ['zero', 0, 2],
    ['a number: a byte for two digits, and one', 12_345, 4],
    ['trailing zeros do not count', 1_200_000, 2],
    ['a fraction', 66.67, 3],
    ['a negative number: one more', -7, 3],
    ['true', true, 1],
    ['null', null, 1],
    ['binary', new Uint8Array(10), 10],
    ['a list: three, and one for each element', ['ab', 1], 3 + 1 + 2 + 1 + 2],
    ['a map: three, its names, and one for each member', { abc: 'd' }, 3 + 1 + 3 + 1],
  ])('itemBytes: %s', (_, value, bytes) => {
    expect(itemBytes({ name: value })).toBe('name'.length + bytes);
  });

  it('itemBytes: an item → the sum over its attributes', () => {
    expect(itemBytes({ pk: 'a', sk: 'bc' })).toBe(2 + 1 + 2 + 2);
  });
});
