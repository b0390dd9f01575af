import type { Item } from './database.ts';

const COLLECTION_OVERHEAD = 3;
const ELEMENT_OVERHEAD = 1;

/** Size in bytes of an item as DynamoDB counts it: the UTF-8 names of its attributes and their values. */
export function itemBytes(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + textBytes(name) + valueBytes(value), 0);
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return textBytes(value);
  if (typeof value === 'number') return numberBytes(value);
  if (value instanceof Uint8Array) return value.byteLength;
  if (Array.isArray(value))
    return value.reduce<number>((sum, element) => sum + ELEMENT_OVERHEAD + valueBytes(element), COLLECTION_OVERHEAD);
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    return members.reduce(
      (sum, [name, member]) => sum + ELEMENT_OVERHEAD + textBytes(name) + valueBytes(member),
      COLLECTION_OVERHEAD,
    );
  }
  return 1; // true, false and null
}

/** A byte for every two significant digits, one more, and one for a sign. */
function numberBytes(value: number): number {
  const digits = Math.abs(value).toExponential().split('e')[0]?.replace('.', '').length ?? 1;
  return Math.ceil(digits / 2) + 1 + (value < 0 ? 1 : 0);
}

function textBytes(text: string): number {
  return Buffer.byteLength(text);
}
