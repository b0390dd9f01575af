/** The table that a file holds, whatever its form: its columns over all rows, and what a mapping needs to read it again. */
import { UsageError } from '../errors.ts';
import { columnsAre, memberText } from '../mapping/columns.ts';
import { isObject } from '../mapping/fields.ts';
import type { Mapping } from '../mapping/schema.ts';
import { isAddressText, TableProfile } from '../mapping/table-profile.ts';
import { profiledTable } from '../shape/profiled-table.ts';
import type { Source } from '../source/open-source.ts';

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
  return { profile, settings: { ...shape, ...(skip.length === 0 ? {} : { skip: [...skip] }) }, says };
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
  const rowsOf = (item: unknown): unknown[] => (list === undefined ? [item] : membersOf(item, list));
  const names = [...new Set([...items.flatMap(rowsOf), ...items].flatMap((each) => pathsIn(each)))];
  const profile = new TableProfile(names);
  for (const item of items)
    for (const row of rowsOf(item)) profile.add(names.map((name) => memberText(row, name) || memberText(item, name)));
  const settings = { ...(source.items && { items: source.items }), ...(list && { rows: list }) };
  return { profile, settings, says: list && `Each item of "${list}" is a row.` };
}

/** @throws UsageError for records of the interface, and for no items */
async function firstItems(source: Source): Promise<unknown[]> {
  const { path } = source;
  const items: unknown[] = [];
  for await (const { value } of source.rows()) {
    if (isObject(value) && Object.hasOwn(value, 'external_record_id'))
      throw new UsageError(`${path} holds records in the format of the interface, which need no mapping.`);
    if (items.push(value) >= SAMPLE_ITEMS) break;
  }
  if (items.length === 0) throw new UsageError(`${path} contains no rows.`);
  return items;
}

/** The path of the longest array of objects in the items, if it has more than there are items. */
function listIn(items: readonly unknown[]): string | undefined {
  const counts = new Map<string, number>();
  const look = (value: unknown, path: string): void => {
    if (Array.isArray(value)) {
      if (value.some(isObject)) counts.set(path, (counts.get(path) ?? 0) + value.length);
    } else if (isObject(value))
      for (const [name, member] of Object.entries(value)) look(member, path === '' ? name : `${path}.${name}`);
  };
  for (const item of items) look(item, '');
  const [best] = [...counts].toSorted(([, a], [, b]) => b - a);
  return best !== undefined && best[1] > items.length ? best[0] : undefined;
}

function membersOf(item: unknown, path: string): unknown[] {
  const found = path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), item);
  return Array.isArray(found) ? found : [];
}

/** Arrays of objects are no cells. */
function pathsIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value) && value.some(isObject)) return [];
  if (!isObject(value) || Array.isArray(value)) return path === '' ? [] : [path];
  return Object.entries(value).flatMap(([name, member]) => pathsIn(member, path === '' ? name : `${path}.${name}`));
}
