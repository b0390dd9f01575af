/** Finds the shape of a table that has several courses in a row, or several rows to a learner's name. */
import { guessColumns } from '../mapping/guess-columns.ts';
import type { Mapping } from '../mapping/schema.ts';
import type { ColumnProfile, TableProfile } from '../mapping/table-profile.ts';
import { meaningOf, rolesOf } from '../words/words.ts';
import type { Shape } from './shaped-rows.ts';

export interface FoundShape {
  readonly shape: Shape;
  readonly skip: NonNullable<Mapping['skip']>;
  /** Columns that the shape takes apart: they fill no member themselves. */
  readonly taken: ReadonlySet<ColumnProfile>;
  readonly guesses: readonly string[];
  readonly doubts: readonly string[];
}

export interface TableHead {
  /** Rows below the header, the first few. */
  readonly rows: readonly (readonly string[])[];
  /** Rows with nothing but a first cell, totals left out. */
  readonly headings: number;
  /** True if a title is that of a course of the platform. */
  readonly isCourse?: ((title: string) => boolean) | undefined;
}

/** @returns `undefined` for a table in which each row is a learner in a course */
export function findShape(profile: TableProfile, head: TableHead): FoundShape | undefined {
  return underTwoHeaders(profile, head) ?? numbered(profile) ?? matrix(profile, head) ?? outline(profile, head);
}

const NOTHING = { skip: [], guesses: [], doubts: [] };

/** A second row of headers that repeats: `Status, Date, Status, Date` below `Security, , Welcome`. */
function underTwoHeaders(
  { columns }: TableProfile,
  { rows: [second = [], ...others] }: TableHead,
): FoundShape | undefined {
  const names = second.map((cell) => cell.trim());
  const first = names.findIndex((name) => name !== '' && names.indexOf(name) !== names.lastIndexOf(name));
  if (first === -1 || others.length === 0 || !isHeader(names)) return undefined;
  const below = columns.flatMap((column, index) => (index >= first && names[index] ? [{ column, index }] : []));
  const repeat: { set: Record<string, string>; from: Record<string, string> }[] = [];
  for (const { column, index } of below) {
    if (column.name !== '') repeat.push({ set: { ':course': column.name }, from: {} });
    const block = repeat.at(-1);
    if (block !== undefined) block.from[`:${names[index]}`] = `#${index + 1}`;
  }
  const skip = [{ column: `#${first + 1}`, is: [names[first] ?? ''] }];
  const taken = new Set(below.map(({ column }) => column));
  return repeat.length < 2 ? undefined : { ...NOTHING, shape: { repeat }, skip, taken };
}

/** Words, of which half or more repeat others. */
function isHeader(names: readonly string[]): boolean {
  const words = names.filter((name) => name !== '');
  return new Set(words).size * 2 <= words.length && !words.some((word) => /\d|@/.test(word));
}

const NUMBERED = /^(.*?\p{L}.*?)[ _#.-]*(\d{1,2})$/u;

/** `Course 1, Status 1, Course 2, Status 2`: several courses in a row. */
function numbered({ columns }: TableProfile): FoundShape | undefined {
  const some = columns.flatMap((column) => {
    const [, name, number] = NUMBERED.exec(column.plain === '' ? '' : column.name) ?? [];
    return name === undefined || number === undefined ? [] : [{ column, name: `:${name}`, number }];
  });
  const blocks = new Map<string, Record<string, string>>();
  for (const { column, name, number } of some) {
    const block = blocks.get(number) ?? {};
    block[name] = column.reference;
    blocks.set(number, block);
  }
  const repeat = [...blocks.values()].map((from) => ({ from }));
  const names = Object.keys(repeat[0]?.from ?? {});
  return repeat.length > 1 && names.length > 1 && names.some(namesCourse)
    ? { ...NOTHING, shape: { repeat }, taken: new Set(some.map(({ column }) => column)) }
    : undefined;
}

const namesCourse = (name: string): boolean =>
  /course|training|class/i.test(name) || rolesOf(name.slice(1)).has('course');

/** What the cells of a matrix hold, and the header under which a person would write it. */
const CELLS: readonly (readonly [name: string, isCertain: boolean, fits: (column: ColumnProfile) => boolean])[] = [
  [
    ':status',
    true,
    ({ values }) => values.some((text) => isState(text)) && values.every((text) => meaningOf(text) !== undefined),
  ],
  [':progress', true, ({ values, isNumber }) => isNumber && values.every((text) => text.includes('%'))],
  [
    ':completed',
    false,
    ({ values, isFlag }) => isFlag || values.every((text) => ['yes', 'no'].includes(meaningOf(text) ?? '')),
  ],
  [':progress', false, ({ isNumber, isFlag }) => isNumber && !isFlag],
  [':completed on', false, ({ dateFormats }) => dateFormats.some((each) => !/^(excel|epoch)/.test(each))],
];

const isState = (text: string): boolean => !['yes', 'no', undefined].includes(meaningOf(text));

/** A wider table is no matrix whose headers are worth a search. */
const MOST_COURSES = 500;

/** A column for each course. */
function matrix(profile: TableProfile, { isCourse }: TableHead): FoundShape | undefined {
  const roles = guessColumns(profile.columns);
  if (roles.has('content.external_course_id') || roles.has('content.platform_course_id')) return undefined;
  const headers = profile.columns.length > MOST_COURSES ? [] : profile.columns;
  const named = headers.filter(({ name }) => isCourse?.(name) === true);
  const known = new Set(roles.values());
  const free = named.length > 1 ? named : profile.columns.filter((column) => !known.has(column) && mayBeCourse(column));
  for (const [name, isCertain, fits] of CELLS) {
    const some = free.filter((column) => column.values.length > 0 && fits(column));
    if (some.length > 1 && (named.length > 1 || hasDegrees(name, some))) return matrixOf(some, name, isCertain);
  }
  return undefined;
}

function matrixOf(columns: readonly ColumnProfile[], name: string, isCertain: boolean): FoundShape {
  const repeat = columns.map(({ name: course, reference }) => ({
    set: { ':course': course },
    from: { [name]: reference },
  }));
  const [sample] = columns;
  const text = `${columns.length} columns like "${sample?.name}" are read as courses, with cells like "${sample?.values[0]}" as ${name.slice(1)}.`;
  const known = isCertain ? { doubts: [text] } : { guesses: [text] };
  return { ...NOTHING, shape: { repeat }, taken: new Set(columns), ...known };
}

/** Columns of the classes of one course say viewed or not; those of courses say how far, too. */
function hasDegrees(name: string, columns: readonly ColumnProfile[]): boolean {
  if (name !== ':status') return name === ':progress';
  const meanings = new Set(columns.flatMap(({ values }) => values.map(meaningOf)));
  return (
    meanings.has('in_progress') || meanings.has('failed') || (meanings.has('not_started') && meanings.has('incomplete'))
  );
}

const mayBeCourse = ({ plain, isAddress }: ColumnProfile): boolean =>
  plain !== '' &&
  !isAddress &&
  !/status|state|mandatory|active|locale|language|manager|birth|hire|age$|total|average|overall|count/.test(plain);

/** Headings between the rows, or cells that are empty because the row above has their text. */
function outline(profile: TableProfile, { headings }: TableHead): FoundShape | undefined {
  const roles = guessColumns(profile.columns);
  const course = roles.get('content.external_course_id') ?? roles.get('content.platform_course_id');
  const learner = roles.get('user.email') ?? roles.get('user.external_user_id');
  const taken = new Set<ColumnProfile>();
  if (headings > 0 && course === undefined && learner !== undefined)
    return { ...NOTHING, shape: { headings: ':course' }, taken };
  if (headings > 0 && learner === undefined && course !== undefined)
    return { ...NOTHING, shape: { headings: ':email' }, taken };
  const sparse = [learner, course].filter((column) => column !== undefined && column.filled < profile.rows * 0.8);
  if (sparse.length === 0) return undefined;
  return {
    ...NOTHING,
    shape: { fill_down: sparse.map((column) => column?.reference ?? '') },
    taken,
    guesses: sparse.map((column) => {
      const empty = profile.rows - (column?.filled ?? 0);
      return `"${column?.reference}" is empty in ${empty} rows: each is read with the text of the row above.`;
    }),
  };
}
