/** Mutations that keep the structure of a request: one node of the tree changed, taken out, added, moved or repeated. */
import type { Dice } from '../../kit/dice.ts';
import { HOSTILE_VALUES } from '../support/hostile-values.ts';

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

/** Up to some thousands: a batch that was repeated too often already is left at that. */
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

/** As an own member, whatever its name is. */
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
