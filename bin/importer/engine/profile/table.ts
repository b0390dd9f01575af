/** The table that a file holds, whatever its form: its columns over all rows, and what a mapping needs to read it again. */
import { noRows, refusal } from '../ground/errors.ts';
import { type Said, say } from '../ground/codes.ts';
import { membersIn, memberText, SHEET_COLUMN } from '../ground/columns.ts';
import { isObject } from '../ground/fields.ts';
import { beginsLikeSum } from '../read/header.ts';
import type { Condition, Mapping } from '../language/schema.ts';
import { ColumnProfile, isAddressText, TableProfile } from './table-profile.ts';
import { findShape } from './find-shape.ts';
import type { FoundShape } from './two-headers.ts';
import { addedColumns, keptRows } from './shaped-rows.ts';
import {
  areOfMembers,
  isOfFile,
  itemsByName,
  ofMembers,
  rowsWithin,
  scopesOf,
  textWithin,
  withAround,
} from '../read/nested-rows.ts';
import type { Source } from '../read/open-source.ts';
import { each } from '../read/pieces.ts';
import type { FoundSheet } from '../read/sheets.ts';
import { latestDate } from '../dates/latest-date.ts';
import { beginNoRow, rawTable } from './raw-table.ts';
import { guessColumns, saysRole } from './roles.ts';
import type { Role } from '../lexicon/headers.ts';
import { saysTopic } from '../lexicon/topics.ts';
import { plainText } from '../lexicon/words.ts';

/** Items of a JSON file whose paths become its columns. */
export const SAMPLE_ITEMS = 200;

/** The columns of a file, and how a mapping has to read it. */
export interface FoundTable {
  readonly profile: Pick<TableProfile, 'columns' | 'rows'>;
  readonly sheets: readonly FoundSheet[];
  /** The names of the sheets, or of the lists of a JSON file, which may be those of courses or learners. */
  readonly sheet: ColumnProfile | undefined;
  /** Shape, skipped rows, and places of JSON. */
  readonly settings: Partial<Mapping>;
  readonly says: readonly Said[];
}

type IsCourse = ((title: string) => boolean) | undefined;

/** @param sources files of the same columns. @throws EngineError without rows or a header, or with other columns */
export async function findTable(
  sources: readonly Source[],
  isCourse: IsCourse,
  isShaped: boolean,
): Promise<FoundTable> {
  const [first] = sources;
  if (first === undefined) throw refusal('no_file_named', {});
  if (first.format !== 'csv') return itemTable(isShaped ? await allLists(first, isCourse) : first, isCourse);
  for (const { path, columns } of sources)
    if (columns.join('\n') !== first.columns.join('\n'))
      throw refusal('file_of_other_columns', { path, first: first.path, columns });
  const { profile, shape, skip, says } = await shapedTable(joined(sources, first), isCourse, isShaped);
  if (profile.rows === 0) throw noRows(first.path);
  refuseHeaderless(first, profile);
  const sheet = first.isSheetChosen === true ? { sheet: first.sheet } : {};
  const settings = { ...sheet, ...shape, ...(skip.length === 0 ? {} : { skip }) };
  return { profile, ...namesOfSheets(first, isCourse), settings, says };
}

/** The names of the sheets, as a column: of several, or of a single one that is named after a course. */
function namesOfSheets({ sheets = [] }: Source, isCourse: IsCourse): Pick<FoundTable, 'sheets' | 'sheet'> {
  const names = sheets.flatMap(({ name, isImported }) => (isImported ? [name] : []));
  if (names.length < 2 && isCourse?.(names[0] ?? '') !== true) return { sheets, sheet: undefined };
  const sheet = new ColumnProfile('', SHEET_COLUMN);
  for (const name of names) sheet.add(name);
  return { sheets, sheet };
}

/** All lists of a JSON file, where they are one table, or have the names of learners or of courses. */
function allLists(source: Source, isCourse: IsCourse): Promise<Source> | Source {
  const { path, names, isOneTable } = source.keyed ?? { names: [], isOneTable: false };
  const named = names.filter((name) => isAddressText(name) || isCourse?.(name) === true);
  return path !== undefined && (isOneTable || named.length * 2 >= names.length)
    ? source.under({ items: path })
    : source;
}

function joined(sources: readonly Source[], first: Source): Source {
  if (sources.length === 1) return first;
  return {
    ...first,
    async *anyRows() {
      for (const source of sources) yield* source.anyRows();
    },
    async *rows(skip) {
      for (const source of sources) yield* source.rows(skip);
    },
  };
}

const MOST_TITLES = 10;

/** The columns of a table by its shape, and the rows that are titles, totals or headers. */
async function shapedTable(source: Source, isCourse: IsCourse, isShaped: boolean) {
  const read = await rawTable(source);
  const found = isShaped
    ? findShape(read.profile, {
        ...read,
        isCourse,
        above: source.rowAbove,
        latest: latestDate(source),
        around: [source.path, source.sheet, source.above, ...read.titles].join(' '),
      })
    : undefined;
  const isHeaded = found?.shape.headings !== undefined;
  const titles = [...read.titles].filter((text) => text.length > 3 && (!isHeaded || beginsLikeSum([text])));
  const alone = await beginNoRow(source, titles.slice(0, MOST_TITLES), read.sums);
  const ofTitles: Condition[] = alone.map((text) => ({ column: '#1', is: [text] }));
  if (found === undefined) return { profile: read.profile, shape: {}, skip: ofTitles, says: [] };
  const skip = [...ofTitles, ...found.skip];
  return { ...found, skip, profile: await shapedProfile(source, read.profile, { ...found, skip }) };
}

/** The columns of a table by its shape; those that the shape takes apart have neither name nor texts. */
async function shapedProfile(
  source: Source,
  { columns }: TableProfile,
  { shape, taken, skip }: FoundShape,
): Promise<TableProfile> {
  const names = columns.map((column) => (taken.has(column) ? '' : column.name));
  const references = columns.map(({ reference }) => reference);
  const profile = new TableProfile([...names, ...addedColumns(shape)], references);
  const kept = columns.flatMap((column, index) => (taken.has(column) ? [] : [index]));
  for await (const { cells = [], added = [] } of each(keptRows(source, { ...shape, skip }))) {
    profile.rows += 1;
    for (const index of kept) profile.columns[index]?.add(cells[index] ?? '');
    for (const [index, text] of added.entries()) profile.columns[columns.length + index]?.add(text);
  }
  return profile;
}

/** The first learner of a file without a header would be lost. @throws EngineError */
function refuseHeaderless({ path, headerLine }: Source, { columns }: TableProfile): void {
  const column = columns.find(({ name, isAddress }) => isAddress && isAddressText(name));
  if (column !== undefined) throw refusal('file_without_header', { path, line: headerLine, address: column.name });
}

/** The members of the items are the columns; items of an array of objects in each item may be the rows. */
async function itemTable(source: Source, isCourse: IsCourse): Promise<FoundTable> {
  const items = await firstItems(source);
  // Of courses by their ids, only a list in each says whose.
  const isLearner = source.items?.endsWith('{}') === true ? isAddressText : undefined;
  const { list, left } = listIn(items, isCourse, isLearner);
  const rows = items.flatMap((item) => (list === undefined ? [item] : [...rowsWithin(item, list)]));
  const profile = profileOfItems(rows, list);
  if (rows.length === 1 && isEmptyList(rows[0], profile)) throw noRows(source.path);
  const settings = { ...(source.items && { items: source.items }), ...(list && { rows: list }) };
  const columns = profile.columns.filter(({ reference }) => reference !== SHEET_COLUMN);
  const { sheets, sheet } = namesOfSheets(source, isCourse);
  const isKeyed = columns.length < profile.columns.length;
  return {
    profile: { rows: profile.rows, columns },
    sheets: [...sheets, ...(left.length === 0 ? [] : besideEachOther(list, left))],
    sheet: isKeyed ? sheet : undefined,
    settings,
    says: list === undefined ? [] : [say('items_of_list_are_rows', { list })],
  };
}

const besideEachOther = (list = '', left: readonly string[]): FoundSheet[] => [
  { name: list, isImported: true, reason: null },
  ...left.map((name) => ({
    name,
    isImported: false,
    reason: say('list_beside_in_items', {}),
  })),
];

/** @param rows items, each with nothing but one row of its list, if it has one */
export function profileOfItems(rows: readonly unknown[], list: string | undefined): TableProfile {
  const scopes = rows.map((row) => (list === undefined ? ([['', row]] as const) : scopesOf(row, list)));
  const paths = scopes.flatMap((some) => some.flatMap(([path, value]) => pathsIn(value, path, list)));
  const names = [...new Set(paths)];
  const profile = new TableProfile(names.map(headerOf), names);
  for (const some of scopes) profile.add(names.map((name) => textWithin(some, name)));
  return profile;
}

const OF_WHOM: readonly Role[] = ['user.email', 'user.external_user_id', 'content.external_course_id'];

/** `{ "items": [], "total": 0 }`, or nothing at all: what is around rows, and no row. */
function isEmptyList(item: unknown, { columns }: TableProfile): boolean {
  const text = JSON.stringify(item);
  if (!/\[\]|^\{\}$/.test(text)) return false;
  const roles = guessColumns(columns);
  return !OF_WHOM.some((role) => roles.has(role));
}

/** Of more names no end is a header. */
const MOST_NAMES = 16;

/** The end of a path that says what a member is: `completedAt` of `attributes.completedAt`, but `user.id`. */
function headerOf(path: string): string {
  // The names of the members of `courses` are ids of courses.
  const names = path
    .replace(/s?\.\*\.:key$/, ' id')
    .split('.')
    .filter((name) => name !== '*')
    .slice(-MOST_NAMES);
  const ends = names.map((_, index) => names.slice(index).join(' '));
  return ends.find((end) => saysRole(end) || isOfCompletion(end)) ?? path;
}

/** The `timestamp` of each of the `completions`, which would be that of any activity elsewhere. */
const isOfCompletion = (end: string): boolean =>
  /^\S+ timestamp$/i.test(end) && saysTopic(plainText(end), 'completion') && !saysTopic(plainText(end), 'negated');

/** @throws EngineError for records of the interface, and for no items */
async function firstItems(source: Source): Promise<unknown[]> {
  const { path } = source;
  const items: unknown[] = [];
  for await (const row of each(source.rows())) {
    const { value } = row;
    if (isObject(value) && Object.hasOwn(value, 'external_record_id'))
      throw refusal('records_need_no_mapping', { path });
    if (items.push(withAround(row)) >= SAMPLE_ITEMS) break;
  }
  if (items.length === 0) throw noRows(path);
  if (!items.some((item) => isObject(item) && !Array.isArray(item))) throw refusal('file_without_objects', { path });
  return items;
}

/** Activities around that of a statement of xAPI. */
const IS_CONTEXT = /\bcontextActivities\./;

/**
 * The path of the longest list of objects in the items, if it outnumbers them or has the only titles or addresses, and those beside
 * it. A list beside that of the items belongs to none of them.
 */
function listIn(items: readonly unknown[], ...named: readonly IsCourse[]): { list?: string; left: readonly string[] } {
  const counts = new Map<string, number>();
  const add = (path: string, { length }: readonly unknown[]): void => {
    if (length > 0) counts.set(path, (counts.get(path) ?? 0) + length);
  };
  const look = (value: unknown, path: string): void => {
    const objects = Array.isArray(value) ? value.filter(isObject) : [];
    add(path, objects);
    for (const each of objects) look(each, path);
    const byName = itemsByName(value, (name) => named.some((is) => is?.(name) === true));
    add(ofMembers(path), byName);
    for (const [, member] of byName) look(member, ofMembers(path));
    const others = byName.length > 0 ? [] : membersIn(value);
    for (const [name, member] of others) look(member, path === '' ? name : `${path}.${name}`);
  };
  for (const item of items) look(item, '');
  for (const path of counts.keys()) if (isOfFile(path) || IS_CONTEXT.test(path)) counts.delete(path);
  // Of lists with equally many known names, the inner one has the rows.
  const [best] = [...counts].toSorted(([p, a], [q, b]) => b - a || Number(areOfMembers(q)) - Number(areOfMembers(p)));
  if (best === undefined) return { left: [] };
  const [list, count] = best;
  const isApart = (path: string): boolean => !`${list}.`.startsWith(`${path}.`) && !path.startsWith(`${list}.`);
  return areOfMembers(list) || count > items.length || named.some((is) => areNamedIn(items, list, is))
    ? { list, left: [...counts.keys()].filter(isApart) }
    : { left: [] };
}

function areNamedIn(items: readonly unknown[], list: string, isCourse: IsCourse): boolean {
  const names = (value: unknown): boolean =>
    pathsIn(value, '', list).some((path) => isCourse?.(memberText(value, path)) === true);
  const rows = items.flatMap((item) => [...rowsWithin(item, list)]);
  return !items.some(names) && rows.some((row) => names(scopesOf(row, list)[0]?.[1]));
}

/** Arrays of objects are no cells, nor are members that are rows. */
function pathsIn(value: unknown, path: string, list: string | undefined): string[] {
  if (Array.isArray(value) && value.some(isObject)) return [];
  const members = membersIn(value);
  if (members.length === 0) return path === '' ? [] : [path];
  const areRows = `${list}.`.startsWith(`${ofMembers(path)}.`);
  return members.flatMap(([name, member]) =>
    areRows && isObject(member) ? [] : pathsIn(member, path === '' ? name : `${path}.${name}`, list),
  );
}
