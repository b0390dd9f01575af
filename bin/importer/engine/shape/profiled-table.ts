/** The profile of a table by its shape: the basis of a draft. */
import { HeaderColumns } from '../mapping/columns.ts';
import { beginsLikeSum } from '../mapping/header.ts';
import type { Condition } from '../mapping/schema.ts';
import { TableProfile } from '../mapping/table-profile.ts';
import { anyOf } from '../mapping/text-pattern.ts';
import type { Source } from '../source/open-source.ts';
import { findShape, type FoundShape, type TableHead } from './find-shape.ts';
import { addedColumns, isAlone, type Shape, shapedRows } from './shaped-rows.ts';

export interface ProfiledTable {
  readonly profile: TableProfile;
  readonly shape: Shape;
  /** Rows that are titles, totals or headers. */
  readonly skip: readonly Condition[];
  /** The shape as a sentence; `undefined` for a table of one learner and course a row. */
  readonly says: string | undefined;
}

/** A table in which each row is a learner in a course. */
export const PLAIN: Omit<ProfiledTable, 'profile'> = { shape: {}, skip: [], says: undefined };

const HEAD_ROWS = 20;
const MOST_TITLES = 10;

/** @param isCourse true for the title of a course of the platform */
export async function profiledTable(
  source: Source,
  isCourse: TableHead['isCourse'],
  isShaped: boolean,
): Promise<ProfiledTable> {
  const read = await rawTable(source);
  const found = isShaped ? findShape(read.profile, { ...read, isCourse }) : undefined;
  const isHeaded = found?.shape.headings !== undefined;
  const titles = [...read.titles].filter((text) => text.length > 3 && (!isHeaded || beginsLikeSum([text])));
  const skip: Condition[] = titles.slice(0, MOST_TITLES).map((text) => ({ column: '#1', is: [text] }));
  if (found === undefined) return { ...PLAIN, profile: read.profile, skip };
  const all = [...skip, ...found.skip];
  return { ...found, skip: all, profile: await shapedProfile(source, read.profile, found, all) };
}

interface RawTable extends Pick<TableHead, 'rows' | 'headings'> {
  readonly profile: TableProfile;
  /** The first cells of narrow rows, as patterns. */
  readonly titles: ReadonlySet<string>;
}

/** Rows of a wide table that hold nothing but a first cell are titles, totals, or headings of the rows below. */
async function rawTable(source: Source): Promise<RawTable> {
  const profile = new TableProfile(source.columns);
  const titles = new Set<string>();
  const rows: (readonly string[])[] = [];
  let headings = 0;
  for await (const { cells = [] } of source.anyRows()) {
    const first = cells[0]?.trim() ?? '';
    const kind = source.columns.length > 2 ? kindOf(cells) : 'row';
    if (kind === 'heading' && !/^points possible/i.test(first)) headings += 1;
    if (kind !== 'row') titles.add(`${first.slice(0, 60).replace(/[\s:]*[\d.,]*$/, '')}*`);
    else {
      profile.add(cells);
      if (rows.length < HEAD_ROWS) rows.push(cells);
    }
  }
  return { profile, titles, rows, headings };
}

function kindOf(cells: readonly string[]): 'row' | 'total' | 'heading' {
  const filled = cells.filter((cell) => cell.trim() !== '');
  // A course may be called Total Quality; the row of a sum has no address and few cells.
  const isSum = filled.length * 2 <= cells.length + 1 && !filled.some((cell) => cell.includes('@'));
  if (isSum && beginsLikeSum(cells)) return 'total';
  return cells.length <= 2 || isAlone(cells) ? 'heading' : 'row';
}

/** The columns of a table by its shape; those that the shape takes apart are empty. */
async function shapedProfile(
  source: Source,
  { columns }: TableProfile,
  { shape, taken }: FoundShape,
  skip: readonly Condition[],
): Promise<TableProfile> {
  const own = new HeaderColumns(source.path, source.columns, source.headerLine);
  const profile = new TableProfile([...columns.map(({ name }) => name), ...addedColumns(shape)]);
  const isSkipped = skip.map(({ column, is = [] }) => {
    const [index, matches] = [own.indexOf(column, 'skip'), anyOf(is)];
    return (cells: readonly string[]) => matches(cells[index] ?? '');
  });
  const rows = shapedRows(source, shape, own)((cells) => isSkipped.some((holds) => holds(cells)));
  const kept = columns.flatMap((column, index) => (taken.has(column) ? [] : [index]));
  for await (const { cells = [], added = [] } of rows) {
    profile.rows += 1;
    for (const index of kept) profile.columns[index]?.add(cells[index] ?? '');
    for (const [index, text] of added.entries()) profile.columns[columns.length + index]?.add(text);
  }
  return profile;
}
