/** `Fire Safety Completed On, Fire Safety Expires On`: the days of a course in each header. */
import { convertDate } from '../dates/date-format.ts';
import { isNumberFormat } from '../dates/date-forms.ts';
import { type Topic, saysTopic } from '../lexicon/topics.ts';
import { plainText } from '../lexicon/words.ts';
import { guessColumns, isOtherDay } from './roles.ts';
import type { ColumnProfile, TableProfile } from './table-profile.ts';
import { type FoundShape, SIDE_BY_SIDE, type TableHead } from './two-headers.ts';

/** A header, as the course before it and what it says of the day. */
interface Cut {
  readonly course: string;
  readonly says: 'completion' | 'expiry';
}

interface Days {
  done?: ColumnProfile | undefined;
  expires?: ColumnProfile | undefined;
}

/**
 * The activities of one course have days of completion, too: columns are courses if their days expire, or if the platform has such
 * courses.
 */
export function daysOfCourses({ columns }: TableProfile, { isCourse, latest }: TableHead): FoundShape | undefined {
  const roles = guessColumns(columns);
  if (!(roles.has('user.email') || roles.has('user.external_user_id')) || roles.has('content.external_course_id'))
    return undefined;
  const courses = [...coursesIn(columns, latest)].flatMap(([course, { done, expires }]) =>
    done === undefined ? [] : [{ course, done, expires }],
  );
  const certain = courses.filter(({ course, expires }) => expires !== undefined || isCourse?.(course) === true);
  if (certain.length < 2) return undefined;
  const repeat = courses.map(({ course, done, expires }) => ({
    set: { ':course': course },
    from: {
      ':completed on': done.reference,
      ...(expires === undefined ? {} : { ':expires on': expires.reference }),
    },
  }));
  const taken = new Set(courses.flatMap(({ done, expires }) => (expires === undefined ? done : [done, expires])));
  return { ...SIDE_BY_SIDE, shape: { repeat }, taken };
}

function coursesIn(columns: readonly ColumnProfile[], latest: string): ReadonlyMap<string, Days> {
  const courses = new Map<string, Days>();
  const dated = columns.filter((column) => column.dateFormats.some((format) => !isNumberFormat(format)));
  for (const column of dated) {
    const { course, says } = cutOf(column.plain === '' ? '' : column.name) ?? {};
    if (course === undefined) continue;
    const days = courses.get(course) ?? {};
    courses.set(course, says === 'expiry' ? { expires: column, ...days } : { done: column, ...days });
  }
  for (const [course, days] of courses)
    days.done ??= dated.find(isUnder(course)) ?? beginOfExpiry(course, days, dated, latest);
  return courses;
}

/** The day of a course may stand under its name alone. */
const isUnder =
  (course: string) =>
  ({ name }: ColumnProfile): boolean =>
    name.trim() === course;

/** `B1V - délivrée le` beside `B1V - valable jusqu’au`: the only other day of the course, in as many rows, and never to come. */
function beginOfExpiry(
  course: string,
  { expires }: Days,
  dated: readonly ColumnProfile[],
  latest: string,
): ColumnProfile | undefined {
  const own = dated.filter((column) => column !== expires && isHeadedBy(course, column));
  const [only] = own;
  if (only === undefined || own.length > 1 || only.filled !== expires?.filled || isOtherDay(only)) return undefined;
  const dates = only.values.flatMap((text) => convertDate(text, only.dateFormats) ?? []);
  return dates.some((date) => date > latest) ? undefined : only;
}

const isHeadedBy = (course: string, { name }: ColumnProfile): boolean =>
  name.startsWith(course) && /^\s*[-–:|(_]/.test(name.slice(course.length));

/** A longer header is prose. */
const MOST_WORDS = 30;

/** The shortest ending that says it, and what names a day before that: `Fire Safety | Date completed`. */
function cutOf(header: string): Cut | undefined {
  const words = header.trim().split(/[\s_]+/);
  if (words.length > MOST_WORDS) return undefined;
  const saysAt = (at: number, topic: Topic): boolean => saysTopic(plainText(words.slice(at).join(' ')), topic);
  const at = words.findLastIndex((_, index) => saysAt(index, 'expiry') || saysAt(index, 'completion'));
  const says = saysAt(at, 'expiry') ? 'expiry' : 'completion';
  const course = words
    .slice(0, beginOfDay(words, at))
    .join(' ')
    .replace(/(?<!\s)\s*[-–:|(]$/, '');
  return at < 1 || course === '' || saysTopic(plainText(course), 'plain_part') ? undefined : { course, says };
}

const SHORT = 3;

/** `Date`, and `Date of`. */
function beginOfDay(words: readonly string[], at: number): number {
  const isDay = (index: number): boolean => saysTopic(plainText(words[index] ?? ''), 'day');
  if (isDay(at - 1)) return at - 1;
  return (words[at - 1]?.length ?? 0) <= SHORT && isDay(at - 2) ? at - 2 : at;
}
