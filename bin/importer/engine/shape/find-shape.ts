/** Finds the shape of a table that has several courses in a row, or several rows to a learner's name. */
import { guessColumns, isAside, type Role, saysExpiry } from '../kinds/roles.ts';
import { convertDate } from '../mapping/date-format.ts';
import { isNeverDate } from '../mapping/date-forms.ts';
import { type ColumnProfile, isAddressText, type TableProfile } from '../mapping/table-profile.ts';
import { meaningOf, plainText, rolesOf } from '../words/words.ts';
import { belowTitles, type FoundShape, SIDE_BY_SIDE, type TableHead, underTwoHeaders } from './two-headers.ts';

/** A row of a wider table has no courses side by side: each would be a row of that width. */
const MOST_COLUMNS = 1000;

/** @returns `undefined` for a table in which each row is a learner in a course */
export function findShape(profile: TableProfile, head: TableHead): FoundShape | undefined {
  const sideBySide = [underTwoHeaders, belowTitles, numbered, paired, byLearner, matrix];
  for (const find of profile.columns.length > MOST_COLUMNS ? [outline] : [...sideBySide, outline]) {
    const found = find(profile, head);
    if (found !== undefined) return found;
  }
  return undefined;
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
    ? { ...SIDE_BY_SIDE, shape: { repeat }, taken: new Set(some.map(({ column }) => column)) }
    : undefined;
}

/** What follows the name of a course in a header, and the member that it fills. */
const PARTS: readonly (readonly [name: string, pattern: RegExp])[] = [
  [':status', /^(completion )?(status|state)$/],
  [':progress', /^(progress|completion|%|percent( complete)?)$/],
  [':completed on', /^(complet(ed|ion)|finish(ed)?) ?(on|at|date)?$|^date( completed)?$/],
  [':passed', /^pass(ed)?$/],
  [':completed', /^(completed|done|finished)$/],
  [':started on', /^(start(ed)?|enroll?ed) ?(on|at|date)?$/],
  [':score', /^(score|grade|result %)$/],
];
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
    const part = PARTS.find(([name, pattern]) => pattern.test(end) && holds(name, column))?.[0];
    const course = words
      .slice(0, -count)
      .join(' ')
      .replace(/\s*[-–:|]$/, '');
    if (part !== undefined && course !== '') return isPlain(course) ? undefined : [course, part];
  }
  return undefined;
}

/** `Enrollment Status` and `Course Progress` are headers of a plain table. */
const isPlain = (course: string): boolean =>
  /^(enroll?ment|registration|completion|training|course|learner|user|employee|employment|learning|current|overall|final|status|renewal|certification|approval|is|last|first|date|account|campaign|content|activity|module|lesson|class|exam|quiz|test|assessment|highest|best|attendance|participation|progress|due|target|expected|assignment|transcript|success|pass|passing|lms|user account|program|programme|path|curriculum|session|event|payment|license|billing)$/i.test(
    course.replaceAll('_', ' '),
  );

const holds = (part: string, { values, dateFormats, isNumber, isFlag }: ColumnProfile): boolean => {
  if (values.length === 0) return false;
  if (part === ':status') return values.some((text) => meaningOf(text) !== undefined) && !isNumber;
  if (STATES.includes(part)) return isFlag || values.every((text) => ['yes', 'no'].includes(meaningOf(text) ?? ''));
  return part.endsWith(' on') ? dateFormats.length > 0 : isNumber && !isFlag;
};

/** A column for each learner: `Course, ana@x.test, ben@x.test`. */
function byLearner({ columns }: TableProfile): FoundShape | undefined {
  const learners = columns.filter(({ name, isAddress }) => isAddressText(name) && !isAddress);
  const roles = guessColumns(columns);
  if (learners.length < 2 || !(roles.has('content.external_course_id') || roles.has('content.platform_course_id')))
    return undefined;
  const filled = learners.filter(({ values }) => values.length > 0);
  const kind = [...CELLS, DATED].find(([, fits]) => filled.length > 0 && filled.every(fits));
  return kind && repeated(filled, kind, { name: ':email', plural: 'learners' });
}

const namesCourse = (name: string): boolean =>
  /course|training|class/i.test(name) || rolesOf(name.slice(1)).has('course');

/** A column of a grade book, of Blackboard or Brightspace: a grade is neither a course nor a part of one. */
const isGrade = ({ name }: ColumnProfile): boolean =>
  name.length < 400 &&
  /\[Total Pts: [^\]]*\]|\b(?:points grade|text grade|grade symbol|weighted grade)\b.*<.*>$|^(?:adjusted|calculated) final grade/i.test(
    name,
  );

/** What the cells of a matrix hold, and the header under which a person would write it. */
type CellKind = readonly [name: string, fits: (column: ColumnProfile) => boolean];

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
const DATED: CellKind = [
  ':completed on',
  ({ dateFormats }) => dateFormats.some((each) => !/^(excel|epoch)/.test(each)),
];
const EXPIRING: CellKind = [':expires on', DATED[1]];

/** A table with one of these has a course in a row, and a learner. */
const OF_ONE_COURSE: readonly Role[] = ['content.external_course_id', 'content.platform_course_id'];
const OF_PLAIN: readonly Role[] = ['status', 'progress.completion_pct', 'progress.completed_at', 'module'];

/** A row with a learner, and without a course of its own; of columns that the catalog knows, the rest may be anything. */
function hasCoursesBeside(roles: ReadonlyMap<Role, ColumnProfile>, named: number, hasCells: boolean): boolean {
  const hasLearner = roles.has('user.email') || roles.has('user.external_user_id');
  if (!hasLearner || OF_ONE_COURSE.some((role) => roles.has(role))) return false;
  return named > 1 || !(hasCells || OF_PLAIN.some((role) => roles.has(role)));
}

/** Most cells are courses of the platform, in whichever language the header is. */
const holdsCourses =
  ({ isCourse }: TableHead) =>
  ({ values }: ColumnProfile): boolean =>
    values.filter((text) => isCourse?.(text) === true).length * 2 > values.length;

/** A column for each course. */
function matrix(profile: TableProfile, head: TableHead): FoundShape | undefined {
  const roles = guessColumns(profile.columns);
  const named = profile.columns.filter(({ name }) => head.isCourse?.(name) === true);
  if (!hasCoursesBeside(roles, named.length, profile.columns.some(holdsCourses(head)))) return undefined;
  const known = new Set(roles.values());
  const others = profile.columns.filter(
    (column) => !known.has(column) && column.plain !== '' && !column.isAddress && !isGrade(column),
  );
  const free = named.length > 1 ? named : others.filter((column) => !isAside(column));
  const dated = datesOf(head, free);
  for (const kind of [...CELLS, dated]) {
    const [name, fits] = kind;
    const holdsSome = (column: ColumnProfile): boolean => column.values.length > 0 && fits(column);
    const some = free.filter(holdsSome);
    if (some.length < 2 || (named.length < 2 && !hasDegrees(name, some))) continue;
    const found = repeated(some, kind, COURSES);
    const left = others.filter((column) => !some.includes(column) && holdsSome(column));
    const names = left.map(({ reference }) => reference).join(', ');
    return left.length === 0 ? found : { ...found, says: `${found.says} Not read as courses: ${names}.` };
  }
  // Codes that a person knows.
  const coded = named.filter(({ values }) => values.length > 0);
  return coded.length > 1 ? repeated(coded, coded.some(dated[1]) ? dated : CELLS[0], COURSES) : undefined;
}

/** Whatever is said of expiry makes the dates of a matrix days of it, and so do dates of which most are still to come. */
function datesOf({ around, latest }: TableHead, columns: readonly ColumnProfile[]): CellKind {
  const dates = columns
    .flatMap(({ values, dateFormats }) => values.flatMap((text) => convertDate(text, dateFormats) ?? []))
    .filter((date) => !isNeverDate(date));
  const areToCome = dates.filter((date) => date > latest).length * 2 > dates.length;
  return areToCome || saysExpiry([around, ...columns.flatMap(({ values }) => values)].join(' ')) ? EXPIRING : DATED;
}

const COURSES = { name: ':course', plural: 'courses' };

/** What a person should know of dates. */
const AFTER: Readonly<Record<string, string>> = {
  ':completed on': ' If these are days of expiry, leave the rows out: they do not say when a course was completed.',
  ':expires on': ' Days of expiry do not say when a course was completed: export the days of completion.',
};

/** A block for each column, whose header is a course or a learner. */
function repeated(
  columns: readonly ColumnProfile[],
  [name]: CellKind,
  header: { readonly name: string; readonly plural: string },
): FoundShape {
  const repeat = columns.map((column) => ({
    set: { [header.name]: column.name },
    from: { [name]: column.reference },
  }));
  const says = `${columns.length} columns like "${columns[0]?.name}" are read as ${header.plural}, and their cells as ${name.slice(1)}.${AFTER[name] ?? ''}`;
  return { skip: [], shape: { repeat }, taken: new Set(columns), says };
}

/** Columns of the classes of one course say viewed or not; those of courses say how far, too. */
function hasDegrees(name: string, columns: readonly ColumnProfile[]): boolean {
  if (name !== ':status') return name === ':progress';
  const meanings = new Set(columns.flatMap(({ values }) => values.map(meaningOf)));
  return (
    meanings.has('in_progress') || meanings.has('failed') || (meanings.has('not_started') && meanings.has('incomplete'))
  );
}

/** Headings between the rows, or cells that are empty because the row above has their text. */
function outline(profile: TableProfile, { headings }: TableHead): FoundShape | undefined {
  const roles = guessColumns(profile.columns);
  const course = roles.get('content.external_course_id') ?? roles.get('content.platform_course_id');
  const learner = roles.get('user.email') ?? roles.get('user.external_user_id');
  const taken = new Set<ColumnProfile>();
  const isOfCourse = course === undefined;
  if (headings.others + (isOfCourse ? 0 : headings.learners) > 0 && isOfCourse !== (learner === undefined)) {
    const [name, what] = isOfCourse ? [':course', 'course'] : [':email', 'learner'];
    const says = `Rows with nothing but a first cell are the ${what} of the rows below.`;
    return { skip: [], shape: { headings: name }, taken, says };
  }
  const some = [learner, course].filter((column) => column !== undefined);
  const names = some.flatMap(({ filled, reference }) => (filled < profile.rows * 0.6 ? [reference] : []));
  if (names.length === 0) return undefined;
  return {
    skip: [],
    shape: { fill_down: names },
    taken,
    says: `An empty cell of ${names.map((name) => `"${name}"`).join(' and ')} has the text of the row above.`,
  };
}
