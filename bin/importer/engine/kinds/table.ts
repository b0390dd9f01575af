/** The table that a file holds, whatever its form: its columns over all rows, and what a mapping needs to read it again. */
import { UsageError } from '../errors.ts';
import { columnsAre, membersIn } from '../mapping/columns.ts';
import { isObject } from '../mapping/fields.ts';
import type { Mapping } from '../mapping/schema.ts';
import { isAddressText, TableProfile } from '../mapping/table-profile.ts';
import { profiledTable } from '../shape/profiled-table.ts';
import { rowsWithin, scopesOf, textWithin, withAround } from '../source/nested-rows.ts';
import type { Source } from '../source/open-source.ts';
import { saysRole } from './roles.ts';

/** Items of a JSON file whose paths become its columns. */
const SAMPLE_ITEMS = 200;

export interface FoundTable {
  readonly profile: TableProfile;
  /** Shape, skipped rows, and places of JSON. */
  readonly settings: Partial<Mapping>;
  readonly says: string | undefined;
}

/** @param sources files of the same columns. @throws UsageError for a file without rows, a header, or with other columns */
export async function findTable(
  sources: readonly Source[],
  isCourse: ((title: string) => boolean) | undefined,
  isShaped: boolean,
): Promise<FoundTable> {
  const [first] = sources;
  if (first === undefined) throw new UsageError('Name a file.');
  if (first.format !== 'csv') return itemTable(first);
  for (const { path, columns } of sources)
    if (columns.join('\n') !== first.columns.join('\n'))
      throw new UsageError(
        `${path} has other columns than ${first.path}: each needs a mapping of its own. ${columnsAre(columns)}`,
      );
  const { profile, shape, skip, says } = await profiledTable(joined(sources, first), isCourse, isShaped);
  if (profile.rows === 0) throw new UsageError(`${first.path} contains no rows.`);
  refuseHeaderless(first, profile);
  const sheet = first.isSheetChosen === true ? { sheet: first.sheet } : {};
  return { profile, settings: { ...sheet, ...shape, ...(skip.length === 0 ? {} : { skip: [...skip] }) }, says };
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

/** The first learner of a file without a header would be lost. @throws UsageError */
function refuseHeaderless({ path, headerLine }: Source, { columns }: TableProfile): void {
  const column = columns.find(({ name, isAddress }) => isAddress && isAddressText(name));
  if (column !== undefined)
    throw new UsageError(
      `${path} has no names of columns: line ${headerLine} has the address ${column.name}. Write a line above it that names each column, like Email, Course, Status, Completed on.`,
    );
}

/** The members of the items are the columns; items of an array of objects in each item may be the rows. */
async function itemTable(source: Source): Promise<FoundTable> {
  const items = await firstItems(source);
  const list = listIn(items);
  const rows = items.flatMap((item) => (list === undefined ? [item] : [...rowsWithin(item, list)]));
  const scopes = rows.map((row) => (list === undefined ? ([['', row]] as const) : scopesOf(row, list)));
  const paths = scopes.flatMap((some) => some.flatMap(([path, value]) => pathsIn(value, path)));
  const names = [...new Set(paths)];
  const profile = new TableProfile(names.map(headerOf), names);
  for (const some of scopes) profile.add(names.map((name) => textWithin(some, name)));
  const settings = { ...(source.items && { items: source.items }), ...(list && { rows: list }) };
  return { profile, settings, says: list && `Each item of "${list}" is a row.` };
}

/** The end of a path that says what a member is: `completedAt` of `attributes.completedAt`, but `user.id`. */
function headerOf(path: string): string {
  const names = path.split('.');
  const ends = names.map((_, index) => names.slice(index).join(' '));
  return ends.find(saysRole) ?? path;
}

/** @throws UsageError for records of the interface, and for no items */
async function firstItems(source: Source): Promise<unknown[]> {
  const { path } = source;
  const items: unknown[] = [];
  for await (const row of source.rows()) {
    const { value } = row;
    if (isObject(value) && Object.hasOwn(value, 'external_record_id'))
      throw new UsageError(`${path} holds records in the format of the interface, which need no mapping.`);
    if (items.push(withAround(row)) >= SAMPLE_ITEMS) break;
  }
  if (items.length === 0) throw new UsageError(`${path} contains no rows.`);
  if (!items.some((item) => isObject(item) && !Array.isArray(item)))
    throw new UsageError(
      `${path} has no array of objects, so it has no rows. Export it as CSV, or with an object for each row.`,
    );
  return items;
}

/** The path of the longest array of objects in the items, if it has more than there are items. */
function listIn(items: readonly unknown[]): string | undefined {
  const counts = new Map<string, number>();
  const look = (value: unknown, path: string): void => {
    const objects = Array.isArray(value) ? value.filter(isObject) : [];
    if (objects.length > 0) counts.set(path, (counts.get(path) ?? 0) + objects.length);
    for (const each of objects) look(each, path);
    for (const [name, member] of membersIn(value)) look(member, path === '' ? name : `${path}.${name}`);
  };
  for (const item of items) look(item, '');
  const [best] = [...counts].toSorted(([, a], [, b]) => b - a);
  return best !== undefined && best[1] > items.length ? best[0] : undefined;
}

/** Arrays of objects are no cells. */
function pathsIn(value: unknown, path: string): string[] {
  if (Array.isArray(value) && value.some(isObject)) return [];
  const members = membersIn(value);
  if (members.length === 0) return path === '' ? [] : [path];
  return members.flatMap(([name, member]) => pathsIn(member, path === '' ? name : `${path}.${name}`));
}
