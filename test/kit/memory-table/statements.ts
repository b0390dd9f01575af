/** The two PartiQL statements that the store writes. */
import type { Attributes, Key } from './memory-table.ts';

export type Statement =
  | { readonly kind: 'insert'; readonly key: Key; readonly item: Attributes }
  | { readonly kind: 'update'; readonly key: Key; readonly set: Attributes };

const INSERT = /^INSERT INTO "[^"]+" VALUE \{(.*)\}$/;
const UPDATE = /^UPDATE "[^"]+" SET (.*) WHERE "pk"=\? AND "sk"=\?$/;
const INSERTED_NAME = /'([^']+)': \?/g;
const SET_NAME = /"([^"]+)"=\?/g;

export function readStatement(text: string, parameters: readonly unknown[]): Statement {
  const insert = INSERT.exec(text);
  if (insert !== null) {
    const item = bound([...(insert[1] ?? '').matchAll(INSERTED_NAME)], parameters);
    return { kind: 'insert', key: keyOf(item), item };
  }
  const update = UPDATE.exec(text);
  if (update === null) throw new Error(`the memory engine cannot read: ${text}`);
  const names = [...(update[1] ?? '').matchAll(SET_NAME)];
  const [pk, sk] = parameters.slice(names.length);
  return { kind: 'update', key: { pk: String(pk), sk: String(sk) }, set: bound(names, parameters) };
}

function bound(names: readonly RegExpExecArray[], parameters: readonly unknown[]): Attributes {
  return Object.fromEntries(names.map(([, name = ''], position) => [name, parameters[position]]));
}

function keyOf({ pk, sk }: Attributes): Key {
  return { pk: String(pk), sk: String(sk) };
}
