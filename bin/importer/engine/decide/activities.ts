/** A report of one course has a column for each activity, and one for the course: an activity never completes it. */
import type { KindValues } from '../language/findings.ts';
import type { Role } from '../lexicon/headers.ts';
import { saysTopic, topicExpression } from '../lexicon/topics.ts';
import { meaningOf, meansDone } from '../lexicon/words.ts';
import { isNumberFormat } from '../dates/date-forms.ts';
import { isDayOfCompletion, isOfFirstTime, isOtherDay, isPlanned, isStatusHeader, saysRole } from '../profile/roles.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import { asks, asksAlone } from './asks.ts';

/** The columns of activities, and that of the course. */
export interface Activities {
  /** The days of activities, each with the column of its words, if it has one. */
  readonly days: ReadonlyMap<ColumnProfile, ColumnProfile | undefined>;
  /** The day of the course: filled no more often than any other. */
  readonly whole: ColumnProfile | undefined;
  /** No header says that they are of activities: they are none if the day of the course is filled where some other is not. */
  readonly areUnsaid?: boolean;
}

/** What stands before a day of completion, and the words that it shares with others. */
interface Headed {
  readonly column: ColumnProfile;
  readonly beginning: string;
  readonly ending: string;
}

/** Several days of completion whose headers differ in their beginnings: `Lesson - Completion date`, `Quiz - Completion date`. */
export function activitiesIn(columns: readonly ColumnProfile[]): Activities | undefined {
  const days = columns.filter((column) => saysDayDone(column) && !isOfFirstTime(column));
  const endings = new Map<string, Headed[]>();
  for (const headed of days.flatMap(headedBy))
    endings.set(headed.ending, [...(endings.get(headed.ending) ?? []), headed]);
  const [most = []] = [...endings.values()].toSorted((a, b) => b.length - a.length || wordsOf(b) - wordsOf(a));
  if (most.length > 1) return among(columns, days, most);
  return onlyActivity(columns, days) ?? unnamedDays(columns) ?? daysBefore(columns, days);
}

/**
 * The only days beside that of the course, under names of what has to be done for it: `Read the policy, Quiz, Course complete`. A day that
 * every row has may be of what happens before it.
 */
function daysBefore(
  columns: readonly ColumnProfile[],
  [whole, ...others]: readonly ColumnProfile[],
): Activities | undefined {
  if (whole === undefined || others.length > 0 || !asksAlone(whole)) return undefined;
  const rows = Math.max(...columns.map(({ filled }) => filled));
  const days = columns.filter(
    (column) => column !== whole && column.dateFormats.some((format) => !isNumberFormat(format)),
  );
  const areParts =
    days.length > 1 &&
    days.every((column) => isNameOfPart(column) && column.filled >= whole.filled && column.filled < rows);
  return areParts ? { days: new Map(days.map((column) => [column, undefined])), whole, areUnsaid: true } : undefined;
}

/** It says neither that its cells are days, nor of what. */
const isNameOfPart = (column: ColumnProfile): boolean =>
  !column.topics.hasAny('day', 'ended', 'started', 'obtained', 'certificate') &&
  !isOtherDay(column) &&
  !saysRole(column.name);

/** The words of several activities, each with a day behind it that has no header, as Moodle writes them. */
function unnamedDays(columns: readonly ColumnProfile[]): Activities | undefined {
  const days = columns.flatMap((column, at) => {
    const words = columns[at - 1];
    const isBehind = column.name === '' && column.dateFormats.length > 0 && words !== undefined && areStates(words);
    return isBehind ? [[column, words] as const] : [];
  });
  return days.length < 2 ? undefined : { days: new Map(days), whole: undefined };
}

/** One activity, with a column of its words, and beside it the day of the course: `Quiz, Quiz - Completion date, Course complete`. */
function onlyActivity(columns: readonly ColumnProfile[], days: readonly ColumnProfile[]): Activities | undefined {
  const isActivity = ({ beginning }: Headed): boolean =>
    columns.some((column) => column.plain === beginning && !isStatusHeader(column) && areStates(column));
  const [day, ...others] = days.flatMap(headedBy).filter(isActivity);
  if (day === undefined || others.length > 0) return undefined;
  const found = among(columns, days, [day]);
  return found.whole === undefined ? undefined : found;
}

const areStates = ({ values }: ColumnProfile): boolean =>
  values.length > 0 && values.every((text) => meaningOf(text) !== undefined);

function among(columns: readonly ColumnProfile[], days: readonly ColumnProfile[], most: readonly Headed[]): Activities {
  const least = Math.min(...most.map(({ column }) => column.filled));
  const others = days.filter((column) => !most.some((each) => each.column === column));
  const wholes = others.filter(({ filled }) => filled <= least).toSorted((a, b) => a.filled - b.filled);
  const whole = wholes.findLast(({ filled }) => filled === wholes[0]?.filled);
  const named = most.map(
    ({ column, beginning }) => [column, columns.find(({ plain }) => plain === beginning)] as const,
  );
  const rest = others.filter((column) => column !== whole).map((column) => [column, undefined] as const);
  return { days: new Map([...named, ...rest]), whole };
}

/** `Course complete` is the header of a status, too: its dates tell. */
const saysDayDone = (column: ColumnProfile): boolean =>
  isDayOfCompletion(column) ||
  (column.dateFormats.some((format) => !isNumberFormat(format)) && asks(column) === 'completed' && !isPlanned(column));

const wordsOf = ([first]: readonly Headed[]): number => first?.ending.length ?? 0;

/** In every way in which its header may be cut; a beginning that is nothing but `Course` is of the whole. */
function headedBy(column: ColumnProfile): Headed[] {
  const words = column.plain.split(' ');
  return words.slice(1).flatMap((_word, at) => {
    const [beginning, ending] = [words.slice(0, at + 1).join(' '), words.slice(at + 1).join(' ')];
    const isPart = beginning.replace(topicExpression('of_course'), '') !== '' && saysTopic(ending, 'completion');
    return isPart ? [{ column, beginning, ending }] : [];
  });
}

const columnsOf = ({ days }: Activities): ReadonlySet<ColumnProfile | undefined> =>
  new Set([...days.keys(), ...days.values()]);

/** No column of an activity has a role, and the day of the course is that of its completion. */
export function rolesBeside(
  roles: ReadonlyMap<Role, ColumnProfile>,
  activities: Activities | undefined,
): Map<Role, ColumnProfile> {
  if (activities === undefined) return new Map(roles);
  const parts = columnsOf(activities);
  const kept = new Map([...roles].filter(([, column]) => !parts.has(column)));
  return activities.whole === undefined ? kept : kept.set('progress.completed_at', activities.whole);
}

/** The names of the columns of activities, and of that of the course. */
export interface ActivityNames {
  readonly parts: ReadonlySet<string>;
  readonly whole: string | undefined;
}

/** The column of the course is one of an activity, too, if it is filled where some activity is not done. */
export function namesOfActivities(
  activities: Activities | undefined,
  kinds: readonly { readonly values: KindValues }[],
): ActivityNames | undefined {
  if (activities === undefined) return undefined;
  const parts = new Set([...columnsOf(activities)].flatMap((column) => column?.reference ?? []));
  const whole = activities.whole?.reference;
  if (whole === undefined) return { parts, whole };
  const isWhole = kinds.every(
    ({ values }) => values[whole] !== 'a date' || doneIn(values, { parts, whole }) !== 'some',
  );
  if (isWhole) return { parts, whole };
  return activities.areUnsaid === true ? undefined : { parts: parts.add(whole), whole: undefined };
}

/** How many activities a kind says to be done. */
export function doneIn(values: KindValues, { parts }: ActivityNames): 'none' | 'some' | 'all' {
  const texts = Object.entries(values).flatMap(([name, is]) => (parts.has(name) ? [is] : []));
  const done = texts.filter((is) => is === 'a date' || meansDone(is)).length;
  if (done === 0) return 'none';
  return done === texts.length ? 'all' : 'some';
}
