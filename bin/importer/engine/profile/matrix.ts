/** Tables with a column for each course, or for each learner: a row is several. */
import { type MatrixCells, say } from '../ground/codes.ts';
import { guessColumns } from './roles.ts';
import { NAMED_BY } from '../ground/fields.ts';
import type { Role } from '../lexicon/headers.ts';
import { convertDate } from '../dates/date-format.ts';
import { isNeverDate, isNumberFormat } from '../dates/date-forms.ts';
import { ColumnProfile, isAddressText, type TableProfile } from './table-profile.ts';
import { saysTopic } from '../lexicon/topics.ts';
import { meaningOf, plainText } from '../lexicon/words.ts';
import type { FoundShape, TableHead } from './two-headers.ts';

/** A column for each learner: `Course, ana@x.test, ben@x.test`. */
export function byLearner({ columns }: TableProfile): FoundShape | undefined {
  const learners = columns.filter(({ name, isAddress }) => isAddressText(name) && !isAddress);
  const roles = guessColumns(columns);
  if (learners.length < 2 || !(roles.has('content.external_course_id') || roles.has('content.platform_course_id')))
    return undefined;
  const filled = learners.filter(({ values }) => values.length > 0);
  const kind = [...CELLS, DATED].find(([, fits]) => filled.length > 0 && filled.every(fits));
  return kind && repeated(filled, kind, { name: ':email', plural: 'learners' });
}

/** A column of a grade book, of Blackboard or Brightspace: a grade is neither a course nor a part of one. */
const isGrade = ({ name }: ColumnProfile): boolean => name.length < 400 && saysTopic(name.toLowerCase(), 'grade');

/** What the cells of a matrix hold, and the header under which a person would write it. */
type CellKind = readonly [name: MatrixCells, fits: (column: ColumnProfile) => boolean];

const CELLS: readonly [CellKind, ...CellKind[]] = [
  [
    ':status',
    ({ values }) => {
      const meanings = values.map(meaningOf);
      return meanings.some((each) => each !== 'yes' && each !== 'no') && !meanings.includes(undefined);
    },
  ],
  [':progress', ({ values, isNumber }) => isNumber && values.every((text) => text.includes('%'))],
  [
    ':completed',
    ({ values, isFlag }) => isFlag || values.every((text) => ['yes', 'no'].includes(meaningOf(text) ?? '')),
  ],
  [
    ':progress',
    ({ isNumber, isFlag, values }) => isNumber && !isFlag && values.every((text) => Number.parseFloat(text) <= 100),
  ],
];
const DATED: CellKind = [':completed on', ({ dateFormats }) => dateFormats.some((each) => !isNumberFormat(each))];
const EXPIRING: CellKind = [':expires on', DATED[1]];

const OF_PLAIN: readonly Role[] = ['status', 'progress.completion_pct', 'progress.completed_at', 'module'];

/**
 * A row without a course of its own; of columns that the catalog knows, the rest may be anything, also a learner under a header that
 * nobody knows, or of a code: of which column this is the platform says more.
 */
function hasCoursesBeside(roles: ReadonlyMap<Role, ColumnProfile>, named: number, hasCells: boolean): boolean {
  const has = (what: keyof typeof NAMED_BY): boolean => NAMED_BY[what].some((role) => roles.has(role));
  if (has('course') || !has('learner')) return named > 1 && !hasCells;
  return named > 1 || !(hasCells || OF_PLAIN.some((role) => roles.has(role)));
}

/** Most cells are courses of the platform, in whichever language the header is. */
const holdsCourses =
  ({ isCourse }: TableHead) =>
  ({ values }: ColumnProfile): boolean =>
    values.filter((text) => isCourse?.(text) === true).length * 2 > values.length;

/** A column for each course. */
export function matrix(profile: TableProfile, head: TableHead): FoundShape | undefined {
  const roles = guessColumns(profile.columns);
  const named = profile.columns.filter(({ name }) => head.isCourse?.(name) === true);
  if (!hasCoursesBeside(roles, named.length, profile.columns.some(holdsCourses(head)))) return undefined;
  const known = new Set(roles.values());
  const others = profile.columns.filter(
    (column) => !known.has(column) && column.plain !== '' && !column.isAddress && !isGrade(column),
  );
  if (named.length > 1) {
    const filled = named.filter(({ values }) => values.length > 0);
    const kinds = [...CELLS, datesOf(head, filled)];
    // Words that nobody knows, and codes, are kinds of rows that a person decides.
    const kind = kinds.find(([, fits]) => fits(allCells(filled))) ?? (filled.some(DATED[1]) ? kinds.at(-1) : undefined);
    return filled.length === 0 ? undefined : withLeft(filled, kind ?? CELLS[0], others);
  }
  const free = others.filter(({ topics }) => !topics.has('aside'));
  for (const kind of [...CELLS, datesOf(head, free)]) {
    const some = free.filter((column) => column.values.length > 0 && kind[1](column));
    if (some.length > 1 && hasDegrees(kind[0], some)) return withLeft(some, kind, others);
  }
  return undefined;
}

/** The cells of a matrix are those of one column. */
function allCells(columns: readonly ColumnProfile[]): ColumnProfile {
  const all = new ColumnProfile('', '');
  for (const { values } of columns) for (const text of values) all.add(text);
  return all;
}

/** The columns as courses; others with such cells are named. */
function withLeft(columns: readonly ColumnProfile[], kind: CellKind, others: readonly ColumnProfile[]): FoundShape {
  const found = repeated(columns, kind, COURSES);
  const left = others.filter((column) => !columns.includes(column) && column.values.length > 0 && kind[1](column));
  const names = left.map(({ reference }) => reference);
  return left.length === 0
    ? found
    : { ...found, says: [...found.says, say('columns_are_no_courses', { columns: names })] };
}

/** Whatever is said of expiry makes the dates of a matrix days of it, and so do dates of which most are still to come. */
function datesOf({ around, latest }: TableHead, columns: readonly ColumnProfile[]): CellKind {
  const dates = columns
    .flatMap(({ values, dateFormats }) => values.flatMap((text) => convertDate(text, dateFormats) ?? []))
    .filter((date) => !isNeverDate(date));
  const areToCome = dates.filter((date) => date > latest).length * 2 > dates.length;
  const said = plainText([around, ...columns.flatMap(({ values }) => values)].join(' '));
  return areToCome || saysTopic(said, 'expiry') ? EXPIRING : DATED;
}

const COURSES = { name: ':course', plural: 'courses' } as const;

/** A block for each column, whose header is a course or a learner. */
function repeated(
  columns: readonly ColumnProfile[],
  [name]: CellKind,
  header: { readonly name: string; readonly plural: 'courses' | 'learners' },
): FoundShape {
  const repeat = columns.map((column) => ({
    set: { [header.name]: column.name },
    from: { [name]: column.reference },
  }));
  const [first] = columns;
  const { plural: what } = header;
  const says = [say('columns_are', { what, count: columns.length, like: first?.name ?? '', cells: name })];
  return { skip: [], shape: { repeat }, taken: new Set(columns), says };
}

/** Not a share of a course: `study_duration, avg_rating` are facts about one. */
const isMeasure = ({ topics, isNumber, values }: ColumnProfile): boolean =>
  topics.has('no_percentage') && isNumber && !values.some((text) => text.includes('%'));

/** Columns of the classes of one course say viewed or not; those of courses say how far, too. */
function hasDegrees(name: string, columns: readonly ColumnProfile[]): boolean {
  if (name !== ':status') return name === ':progress' && columns.filter(isMeasure).length * 2 <= columns.length;
  const meanings = new Set(columns.flatMap(({ values }) => values.map(meaningOf)));
  return (
    meanings.has('in_progress') || meanings.has('failed') || (meanings.has('not_started') && meanings.has('incomplete'))
  );
}
