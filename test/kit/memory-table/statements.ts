/** The PartiQL statement that the store writes. */
import type { Attributes, Key } from './memory-table.ts';

const INSERT = /^INSERT INTO "[^"]+" VALUE \{(.*)\}$/;
const INSERTED_NAME = /'([^']+)': \?/g;

/** Reads an INSERT: the item, and its key. */
export function readInsert(text: string, parameters: readonly unknown[]): { key: Key; item: Attributes } {
  const insert = INSERT.exec(text);
  if (insert === null) throw new Error(`the memory engine cannot read: ${text}`);
  const names = [...(insert[1] ?? '').matchAll(INSERTED_NAME)];
  const item: Attributes = Object.fromEntries(names.map(([, name = ''], position) => [name, parameters[position]]));
  return { key: { pk: String(item['pk']), sk: String(item['sk']) }, item };
}
