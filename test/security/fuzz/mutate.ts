/** Mutations of a request: a node of its tree changed, removed, added, moved or repeated; or text and bytes broken. */
import { gzipSync } from 'node:zlib';
import type { Dice } from '../../kit/dice.ts';
import { HOSTILE_VALUES, HOSTILE_NUMERALS } from '../support/hostile-values.ts';

type Container = Record<string, unknown> | unknown[];
type Place = readonly [container: Container, name: string];

const MEMBERS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'extra',
  'classes',
  'user',
  'records',
  '',
  '\0',
  'ключ',
];
const TOO_MANY = [101, 501, 1000];
const MOST_PLACES = 5000;

/** A copy of the value with one to three mutations. */
export function mutatedValue(value: unknown, dice: Dice): unknown {
  const root = { value: structuredClone(value) };
  for (let left = 1 + dice.below(3); left > 0; left -= 1) {
    const places = placesIn(root);
    if (places.length > 0) dice.pick(MUTATIONS)(dice.pick(places), dice, places);
  }
  return root.value;
}

/** The places of the tree, some thousands at most, because mutations may have repeated a batch many times. */
function placesIn(root: Container): Place[] {
  const found: Place[] = [];
  const open: Container[] = [root];
  for (let container = open.pop(); container !== undefined && found.length < MOST_PLACES; container = open.pop()) {
    for (const name of Object.keys(container)) {
      found.push([container, name]);
      const value: unknown = (container as Record<string, unknown>)[name];
      if (typeof value === 'object' && value !== null) open.push(value as Container);
    }
  }
  return found;
}

type Mutation = (place: Place, dice: Dice, places: readonly Place[]) => void;

const MUTATIONS: readonly Mutation[] = [
  (place, dice) => put(place, dice.pick(HOSTILE_VALUES)),
  (place, dice) => put(place, dice.pick(HOSTILE_VALUES)),
  ([container, name]) => void (Array.isArray(container) ? container.splice(Number(name), 1) : delete container[name]),
  ([container], dice) => define(container, dice.pick(MEMBERS), dice.pick(HOSTILE_VALUES)),
  ([container], dice) =>
    void (Array.isArray(container) && container.push(structuredClone(dice.pick(container.concat(null))))),
  (place, dice, places) => put(place, structuredClone(valueAt(dice.pick(places)))),
  (place) => put(place, [valueAt(place)]),
  (place) => put(place, { value: valueAt(place) }),
  (place) => put(place, JSON.stringify(valueAt(place))),
  (place) => put(place, Number.parseFloat(JSON.stringify(valueAt(place)).replaceAll('"', ''))),
  (place, dice) => put(place, nested(dice.pick([5, 31, 33, 200]))),
  (place, dice, places) => {
    if (places.length < 500 && dice.oneIn(20))
      put(
        place,
        Array.from({ length: dice.pick(TOO_MANY) }, () => structuredClone(valueAt(place))),
      );
  },
];

const valueAt = ([container, name]: Place): unknown => (container as Record<string, unknown>)[name];
const put = ([container, name]: Place, value: unknown): void => define(container, name, value);

/** Sets an own member of any name. */
function define(container: Container, name: string, value: unknown): void {
  const own = structuredClone(value);
  if (Array.isArray(container)) container[Number.isNaN(Number(name)) ? container.length : Number(name)] = own;
  else Object.defineProperty(container, name, { value: own, enumerable: true, configurable: true, writable: true });
}

function nested(levels: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

type TextMutation = (text: string, dice: Dice) => string | Uint8Array;

const cut = (text: string, dice: Dice, put: string): string => {
  const at = dice.below(text.length + 1);
  return text.slice(0, at) + put + text.slice(at + dice.below(2));
};

/** Puts a numeral where the text has a number. */
const numeral: TextMutation = (text, dice) => {
  const numbers = [...text.matchAll(/(?<=[:[,])-?\d[\d.]*(?=[,\]}])/g)];
  if (numbers.length === 0) return text;
  const { index, 0: found } = dice.pick(numbers);
  return text.slice(0, index) + dice.pick(HOSTILE_NUMERALS) + text.slice(index + found.length);
};

/** Repeats a member's name, in front of the member or behind it. */
const duplicateKey: TextMutation = (text, dice) => {
  const members = [...text.matchAll(/"(\w+)":/g)];
  if (members.length === 0) return text;
  const { index, 0: name } = dice.pick(members);
  return `${text.slice(0, index)}${name}${dice.pick(['null', '1', '"x"', '[]', '{}', '{"__proto__":1}'])},${text.slice(index)}`;
};

const COMMON: readonly TextMutation[] = [
  numeral,
  numeral,
  duplicateKey,
  duplicateKey,
  (text, dice) => cut(text, dice, ''),
  (text, dice) => cut(text, dice, String.fromCharCode(dice.below(128))),
  (text, dice) =>
    cut(text, dice, dice.pick(['\\ud800', '\\u0000', '\u202e', '\u0301', '\\', '"', '}', ']', ',', '\\u005f_proto__'])),
  (text, dice) => text.slice(0, dice.below(text.length)),
  (text) => `\ufeff${text}`,
  (text) => `${text} `,
  (text) => `${text}${text}`,
  (text) => `[${text}]`,
  (text) => `/* */${text}`,
  (text) => text.replaceAll('"', "'"),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => gzipSync(text),
  (text, dice) => {
    const bytes = Buffer.from(text);
    bytes[dice.below(bytes.length)] = 128 + dice.below(128);
    return bytes;
  },
  (text) => Buffer.from(text),
  () => '',
  () => 'null',
  () => '"text"',
  () => '[]',
  () => '{}',
  () => 'NaN',
];

const HEAVY: readonly TextMutation[] = [
  () => '['.repeat(20_000),
  () => `{"a":`.repeat(20_000),
  () => `{"records":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  () => `{"records":[${'{},'.repeat(60_000)}{}]}`,
  () => `{"dry_run":true,"records":[{"external_record_id":"${'x'.repeat(100_000)}"}]}`,
  () => `{"emails":["${'a'.repeat(6 * 1024 * 1024)}"]}`,
  (text) => text + ' '.repeat(5 * 1024 * 1024),
  () => `{${Array.from({ length: 20_000 }, (_, at) => `"m${at}":${at}`).join(',')}}`,
  () => `{"records":[${'9'.repeat(1_000_000)}],"dry_run":true}`,
  () => `"${'\\u0000'.repeat(100_000)}"`,
];

export function mutatedText(text: string, dice: Dice): string | Uint8Array {
  return dice.oneIn(2000) ? dice.pick(HEAVY)(text, dice) : dice.pick(COMMON)(text, dice);
}

export const heavyTexts = (text: string, dice: Dice) => HEAVY.map((mutation) => mutation(text, dice));
