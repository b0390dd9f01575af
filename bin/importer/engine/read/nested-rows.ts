/** Rows within the items of a JSON file: the items of an array in each, at any depth. */
import { ownValue } from '../ground/own-value.ts';
import { isObject, type JsonObject } from '../ground/fields.ts';
import { KEY_COLUMN, membersIn, memberText } from '../ground/columns.ts';
import { areAlike, isOfData } from './json-lists.ts';
import type { Row } from './open-source.ts';

/** The name of the member that has what the file says around its list of items. */
const AROUND = '/';

/** An item, with what is around its list: the course of a list of learners. */
export const withAround = ({ value, around }: Pick<Row, 'value' | 'around'>): unknown =>
  around === undefined || !isObject(value) || Array.isArray(value) ? value : { ...value, [AROUND]: around };

export const isOfFile = (path: string): boolean => path.startsWith(`${AROUND}.`);

/** In the path of a list: the members of an object are its items, by their names. */
const MEMBERS = '*';

export const ofMembers = (path: string): string => (path === '' ? MEMBERS : `${path}.${MEMBERS}`);

/** Of an object that is itself a member. */
export const areOfMembers = (path: string): boolean => path.endsWith(`.${MEMBERS}`);

/** The members of an object that are objects, of an item its own. */
const objectsIn = (value: unknown): (readonly [name: string, member: JsonObject])[] =>
  membersIn(value).flatMap(([name, member]) =>
    name !== AROUND && isObject(member) && !Array.isArray(member) ? [[name, member]] : [],
  );

/** The members of an object that has nothing but like objects, by ids, addresses, or other names of data. */
export function itemsByName(value: unknown, isName: (name: string) => boolean): ReturnType<typeof objectsIn> {
  const items = objectsIn(value);
  const first = new Set(Object.keys(items[0]?.[1] ?? {}));
  const isAlone = membersIn(value).every(([name, member]) => isObject(member) || name.startsWith(':'));
  const areLike = items.every(([, item]) => areAlike(new Set(Object.keys(item)), first));
  const named = items.filter(([name]) => isOfData(name) || isName(name));
  return isAlone && areLike && named.length * 2 > items.length ? items : [];
}

/** The item with nothing but one row of its list, for each row, so that a rejected row can be imported again. */
export function* rowsWithin(value: unknown, list: string): Generator {
  const outer: JsonObject = isObject(value) ? value : {};
  const name = memberBefore(outer, list);
  const rest = list.slice(name.length + 1);
  if (name === MEMBERS) {
    yield* memberRows(outer, rest);
    return;
  }
  const member = ownValue(outer, name);
  const isList = Array.isArray(member);
  for (const item of isList ? member : [member]) {
    const inner = rest === '' ? (isList ? [item] : []) : rowsWithin(item, rest);
    for (const row of inner) yield { ...outer, [name]: isList ? [row] : row };
  }
}

function* memberRows(outer: JsonObject, rest: string): Generator {
  const items = objectsIn(outer);
  const names = new Set(items.map(([name]) => name));
  const others = Object.entries(outer).filter(([name]) => !names.has(name));
  for (const [name, item] of items)
    for (const row of rest === '' ? [item] : rowsWithin(item, rest)) yield Object.fromEntries([...others, [name, row]]);
}

/** A name of a member may have points itself. */
function memberBefore(outer: JsonObject, path: string): string {
  for (let end = path.length; end !== -1; end = path.lastIndexOf('.', end - 1))
    if (Object.hasOwn(outer, path.slice(0, end))) return path.slice(0, end);
  return path.split('.')[0] ?? '';
}

/** The row of such an item, and the values around it, the innermost first, each with its path. */
export function scopesOf(value: unknown, list: string): readonly (readonly [path: string, value: unknown])[] {
  const scopes: (readonly [string, unknown])[] = [['', value]];
  let current = value;
  let path = '';
  while (path !== list && isObject(current)) {
    const name = memberBefore(current, path === '' ? list : list.slice(path.length + 1));
    path = path === '' ? name : `${path}.${name}`;
    if (name === MEMBERS) {
      const [[own, item] = ['', {}]] = objectsIn(current);
      scopes.unshift([path, { [KEY_COLUMN]: own, ...item }]);
      current = item;
      continue;
    }
    const member = ownValue(current, name);
    current = Array.isArray(member) ? member[0] : member;
    if (Array.isArray(member)) scopes.unshift([path, current]);
  }
  return scopes;
}

/** The text of a member by its whole path: of the row, or of a value around it. */
export function textWithin(scopes: ReturnType<typeof scopesOf>, name: string): string {
  for (const [path, value] of scopes)
    if (path === '' || name.startsWith(`${path}.`))
      return memberText(value, path === '' ? name : name.slice(path.length + 1));
  return '';
}
