/** Tables with two rows of headers: titles of courses, and below them the same few names for each. */
import type { ColumnProfile, TableProfile } from './table-profile.ts';
import { type Said, say } from '../ground/codes.ts';
import type { Mapping } from '../language/schema.ts';
import type { Shape } from './shaped-rows.ts';

/** A shape, and the columns that it takes apart. */
export interface FoundShape {
  readonly shape: Shape;
  readonly skip: NonNullable<Mapping['skip']>;
  /** Columns that the shape takes apart: they fill no member themselves. */
  readonly taken: ReadonlySet<ColumnProfile>;
  readonly says: readonly Said[];
}

/** What a shape is found by, beside the columns. */
export interface TableHead {
  /** Rows below the header, the first few. */
  readonly rows: readonly (readonly string[])[];
  /** Rows with nothing but a first cell, totals left out: those with an address, and others. */
  readonly headings: { readonly learners: number; readonly others: number };
  /** Some of them have rows below them, and say different things. */
  readonly hasSections: boolean;
  /** The name of the file and its sheet, and the titles around the table. */
  readonly around: string;
  /** The latest date that a completion can have, as a text. */
  readonly latest: string;
  /** True if a title is that of a course of the platform. */
  readonly isCourse?: ((title: string) => boolean) | undefined;
  /** The row above the header. */
  readonly above?: readonly string[] | undefined;
}

export const SIDE_BY_SIDE = { skip: [], says: [say('courses_side_by_side', {})] };

/** A second row of headers that repeats: `Status, Date, Status, Date` below `Security, , Welcome`. */
export function underTwoHeaders(
  { columns }: TableProfile,
  { rows: [second = [], ...others] }: TableHead,
): FoundShape | undefined {
  const names = second.map((cell) => cell.trim());
  const first = firstRepeated(names);
  if (first === -1 || others.length === 0 || !isHeader(names) || areValues(names, others)) return undefined;
  const titles = columns.map(({ name }) => name);
  const found = blocksUnder(titles, names, columns);
  return found && { ...found, skip: [{ column: `#${first + 1}`, is: [names[first] ?? ''] }] };
}

/** The same where the names of the learner stand in the second row: the titles are above the header. */
export function belowTitles({ columns }: TableProfile, { above = [] }: TableHead): FoundShape | undefined {
  const names = columns.map(({ name }) => name);
  const first = firstRepeated(names);
  return first === -1 || !isHeader(names.slice(first)) ? undefined : blocksUnder(above, names, columns);
}

/** @returns -1 if each name is one column */
export const firstRepeated = (names: readonly string[]): number =>
  names.findIndex((name) => name !== '' && names.indexOf(name) !== names.lastIndexOf(name));

/** A block for each title, of the names from there to the next one. */
function blocksUnder(
  titles: readonly string[],
  names: readonly string[],
  columns: readonly ColumnProfile[],
): FoundShape | undefined {
  const first = firstRepeated(names);
  const repeat: { set: Record<string, string>; from: Record<string, string> }[] = [];
  const taken = columns.filter((_, index) => index >= first && names[index]);
  for (const [index, column] of columns.entries()) {
    if (!taken.includes(column)) continue;
    const title = titles[index]?.trim() ?? '';
    if (title !== '') repeat.push({ set: { ':course': title }, from: {} });
    const block = repeat.at(-1);
    if (block !== undefined) block.from[`:${names[index]}`] = `#${index + 1}`;
  }
  // Of one column each, all have the same name.
  const kinds = new Set(repeat.map(({ from }) => Object.keys(from).join('\n')));
  const isUneven = kinds.size > 1 && repeat.every(({ from }) => Object.keys(from).length === 1);
  return repeat.length < 2 || isUneven ? undefined : { ...SIDE_BY_SIDE, shape: { repeat }, taken: new Set(taken) };
}

/** A row below has some of them again, and not all: they are what the first learner has done. */
const areValues = (names: readonly string[], rows: readonly (readonly string[])[]): boolean =>
  rows.some((cells) => {
    const same = names.filter((name, index) => name !== '' && name === cells[index]?.trim()).length;
    return same > 0 && same < names.filter((name) => name !== '').length;
  });

/** Words, of which half or more repeat others. */
function isHeader(names: readonly string[]): boolean {
  const words = names.filter((name) => name !== '');
  return new Set(words).size * 2 <= words.length && !words.some((word) => /\d|@/.test(word));
}
