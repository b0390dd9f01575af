/** Size of an item as DynamoDB counts it, from the attribute values on the wire, not from JavaScript values. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';

export type StoredItem = Readonly<Record<string, AttributeValue>>;

const COLLECTION_OVERHEAD = 3;
const ELEMENT_OVERHEAD = 1;

/** UTF-8 bytes of the names plus bytes of the values; 0 for an absent item. */
export function itemBytes(item: StoredItem | undefined): number {
  return Object.entries(item ?? {}).reduce((sum, [name, value]) => sum + textBytes(name) + valueBytes(value), 0);
}

/** The same, of an item as the document client hands it out. */
export function marshalledBytes(item: Readonly<Record<string, unknown>> | undefined): number {
  return itemBytes(item && marshall(item, { removeUndefinedValues: true }));
}

function valueBytes(value: AttributeValue): number {
  if (value.S !== undefined) return textBytes(value.S);
  if (value.N !== undefined) return numberBytes(value.N);
  if (value.B !== undefined) return value.B.byteLength;
  if (value.L !== undefined)
    return value.L.reduce((sum, element) => sum + ELEMENT_OVERHEAD + valueBytes(element), COLLECTION_OVERHEAD);
  if (value.M !== undefined)
    return Object.entries(value.M).reduce(
      (sum, [name, member]) => sum + ELEMENT_OVERHEAD + textBytes(name) + valueBytes(member),
      COLLECTION_OVERHEAD,
    );
  if (value.SS !== undefined) return value.SS.reduce((sum, text) => sum + textBytes(text), 0);
  return 1; // true, false and null
}

/** One byte for every two significant digits, one more, and one for a sign. */
function numberBytes(text: string): number {
  const digits = text.replace(/^-/, '').replace(/e.*$/i, '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '');
  return Math.ceil(digits.length / 2) + 1 + (text.startsWith('-') ? 1 : 0);
}

function textBytes(text: string): number {
  return Buffer.byteLength(text);
}
