/** The mapping of a file without its confirmed kinds: whose the rows are, dates, and scores beside the outcome. */
import { ownValue } from '../ground/own-value.ts';
import type { Field } from '../ground/fields.ts';
import type { Mapping, MemberSource, ValueSource } from '../language/schema.ts';
import { areFractions, type ColumnProfile, type TableProfile } from '../profile/table-profile.ts';
import type { FoundColumns } from './found.ts';
import type { Role } from '../lexicon/headers.ts';
import type { Choices, KindValues, StateColumn } from '../language/findings.ts';

interface MappingOptions {
  readonly choices: Choices;
  /** Rows of one record id are joined. */
  readonly isJoined: boolean;
  /** The platform courses of the texts of the course column, if it has any. */
  readonly courses: Readonly<Record<string, number>>;
}

/** The mapping with these state columns, in which nothing is confirmed. */
export function mappingWith(
  found: FoundColumns,
  state: Readonly<Record<string, StateColumn>>,
  { choices, isJoined, courses }: MappingOptions,
): Mapping {
  const { profile, settings, learner, course, roles } = found;
  const hasComma = profile.columns.some(({ hasDecimalComma, isNumber }) => isNumber && hasDecimalComma);
  const nothings = [...new Set(profile.columns.flatMap((column) => column.nothings))];
  const pair = [learner, course].flatMap(({ column }) => column?.reference ?? []);
  const completed =
    roles.get('progress.completed_at')?.reference ??
    Object.keys(state).find((name) => ownValue(state, name)?.read === 'date');
  return {
    ...(hasComma ? { decimal: ',' as const } : {}),
    ...(nothings.length > 0 ? { empty: nothings } : {}),
    ...settings,
    ...(choices.timeZone === undefined ? {} : { time_zone: choices.timeZone }),
    ...chosenIn(choices, state),
    ...(isJoined && pair.length > 0 ? { group_by: completed === undefined ? pair : [...pair, completed] } : {}),
    record: {
      external_record_id: recordId(found, completed),
      ...identities(found, courses),
      'progress.started_at': [
        ...datesOf(found, 'progress.started_at'),
        ...datesOf(found, 'enrolled'),
        { earliest: true },
      ],
      'progress.last_activity_at': [...datesOf(found, 'progress.last_activity_at'), { latest: true }],
      ...scoreIn(found, state, choices),
    },
    kinds: { columns: state, confirmed: [] },
  };
}

/** The verb of a statement of xAPI that takes another one back. */
export const isVoided = (text: string | undefined): boolean => text?.endsWith('/verbs/voided') === true;

/** The column of the verbs, where some statement takes another one back. */
export const verbOfVoiding = (kinds: readonly { readonly values: KindValues }[]): string | undefined =>
  kinds.flatMap(({ values }) => Object.keys(values).filter((name) => isVoided(ownValue(values, name))))[0];

/** Neither a statement that takes another one back nor the one that it names counts; empty where the ids are missing. */
export function voidedBy(
  verb: string | undefined,
  { columns }: Pick<TableProfile, 'columns'>,
): Pick<Mapping, 'voided'> {
  const outer = verb?.replace(/verb\.id$/, '');
  const [target, id] = [`${outer}object.id`, `${outer}id`];
  const names = new Set(columns.map(({ reference }) => reference));
  if (verb === undefined || outer === verb || !names.has(target) || !names.has(id)) return {};
  return { voided: { column: verb, is: ['*/voided'], target, id } };
}

/** The choices that nothing else of the mapping says. */
function chosenIn(
  { system, learner, course, dates, state, shape, whole_course, fractions, shared }: Choices,
  columns: Readonly<Record<string, StateColumn>>,
): Pick<Mapping, 'choices'> {
  const others = <Given>(given: Readonly<Record<string, Given>> = {}): Record<string, Given> | undefined => {
    const kept = Object.entries(given).filter(([name]) => ownValue(columns, name) === undefined);
    return kept.length === 0 ? undefined : Object.fromEntries(kept);
  };
  // A chosen order of dates also holds for dates of no state column.
  const ofColumns = { dates, state: others(state), fractions: others(fractions) };
  const chosen = { system, learner, course, ...ofColumns, shape, whole_course, shared };
  return Object.values(chosen).every((each) => each === undefined) ? {} : { choices: chosen };
}

function identities(
  { learner, course, roles }: FoundColumns,
  courses: MappingOptions['courses'],
): Partial<Record<Field, MemberSource>> {
  const [user, content] = [learner.column?.reference, course.column?.reference];
  const ofUser = user === undefined ? {} : { [learner.isId ? 'user.external_user_id' : 'user.email']: user };
  if (content === undefined) return ofUser;
  if (course.column === roles.get('content.platform_course_id'))
    return { ...ofUser, 'content.platform_course_id': content };
  return Object.keys(courses).length === 0
    ? { ...ofUser, 'content.external_course_id': content }
    : { ...ofUser, 'content.platform_course_id': { column: content, values: courses } };
}

function datesOf({ roles, formatOf }: FoundColumns, role: Role): (string | ValueSource)[] {
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
function scoreIn(
  { roles }: FoundColumns,
  state: Readonly<Record<string, StateColumn>>,
  { fractions }: Choices,
): Mapping['record'] {
  const column = roles.get('assessment.score_pct');
  if (column === undefined || !isOf100(column)) return {};
  const read = ownValue(state, column.reference)?.read;
  if (read !== undefined && read !== 'number') return {};
  const words = column.values.filter((text) => !/\d/.test(text));
  const extras = {
    ...(words.length === 0 ? {} : { values: Object.fromEntries(words.map((text) => [text, null])) }),
    ...(areFractions(column) && ownValue(fractions, column.reference) !== false ? { scale: 100 } : {}),
  };
  const { reference } = column;
  return {
    'assessment.score_pct': Object.keys(extras).length === 0 ? reference : { column: reference, ...extras },
  };
}

/** A learner may complete a course again, so the date is part of the identity. */
function recordId({ roles, learner, course }: FoundColumns, completed: string | undefined): MemberSource {
  const own = roles.get('external_record_id');
  if (own !== undefined && own.texts.size >= Math.min(own.filled, 300)) return own.reference;
  const [user, content] = [learner.column?.reference, course.column?.reference];
  if (user === undefined || content === undefined)
    return { template: user === undefined ? '{:file}' : `{:file}/{${user}}` };
  const pair = { template: `{${user}}/{${content}}` };
  return completed === undefined ? pair : [{ template: `{${user}}/{${content}}/{${completed}}` }, pair];
}
