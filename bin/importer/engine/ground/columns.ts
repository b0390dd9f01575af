import { refusalAt } from './errors.ts';
import { isObject } from './fields.ts';

/** The name of the file, without folder and extension, as if it were a column. */
export const FILE_COLUMN = ':file';
/** The name of the sheet of a row, or of its list in a JSON file, as if it were a column. */
export const SHEET_COLUMN = ':sheet';
/** The name that an item of a JSON file has, where the items are members of an object. */
export const KEY_COLUMN = ':key';

/** The columns of a file, which a mapping names. */
export interface Columns {
  /** Days as bare numbers count from 1904, as in their workbook. */
  readonly is1904?: boolean | undefined;
  /** @throws EngineError if no column, or more than one, has this name */
  indexOf(name: string, wantedBy: string): number;
}

/** The members of JSON objects, by their paths. Objects may lack any of them, so every name is accepted. */
export class MemberColumns implements Columns {
  readonly names: string[] = [];

  indexOf(name: string): number {
    const known = this.names.indexOf(name);
    return known === -1 ? this.names.push(name) - 1 : known;
  }
}

/** The columns of a table, by its header; after them the name of the file and that of the sheet. */
export class HeaderColumns implements Columns {
  readonly names: readonly string[];
  readonly #file: string;
  readonly #line: number;
  readonly #indexOf: (name: string) => number;
  readonly #places: ReadonlyMap<string, Places>;

  constructor(file: string, names: readonly string[], line = 1) {
    this.#file = file;
    this.names = names;
    this.#line = line;
    this.#indexOf = columnFinder(names);
    this.#places = placesOf(names);
  }

  indexOf(name: string, wantedBy: string): number {
    const index = this.#indexOf(name);
    if (index === -1) {
      throw refusalAt(this.#file, { line: this.#line }, 'column_missing', {
        column: name,
        wantedBy,
        similar: this.#similarTo(name),
        columns: this.names,
      });
    }
    if (name.startsWith('#') || name === FILE_COLUMN || name === SHEET_COLUMN) return index;
    const { last } = this.#places.get(this.names[index] ?? '') ?? { last: index };
    if (last !== index) {
      const places = { first: index + 1, last: last + 1 };
      throw refusalAt(this.#file, { line: this.#line }, 'column_twice', { column: name, ...places });
    }
    return index;
  }

  #similarTo(name: string): string | undefined {
    const wanted = letters(name);
    const similar = this.names.find((known) => letters(known).includes(wanted) || wanted.includes(letters(known)));
    return similar === undefined || letters(similar) === '' ? undefined : similar;
  }
}

interface Places {
  readonly first: number;
  readonly last: number;
}

/** The first and the last place of each name. */
export function placesOf(names: readonly string[]): ReadonlyMap<string, Places> {
  const places = new Map<string, Places>();
  for (const [index, name] of names.entries())
    places.set(name, { first: places.get(name)?.first ?? index, last: index });
  return places;
}

/** The index of a column; -1 if the table lacks it. Some exports leave headers empty: "#6" is the sixth column. */
export function columnFinder(names: readonly string[]): (name: string) => number {
  const exact = placesOf(names);
  let squeezedNames: ReadonlyMap<string, Places> | undefined;
  return (name) => {
    const found = exact.get(name);
    if (found !== undefined) return found.first;
    const number = /^#(\d{1,5})$/.exec(name)?.[1];
    if (number !== undefined) return Number(number) <= names.length ? Number(number) - 1 : -1;
    squeezedNames ??= placesOf(names.map(squeezed));
    const added = [FILE_COLUMN, SHEET_COLUMN].indexOf(name);
    return squeezedNames.get(squeezed(name))?.first ?? (added === -1 ? -1 : names.length + added);
  };
}

/** Headers of several lines, with double blanks, or in another letter case are found all the same. */
const squeezed = (name: string): string => name.trim().replaceAll(/\s+/g, ' ').toLowerCase();

const letters = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The text of a member by its path: `actor.mbox`, `attempts.0.score`, also of a name with points; empty for none. */
export function memberText(value: unknown, path: string): string {
  return leafText(memberAt(value, path));
}

/** The extended JSON of MongoDB: `{ "$date": … }`, `{ "$oid": "…" }`, `{ "$numberLong": "5" }`. */
const EXTENDED = /^\$(date|oid|uuid|number(Int|Long|Double|Decimal))$/;
/** The dates of older web services of .NET, in milliseconds since 1970. */
const NET_DATE = /^\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\/$/;

function extendedMember(value: unknown): readonly [name: string, member: unknown] | undefined {
  const [member, ...others] = isObject(value) && !Array.isArray(value) ? Object.entries(value) : [];
  return member !== undefined && others.length === 0 && EXTENDED.test(member[0]) ? member : undefined;
}

/** The members of an object; none of an array, nor of a value in extended JSON, which are cells. */
export const membersIn = (value: unknown): readonly (readonly [name: string, member: unknown])[] =>
  !isObject(value) || Array.isArray(value) || extendedMember(value) !== undefined ? [] : Object.entries(value);

function leafText(value: unknown): string {
  if (value === undefined || value === null) return '';
  const [name, member] = extendedMember(value) ?? [];
  if (name === '$date')
    return /^-?\d{1,15}$/.test(leafText(member)) ? isoDate(Number(leafText(member))) : leafText(member);
  if (name !== undefined) return leafText(member);
  if (typeof value !== 'string') return JSON.stringify(value);
  const ms = NET_DATE.exec(value)?.[1];
  return ms === undefined ? value : isoDate(Number(ms));
}

const isoDate = (ms: number): string =>
  Number.isNaN(new Date(ms).getTime()) ? String(ms) : new Date(ms).toISOString();

/** Names may have points themselves; a key of thousands would be cut at each of them. */
const MOST_POINTS = 64;

function memberAt(value: unknown, path: string): unknown {
  if (path === '') return value;
  if (!isObject(value)) return undefined;
  if (Object.hasOwn(value, path)) return value[path];
  let point = -1;
  for (let tried = 0; tried < MOST_POINTS; tried += 1) {
    point = path.indexOf('.', point + 1);
    if (point === -1) return undefined;
    const name = path.slice(0, point);
    const found = Object.hasOwn(value, name) ? memberAt(value[name], path.slice(point + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
