/** Rows within the items of a JSON file: the items of an array in each, at any depth. */
import { isObject, type JsonObject } from '../mapping/fields.ts';
import { memberText } from '../mapping/columns.ts';
import type { Row } from './open-source.ts';

/** The name of the member that has what the file says around its list of items. */
const AROUND = '/';

/** An item, with what is around its list: the course of a list of learners. */
export const withAround = ({ value, around }: Pick<Row, 'value' | 'around'>): unknown =>
  around === undefined || !isObject(value) || Array.isArray(value) ? value : { ...value, [AROUND]: around };

export const isOfFile = (path: string): boolean => path.startsWith(`${AROUND}.`);

/** The item with nothing but one row of its list, for each row, so that a rejected row can be imported again. */
export function* rowsWithin(value: unknown, list: string): Generator {
  const outer: JsonObject = isObject(value) ? value : {};
  const name = memberBefore(outer, list);
  const rest = list.slice(name.length + 1);
  const member = outer[name];
  const isList = Array.isArray(member);
  for (const item of isList ? member : [member]) {
    const inner = rest === '' ? (isList ? [item] : []) : rowsWithin(item, rest);
    for (const row of inner) yield { ...outer, [name]: isList ? [row] : row };
  }
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
    const member = current[name];
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
