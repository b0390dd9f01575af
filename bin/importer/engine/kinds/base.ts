/** The mapping of a file without its confirmed kinds: whose records the rows are, and the dates and scores beside the outcome. */
import type { Field } from '../mapping/fields.ts';
import type { Mapping, Source, ValueSource } from '../mapping/schema.ts';
import { areFractions, type ColumnProfile } from '../mapping/table-profile.ts';
import type { Identity } from './identity.ts';
import type { Role } from './roles.ts';
import type { Kinds } from './types.ts';

export interface BaseOn {
  readonly columns: readonly ColumnProfile[];
  readonly roles: ReadonlyMap<Role, ColumnProfile>;
  readonly learner: Identity;
  readonly course: Identity;
  /** The platform courses of the texts of the course column, if it has any. */
  readonly courses: Readonly<Record<string, number>>;
  readonly formatOf: (column: ColumnProfile) => string | undefined;
  readonly settings: Partial<Mapping>;
  readonly kinds: Kinds;
  /** Rows of one record id are joined. */
  readonly isJoined: boolean;
}

export function baseMapping(on: BaseOn): Mapping {
  const { columns, settings, kinds } = on;
  const record = recordOf(on);
  const hasComma = columns.some(({ hasDecimalComma, isNumber }) => isNumber && hasDecimalComma);
  const nothings = [...new Set(columns.flatMap((column) => column.nothings))];
  const pair = [on.learner.column?.reference, on.course.column?.reference].filter((name) => name !== undefined);
  const completed = completedIn(on);
  return {
    ...(hasComma ? { decimal: ',' as const } : {}),
    ...(nothings.length > 0 ? { empty: nothings } : {}),
    ...settings,
    ...(on.isJoined && pair.length > 0 ? { group_by: [...pair, ...(completed === undefined ? [] : [completed])] } : {}),
    record,
    kinds,
  };
}

function recordOf(on: BaseOn): Mapping['record'] {
  const { learner, course, courses, roles } = on;
  const record: Partial<Record<Field, Source>> = {};
  const reference = course.column?.reference;
  if (learner.column !== undefined)
    record[learner.isId ? 'user.external_user_id' : 'user.email'] = learner.column.reference;
  if (reference !== undefined) {
    if (course.column === roles.get('content.platform_course_id')) record['content.platform_course_id'] = reference;
    else if (Object.keys(courses).length === 0) record['content.external_course_id'] = reference;
    else record['content.platform_course_id'] = { column: reference, values: courses };
  }
  const started = [datesOf(on, 'progress.started_at'), datesOf(on, 'enrolled')].flat();
  record['progress.started_at'] = [...started, { earliest: true }];
  record['progress.last_activity_at'] = [...datesOf(on, 'progress.last_activity_at'), { latest: true }];
  const score = roles.get('assessment.score_pct');
  if (score !== undefined && isOf100(score) && kindsLack(on, score)) record['assessment.score_pct'] = scoreOf(score);
  return { external_record_id: recordId(on), ...record };
}

const kindsLack = ({ kinds }: BaseOn, { reference }: ColumnProfile): boolean => kinds.columns[reference] === undefined;

function datesOf({ roles, formatOf }: BaseOn, role: Role): (string | ValueSource)[] {
  const column = roles.get(role);
  if (column === undefined) return [];
  const format = formatOf(column);
  return [format === undefined || format === 'iso' ? column.reference : { column: column.reference, dates: format }];
}

const MOST_POINTS = 20;

/** Points are no percentage: of 10 or of 20, or of what the header says. */
function isOf100(column: ColumnProfile): boolean {
  if (column.name.includes('%') || areFractions(column)) return true;
  if (/(?:out of|sur|\/) ?\d+|max/i.test(column.name)) return false;
  const numbers = column.values.filter((text) => /\d/.test(text));
  return numbers.some((text) => text.includes('%') || Number(text.replace(',', '.')) > MOST_POINTS);
}

/** A word beside scores is no score. */
function scoreOf(column: ColumnProfile): Source {
  const words = column.values.filter((text) => !/\d/.test(text));
  const extras = {
    ...(words.length === 0 ? {} : { values: Object.fromEntries(words.map((text) => [text, null])) }),
    ...(areFractions(column) ? { scale: 100 } : {}),
  };
  return Object.keys(extras).length === 0 ? column.reference : { column: column.reference, ...extras };
}

/** A learner may complete a course again, so the date is part of the identity. */
function recordId(on: BaseOn): Source {
  const own = on.roles.get('external_record_id');
  if (own !== undefined && own.texts.size >= Math.min(own.filled, 300)) return own.reference;
  const [user, content] = [on.learner.column?.reference, on.course.column?.reference];
  if (user === undefined || content === undefined)
    return { template: user === undefined ? '{:file}' : `{:file}/{${user}}` };
  const pair = { template: `{${user}}/{${content}}` };
  const completed = completedIn(on);
  return completed === undefined ? pair : [{ template: `{${user}}/{${content}}/{${completed}}` }, pair];
}

const completedIn = ({ roles, kinds: { columns } }: BaseOn): string | undefined =>
  roles.get('progress.completed_at')?.reference ?? Object.keys(columns).find((name) => columns[name]?.read === 'date');
