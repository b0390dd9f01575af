/** Reads attributes of stored items, each as the type that it was stored with. Anything else is a fault of the service. */
import type { Item } from './client.ts';
import { unpackJson } from './encoding.ts';
import { isObject } from '../records/json.ts';

/** Reads one attribute. @throws Error that names the attribute, and never its value */
export type Read<Value> = (item: Item, name: string) => Value;

const reader =
  <Value>(isValue: (value: unknown) => value is Value): Read<Value> =>
  (item, name) => {
    const value = item[name];
    if (isValue(value)) return value;
    throw wrongType(name);
  };

const wrongType = (name: string) => new Error(`The attribute ${name} of a stored item is missing or has another type.`);

export const text = reader((value) => typeof value === 'string');
export const number = reader((value) => typeof value === 'number');
export const flag = reader((value) => typeof value === 'boolean');

export const map: Read<Item> = reader(isObject);
export const maps: Read<readonly Item[]> = reader((value) => Array.isArray(value) && value.every(isObject));

export const packedTexts: Read<readonly string[]> = (item, name) => {
  const list = unpackJson(item[name]);
  const texts = Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
  if (Array.isArray(list) && texts.length === list.length) return texts;
  throw wrongType(name);
};

export const oneOf = <Choice extends string>(choices: readonly Choice[]): Read<Choice> =>
  reader((value): value is Choice => choices.some((choice) => choice === value));

export const nullable =
  <Value>(read: Read<Value>): Read<Value | null> =>
  (item, name) =>
    item[name] === null ? null : read(item, name);

/** The attribute as a member of an object: `{ due_at: '…' }`, or `{}` if the item does not have it. */
export function ifStored<Name extends string, Value>(
  item: Item,
  name: Name,
  read: Read<Value>,
): { readonly [Each in Name]?: Value } {
  return item[name] === undefined ? {} : memberOf(name, read(item, name));
}

function memberOf<Name extends string, Value>(name: Name, value: Value): { readonly [Each in Name]?: Value } {
  const member: { [Each in Name]?: Value } = {};
  member[name] = value;
  return member;
}
