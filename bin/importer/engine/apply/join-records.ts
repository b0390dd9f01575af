/** Joins the records of rows that belong together: modules of a course, attempts, statements. */
import {
  type DraftRecord,
  type Field,
  FIELD_NAMES,
  FIELDS,
  type JsonObject,
  memberOf,
  place,
} from '../ground/fields.ts';
import type { Mapping, ValueSource } from '../language/schema.ts';
import { earlier, later, type Value } from './value-reader.ts';

type Join = (a: Value, b: Value) => Value;

const JOINS: Readonly<Record<NonNullable<ValueSource['pick']>, Join>> = {
  first: (a, b) => a ?? b,
  last: (a, b) => b ?? a,
  earliest: earlier,
  latest: later,
  highest: (a, b) => ofNumbers(a, b, Math.max),
  lowest: (a, b) => ofNumbers(a, b, Math.min),
};

/** A text that is no number stays, so that the service rejects it. */
function ofNumbers(a: Value, b: Value, choose: (a: number, b: number) => number): Value {
  if (a === undefined || b === undefined) return a ?? b;
  if (typeof a === 'string' || typeof b === 'string') return typeof a === 'string' ? a : b;
  return choose(a, b);
}

const RANKS: readonly Value[] = [undefined, 'not_taken', 'failed', 'passed'];
/** A word that is no status ranks highest, so that the service rejects it. */
const rank = (status: Value): number => (RANKS.includes(status) ? RANKS.indexOf(status) : RANKS.length);

const DEFAULTS: Readonly<Partial<Record<Field, Join>>> = {
  'progress.started_at': earlier,
  'progress.last_activity_at': later,
  'progress.completed_at': earlier,
  'assessment.status': (a, b) => (rank(b) > rank(a) ? b : a),
};

/** The members that say whose record it is: rows that differ in them cannot be one record. */
export const IDENTITY: readonly Field[] = [
  'user.email',
  'user.external_user_id',
  'content.platform_course_id',
  'content.external_course_id',
];

/** The first identity in which two records differ; `undefined` if they may be one. */
export function differingIdentity(a: JsonObject, b: JsonObject): Field | undefined {
  return IDENTITY.find((field) => {
    const [x, y] = [a, b].map((record) => memberOf(record, field) as Value);
    if (x === undefined || y === undefined) return false;
    return field === 'user.email' ? String(x).toLowerCase() !== String(y).toLowerCase() : x !== y;
  });
}

/** Joins two records of one learner in one course: `mapping` may say which value is taken (`pick`). */
export function recordJoin({ record: sources }: Mapping): (a: JsonObject, b: JsonObject) => JsonObject {
  const joins = FIELD_NAMES.filter((field) => FIELDS[field] !== 'classes').map((field) => ({
    field,
    join: joinOf(field, sources[field]),
  }));
  return (a, b) => {
    const joined: DraftRecord = {};
    for (const { field, join } of joins) {
      const value = join === undefined ? takenAt(a, b) : join(memberOf(a, field) as Value, memberOf(b, field) as Value);
      place(joined, field, value);
    }
    place(joined, 'progress.classes', unitedClasses(memberOf(a, 'progress.classes'), memberOf(b, 'progress.classes')));
    return joined;
  };
}

function joinOf(field: Field, source: Mapping['record'][string]): Join | undefined {
  const pick = typeof source === 'object' && !Array.isArray(source) && 'pick' in source ? source.pick : undefined;
  if (pick !== undefined) return JOINS[pick];
  return field === 'assessment.taken_at'
    ? undefined
    : (DEFAULTS[field] ?? (FIELDS[field] === 'percentage' ? JOINS.highest : JOINS.first));
}

/** The date belongs to the better status; of equal ones the earlier. */
function takenAt(a: JsonObject, b: JsonObject): Value {
  const [x, y] = [a, b].map((record) => rank(memberOf(record, 'assessment.status') as Value));
  const [dateA, dateB] = [a, b].map((record) => memberOf(record, 'assessment.taken_at') as Value);
  if (x === y) return earlier(dateA, dateB);
  return (x ?? 0) > (y ?? 0) ? dateA : dateB;
}

interface View {
  readonly platform_class_id?: unknown;
  readonly viewed_at?: Value;
}

/** Each class once, viewed first at its earliest date. A value that is no list stays, so that the service rejects it. */
function unitedClasses(a: unknown, b: unknown): unknown {
  if (a === undefined || b === undefined) return a ?? b;
  if (!Array.isArray(a) || !Array.isArray(b)) return Array.isArray(a) ? b : a;
  const united = new Map<unknown, View>();
  for (const view of [...a, ...b] as View[]) {
    const known = united.get(view.platform_class_id);
    const viewed_at = earlier(known?.viewed_at, view.viewed_at);
    united.set(view.platform_class_id, { ...known, ...view, ...(viewed_at === undefined ? {} : { viewed_at }) });
  }
  return [...united.values()];
}
