/** Files in which nothing may be the day of an outcome: what their words say is stored with the day of the import. */
import { isHeaderOf, type Role } from '../lexicon/headers.ts';
import { meaningOf, rolesOf } from '../lexicon/words.ts';
import { isOtherDay, isPlanned } from '../profile/roles.ts';
import { isOfShape } from '../profile/shaped-rows.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import { asks, asksAlone } from './asks.ts';
import type { FileContext } from './begun.ts';
import { DATE_ROLES } from './column-facts.ts';
import type { Part, SuggestedBy } from './part.ts';
import { meantBy } from './word-rules.ts';

interface Columns {
  readonly named: readonly ColumnProfile[];
  readonly roleOf: ReadonlyMap<ColumnProfile, Role>;
  readonly formatOf: (column: ColumnProfile) => string | undefined;
}

/** True if no column may have the day of an outcome, whether its dates can be read or not. */
export const areDayless = ({ named, roleOf, formatOf }: Columns): boolean =>
  !named.some((column) => isOfEnrolments(column) || mayBeDay(column, roleOf.get(column), formatOf(column)));

/** Students and teachers, as Canvas lists them: such an enrolment is completed when its term is over. */
const isOfEnrolments = ({ plain, values }: ColumnProfile): boolean =>
  /^(role|type)$/.test(plain) && values.some((text) => /^student/i.test(text));

const BEGUN: ReadonlySet<Role | undefined> = new Set<Role>(['progress.started_at', 'enrolled']);

function mayBeDay(column: ColumnProfile, role: Role | undefined, format: string | undefined): boolean {
  const { topics } = column;
  if (DATE_ROLES.has(role)) return !BEGUN.has(role) && !topics.has('row_activity');
  const asked = asks(column) !== undefined;
  if (isOtherDay(column)) return saysSince(column) || (asked && !isPlanned(column));
  return (format ?? column.dated) !== undefined || ((asked || topics.has('day')) && mayHaveYears(column));
}

/** Until when, or since when, something is valid: who completed it long ago did not do so today. */
const saysSince = ({ topics, plain }: ColumnProfile): boolean =>
  (topics.hasAny('expiry', 'certificate', 'term_end') || /\bvalid/.test(plain)) && !/\bdue\b/.test(plain);

const mayHaveYears = ({ values }: ColumnProfile): boolean =>
  values.length === 0 || values.some((text) => /\b(19|20)\d\d\b/.test(text));

/** Whether the words of a kind say an outcome of the course, or its percentage the whole, in a file without days. */
export const saidWithoutDays = (parts: readonly Part[], { isDayless }: FileContext) => ({
  isOutcomeDayless: isDayless === true && parts.some(saysOutcome),
  isWholeDayless: isDayless === true && parts.some((part) => part.is === '100' && isProgressOfCourse(part)),
});

/** A word says it of the course, and not of a survey or an order. */
const saysOutcome = (part: Part): boolean =>
  ['completed', 'passed', 'failed'].includes(meantBy(part) ?? '') && isStateOfCourse(part.column);

/** An enrolment may be completed when its term is over: beside those in progress it is the course that is. */
const isStateOfCourse = (column: ColumnProfile): boolean =>
  isOfShape(column.reference) ||
  (!column.topics.has('part_of_course') &&
    (!column.topics.has('of_enrolment') || column.values.some((text) => meaningOf(text) === 'in_progress')) &&
    (asksAlone(column) || isHeaderOf(column.name, 'status', 'assessment.status') || saysState(column.plain)));

/** `Estado asignatura`: a status, and of a course. */
const saysState = (plain: string): boolean =>
  plain.split(' ').every((word) => isHeaderOf(word, 'status') || rolesOf(word).has('course'));

/** Its percentages are those of the course: neither planned, nor of lessons, a quiz or a team, nor a mere `Percentage`. */
const isProgressOfCourse = ({ column, role }: SuggestedBy): boolean =>
  (column.topics.has('progress') || (role === 'progress.completion_pct' && column.topics.has('completion'))) &&
  !column.topics.hasAny('exam', 'person', 'part_of_course') &&
  !isPlanned(column);
