/** Where a JSON file has its rows. */
import { isObject, type JsonObject } from '../ground/fields.ts';
import type { InputFile } from './bytes.ts';
import { Nesting, pathOf } from './json-items.ts';
import { decodedText, type Encoding } from './text-file.ts';

/** Its beginning shows where a file of any size has its rows. */
const MOST_SEARCHED = 4 * 1024 * 1024;

/** All arrays that are members of one object, like `data.*`, and the names of these members. */
export interface KeyedLists {
  readonly path: string;
  readonly names: readonly string[];
  /** Their items have the same members, as sheets with the same header have. */
  readonly isOneTable: boolean;
}

export interface FoundLists {
  readonly lists: readonly string[];
  readonly keyed?: KeyedLists | undefined;
}

/** Paths of outermost arrays around rows, the longest first; none if the file is one. Nested ones count once. */
export async function listsOfRows(file: InputFile, encoding: Encoding): Promise<FoundLists> {
  const nesting = new Nesting();
  const counts: ListCounts = new Map();
  const objects: ObjectCounts = new Map();
  let read = 0;
  for await (const piece of decodedText(file, encoding)) {
    if (read === 0 && piece.trimStart().startsWith('[')) return { lists: [] };
    countItems(counts, objects, nesting, piece);
    read += piece.length;
    if (read > MOST_SEARCHED) break;
  }
  const members = membersIn(objects, [...counts.values()]);
  if (members.length > 0) return { lists: members };
  const found = [...counts.values()].toSorted(
    (a, b) => Number(isOfRows(b)) - Number(isOfRows(a)) || b.objects - a.objects,
  );
  const [first] = found;
  // More items than the rows are no columns or links.
  const isShown = (each: CountedList): boolean =>
    each === first || isOfRows(each) || each.objects > Math.max(FEW_ITEMS, first?.objects ?? 0);
  const lists = found.filter(isShown).map(({ list }) => list);
  return { lists: [...new Set(lists)].filter((list) => list !== ''), keyed: keyedIn([...counts.values()]) };
}

const FEW_ITEMS = 10;

/** Objects that are members of one object, by their names, with the names of their own members. */
type ObjectCounts = Map<string, Map<string, Set<string>>>;

/** Items by name are in none but a few objects. */
const MOST_AROUND = 4;

function noteKeyed(objects: ObjectCounts, open: Nesting['open']): void {
  if (open.length === 0 || open.length > MOST_AROUND || !open.every(({ isObject }) => isObject)) return;
  const path = pathOf(open.slice(0, -1));
  const named = objects.get(path) ?? new Map<string, Set<string>>();
  objects.set(path, named.set(open.at(-1)?.name ?? '', new Set()));
}

function noteMemberOf(objects: ObjectCounts, open: Nesting['open']): void {
  if (open.length < 2 || open.length > MOST_AROUND + 1) return;
  const [of, own] = open.slice(-2);
  objects
    .get(pathOf(open.slice(0, -2)))
    ?.get(of?.name ?? '')
    ?.add(own?.name ?? '');
}

/** A name that is an address, an id or a title, and no word of a format. */
export const isOfData = (name: string): boolean => /[@\d\s]/.test(name);

const isWithin = (path: string, outer: string): boolean => outer === '' || path.startsWith(`${outer}.`);

/** Paths of outermost objects with like members (`learners.{}`), the most first; none beside arrays of rows. */
function membersIn(objects: ObjectCounts, found: readonly CountedList[]): readonly string[] {
  const isKeyed = (path: string): boolean => {
    const named = objects.get(path) ?? new Map<string, Set<string>>();
    const [names, [first = new Set<string>(), ...others]] = [[...named.keys()], [...named.values()]];
    const isLike =
      others.every((other) => areAlike(other, first)) ||
      names.every((name) => isKeyed(path === '' ? name : `${path}.${name}`));
    return isLike && (names.length > 1 || found.length === 0) && names.filter(isOfData).length * 2 > names.length;
  };
  const keyed = [...objects].filter(([path]) => isKeyed(path));
  const outermost = keyed
    .filter(([path]) => !keyed.some(([outer]) => outer !== path && isWithin(path, outer)))
    .toSorted(([, a], [, b]) => b.size - a.size);
  const isOutside = ({ list, parent }: CountedList): boolean =>
    outermost.every(([path]) => !isWithin(list, path) || parent === path);
  return found.some((each) => isOfRows(each) && isOutside(each))
    ? []
    : outermost.map(([path]) => (path === '' ? '{}' : `${path}.{}`));
}

/** The arrays of one object, if all have items of about the same members. */
function keyedIn(found: readonly CountedList[]): KeyedLists | undefined {
  const outer = found.filter(({ path, list, name }) => path === list && name !== '');
  const [first] = outer;
  if (
    first === undefined ||
    !outer.every((each) => each.parent === first.parent && areAlike(each.members, first.members))
  )
    return undefined;
  const isOneTable =
    outer.length > 1 &&
    outer.every(({ members }) => [...members].toSorted().join('\n') === [...first.members].toSorted().join('\n'));
  return { path: first.parent === '' ? '*' : `${first.parent}.*`, names: outer.map(({ name }) => name), isOneTable };
}

/** Most of the names are in both. */
export const areAlike = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  const both = [...a].filter((name) => b.has(name)).length;
  return both * 2 >= a.size + b.size - both;
};

interface CountedList {
  objects: number;
  hasPeople: boolean;
  readonly path: string;
  /** The outermost array around it, the object that this is a member of, and its name there. */
  readonly list: string;
  readonly parent: string;
  readonly name: string;
  /** Names of members of its objects. */
  readonly members: Set<string>;
}

type ListCounts = Map<string, CountedList>;

/** A short list without a person is of columns, links or errors. */
const isOfRows = ({ objects, hasPeople }: CountedList): boolean => hasPeople || objects > 50;

/** Counts the objects of each array by its path, and notes their members. */
function countItems(counts: ListCounts, objects: ObjectCounts, nesting: Nesting, piece: string): void {
  for (const character of piece) {
    if (character === '{' && !nesting.inText) {
      noteObject(counts, nesting.open);
      noteKeyed(objects, nesting.open);
    } else if (character === '@' && nesting.inText) notePerson(counts, nesting.open);
    nesting.read(character);
    if (character === ':' && !nesting.inText) {
      noteMember(counts, nesting.open);
      noteMemberOf(objects, nesting.open);
    }
  }
}

function noteObject(counts: ListCounts, open: Nesting['open']): void {
  if (open.at(-1)?.isObject !== false) return;
  const known = counts.get(pathOf(open)) ?? listAt(open);
  known.objects += 1;
  counts.set(known.path, known);
}

function notePerson(counts: ListCounts, open: Nesting['open']): void {
  const list = counts.get(pathOf(open.slice(0, open.findLastIndex(({ isObject }) => !isObject) + 1)));
  if (list !== undefined) list.hasPeople = true;
}

function noteMember(counts: ListCounts, open: Nesting['open']): void {
  if (open.at(-2)?.isObject === false) counts.get(pathOf(open.slice(0, -1)))?.members.add(open.at(-1)?.name ?? '');
}

function listAt(open: Nesting['open']): CountedList {
  const path = pathOf(open);
  const around = open.slice(
    0,
    open.findIndex(({ isObject }) => !isObject),
  );
  const [list, parent, name = ''] = [pathOf(around), pathOf(around.slice(0, -1)), around.at(-1)?.name];
  return { objects: 0, hasPeople: path.includes('@'), path, list, parent, name, members: new Set() };
}

/** One object around an array of rows, rather than an object on each line. */
export function isOneObject(text: string): boolean {
  const [line = '', ...others] = text.split('\n');
  if (/^\{\s*$|[{[,]\s*$/.test(line)) return true;
  try {
    const value: unknown = JSON.parse(line);
    const isWhole = others.every((other) => other.trim() === '');
    const isAround = isObject(value) && (hasList(value) || hasMembers(value));
    return isWhole && isAround && !Object.hasOwn(value, 'external_record_id');
  } catch {
    // The line is longer than the inspected part of the file.
    return others.length === 0;
  }
}

const hasList = (value: unknown): boolean =>
  isObject(value) &&
  Object.values(value).some((member) => (Array.isArray(member) && member.some(isObject)) || hasList(member));

/** Objects by the ids or addresses that they belong to, however deep. */
function hasMembers(value: JsonObject): boolean {
  const members = Object.entries(value).filter(([, member]) => isObject(member) && !Array.isArray(member));
  const named = members.filter(([name]) => isOfData(name));
  return named.length > 1 || named.some(([name]) => name.includes('@'))
    ? named.length * 2 > members.length
    : members.some(([, member]) => isObject(member) && hasMembers(member));
}
