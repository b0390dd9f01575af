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

/** Reads a list of strings that was stored by `packJson`: one attribute, which a condition can compare. */
export const packedTexts: Read<readonly string[]> = (item, name) => {
  const list = unpackJson(item[name]);
  const texts = Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
  if (Array.isArray(list) && texts.length === list.length) return texts;
  throw wrongType(name);
};

/** Reads one of these words. A word of a later release is a fault, not a default. */
export const oneOf = <const Choice extends string>(choices: readonly Choice[]): Read<Choice> =>
  reader((value): value is Choice => choices.some((choice) => choice === value));

/** Reads a value that may be stored as `null`; an absent attribute is still a fault. */
export const nullable =
  <Value>(read: Read<Value>): Read<Value | null> =>
  (item, name) =>
    item[name] === null ? null : read(item, name);

type Reads = Readonly<Record<string, Read<unknown>>>;
type Members<Shape extends Reads> = { readonly [Name in keyof Shape]: ReturnType<Shape[Name]> };

const valuesOf = <Shape extends Reads>(item: Item, shape: Shape, isWanted: (name: string) => boolean) => {
  const wanted = Object.entries(shape).filter(([name]) => isWanted(name));
  return Object.fromEntries(wanted.map(([name, read]) => [name, read(item, name)])) as Members<Shape>;
};

/** These attributes as the members of an object. */
export const members = <Shape extends Reads>(item: Item, shape: Shape): Members<Shape> =>
  valuesOf(item, shape, () => true);

/** Reads the attributes of the shape that the item has. */
export const storedMembers = <Shape extends Reads>(item: Item, shape: Shape): Partial<Members<Shape>> =>
  valuesOf(item, shape, (name) => item[name] !== undefined);
