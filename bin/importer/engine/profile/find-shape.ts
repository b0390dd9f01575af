/** Finds the shape of a table that has several courses in a row, or several rows to a learner's name. */
import { guessColumns } from './roles.ts';
import type { ColumnProfile, TableProfile } from './table-profile.ts';
import { namesRole, COURSE_PARTS } from '../lexicon/headers.ts';
import { saysTopic } from '../lexicon/topics.ts';
import { meaningOf, plainText, rolesOf } from '../lexicon/words.ts';
import { daysOfCourses } from './days-of-courses.ts';
import { byLearner, matrix } from './matrix.ts';
import { say } from '../ground/codes.ts';
import { SECTION } from './shaped-rows.ts';
import {
  belowTitles,
  firstRepeated,
  type FoundShape,
  SIDE_BY_SIDE,
  type TableHead,
  underTwoHeaders,
} from './two-headers.ts';

/** A row of a wider table has no courses side by side: each would be a row of that width. */
const MOST_COLUMNS = 1000;

/** @returns `undefined` for a table in which each row is a learner in a course */
export function findShape(profile: TableProfile, head: TableHead): FoundShape | undefined {
  const sideBySide = [underTwoHeaders, belowTitles, numbered, again, paired, daysOfCourses, byLearner, matrix];
  for (const find of profile.columns.length > MOST_COLUMNS ? [outline] : [...sideBySide, outline]) {
    const found = find(profile, head);
    if (found !== undefined) return found;
  }
  const roles = guessColumns(profile.columns);
  const isWhole = learnerIn(roles) !== undefined && courseIn(roles) !== undefined;
  return isWhole && head.hasSections ? SECTIONS : undefined;
}

/** Headings that name neither a learner nor a course may say what became of the rows below them, like `Cancelled`. */
const SECTIONS: FoundShape = {
  skip: [],
  shape: { headings: SECTION },
  taken: new Set(),
  says: [say('headings_are_a_column', { column: SECTION })],
};

const NUMBERED = /(?<![ _#.-])[ _#.-]*(\d{1,2})$/;

/** `Course 1, Status 1, Course 2, Status 2`: several courses in a row. */
function numbered({ columns }: TableProfile): FoundShape | undefined {
  const some = columns.flatMap((column) => {
    const found = NUMBERED.exec(column.plain === '' ? '' : column.name);
    const [, number = ''] = found ?? [];
    const name = column.name.slice(0, found?.index ?? 0);
    return /\p{L}/u.test(name) ? [{ column, name: `:${name}`, number }] : [];
  });
  const blocks = new Map<string, Map<string, string>>();
  for (const { column, name, number } of some) {
    const block = blocks.get(number) ?? new Map<string, string>();
    block.set(name, column.reference);
    blocks.set(number, block);
  }
  const repeat = [...blocks.values()].map((block) => ({ from: Object.fromEntries(block) }));
  const names = Object.keys(repeat[0]?.from ?? {});
  return repeat.length > 1 && names.length > 1 && names.some(namesCourse)
    ? { ...SIDE_BY_SIDE, shape: { repeat }, taken: new Set(some.map(({ column }) => column)) }
    : undefined;
}

/** `Email, Course, Date, Course, Date`, or whole tables beside each other: the same names again, one of them of the course. */
function again({ columns }: TableProfile): FoundShape | undefined {
  const named = columns.filter(({ name }) => name !== '');
  const names = named.map(({ name }) => name);
  const first = firstRepeated(names);
  const width = names.indexOf(names[first] ?? '', first + 1) - first;
  const taken = named.slice(Math.max(0, first));
  const block = names.slice(first, first + width);
  const isAgain = taken.every(({ name }, index) => name === block[index % width]) && taken.length % width === 0;
  if (first === -1 || width < 2 || !isAgain || !block.some((name) => namesCourse(`:${name}`))) return undefined;
  const repeat = taken.flatMap((_, start) =>
    start % width === 0
      ? { from: Object.fromEntries(block.map((name, index) => [`:${name}`, taken[start + index]?.reference ?? ''])) }
      : [],
  );
  return { ...SIDE_BY_SIDE, shape: { repeat }, taken: new Set(taken) };
}

const STATES = [':status', ':passed', ':completed'];
const MOST_WORDS = 3;

/** `Security Status, Security Completed On, Welcome Status, Welcome Completed On`: a course in each header. */
function paired({ columns }: TableProfile): FoundShape | undefined {
  const courses = new Map<string, { readonly from: Record<string, string>; readonly taken: ColumnProfile[] }>();
  for (const column of columns) {
    const [course, part] = partOf(column) ?? [];
    if (course === undefined || part === undefined) continue;
    const known = courses.get(course) ?? { from: {}, taken: [] };
    courses.set(course, { from: { [part]: column.reference, ...known.from }, taken: [...known.taken, column] });
  }
  // A course has a state and more; a lone `Course Status` is a column of a plain table.
  const whole = [...courses].filter(
    ([, { from }]) => Object.keys(from).length > 1 && STATES.some((name) => name in from),
  );
  const several = whole.length > 1 ? whole : [...courses].filter(([, { from }]) => ':status' in from);
  if (several.length < 2) return undefined;
  // `Course A` beside `Course A Status` has the title of the course in its cells.
  const titled = several.map(([course, { from, taken }]) => {
    const title = columns.find(({ name }) => name.trim() === course);
    return title === undefined
      ? { block: { set: { ':course': course }, from }, taken }
      : { block: { from: { ':course': title.reference, ...from } }, taken: [title, ...taken] };
  });
  return {
    ...SIDE_BY_SIDE,
    shape: { repeat: titled.map(({ block }) => block) },
    taken: new Set(titled.flatMap(({ taken }) => taken)),
  };
}

/** The course in a header and the part of it; `undefined` for another header, and for a column of no such values. */
function partOf(column: ColumnProfile): readonly [course: string, part: string] | undefined {
  const words = column.plain === '' ? [] : column.name.trim().split(/[\s_]+/);
  for (let count = Math.min(MOST_WORDS, words.length - 1); count > 0; count -= 1) {
    const end = plainText(words.slice(-count).join(' '));
    const part = COURSE_PARTS.find((name) => namesRole(end, name) && holds(name, column));
    const course = words
      .slice(0, -count)
      .join(' ')
      .replace(/(?<!\s)\s*[-–:|]$/, '');
    if (part !== undefined && course !== '') return isPlain(course) ? undefined : [course, part];
  }
  return undefined;
}

/** `Enrollment Status` and `Course Progress` are headers of a plain table. */
const isPlain = (course: string): boolean => saysTopic(course.replaceAll('_', ' ').toLowerCase(), 'plain_part');

const holds = (part: string, { values, dateFormats, isNumber, isFlag }: ColumnProfile): boolean => {
  if (values.length === 0) return false;
  if (part === ':status') return values.some((text) => meaningOf(text) !== undefined) && !isNumber;
  if (STATES.includes(part)) return isFlag || values.every((text) => ['yes', 'no'].includes(meaningOf(text) ?? ''));
  return part.endsWith(' on') ? dateFormats.length > 0 : isNumber && !isFlag;
};

const namesCourse = (name: string): boolean =>
  saysTopic(name.toLowerCase(), 'course') || rolesOf(name.slice(1)).has('course');

/** Finds headings between the rows, or empty cells that take the text of the row above. */
function outline(profile: TableProfile, { headings, rows: [top = []] }: TableHead): FoundShape | undefined {
  const roles = guessColumns(profile.columns);
  const [learner, course] = [learnerIn(roles), courseIn(roles)];
  const taken = new Set<ColumnProfile>();
  const isOfCourse = course === undefined;
  if (headings.others + (isOfCourse ? 0 : headings.learners) > 0 && isOfCourse !== (learner === undefined)) {
    const [name, what] = isOfCourse ? ([':course', 'course'] as const) : ([':email', 'learner'] as const);
    return { skip: [], shape: { headings: name }, taken, says: [say('headings_name', { what })] };
  }
  const some = [learner, course].filter((column) => column !== undefined);
  // An empty cell in the first row has no text above.
  const isOutline = (column: ColumnProfile): boolean =>
    column.filled < profile.rows * 0.6 && top[profile.columns.indexOf(column)]?.trim() !== '';
  const names = some.filter(isOutline).map(({ reference }) => reference);
  if (names.length === 0) return undefined;
  return {
    skip: [],
    shape: { fill_down: names },
    taken,
    says: [say('empty_cells_have_text_above', { columns: names })],
  };
}

const learnerIn = (roles: ReturnType<typeof guessColumns>): ColumnProfile | undefined =>
  roles.get('user.email') ?? roles.get('user.external_user_id');
const courseIn = (roles: ReturnType<typeof guessColumns>): ColumnProfile | undefined =>
  roles.get('content.external_course_id') ?? roles.get('content.platform_course_id');
