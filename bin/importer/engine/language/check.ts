/** What a mapping file may say: each member that is wrong or without effect is refused. */
import { ownValue } from '../ground/own-value.ts';
import * as v from 'valibot';
import { type MappingProblem, type Said, say } from '../ground/codes.ts';
import { messageOf, refusal } from '../ground/errors.ts';
import { percentIn } from './classes.ts';
import { IMPORT_DAY } from './findings.ts';
import { type FieldKind, FIELD_NAMES, FIELDS, isField, isObject, STATUSES } from '../ground/fields.ts';
import {
  classColumn,
  classList,
  type ConfirmedKind,
  type Kinds,
  type Mapping,
  mappingSchema,
  saidBy,
  type ValueSource,
} from './schema.ts';

/** The value of a mapping file, which may begin with a byte-order mark. @throws EngineError with the path if it is not JSON */
export function mappingJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\u{feff}/u, ''));
  } catch (error) {
    throw refusal('mapping_not_json', { path, problem: messageOf(error) });
  }
}

/** @throws EngineError with the path of the file and every member of it that is wrong */
export function checkedMapping(path: string, value: unknown): Mapping {
  const checked = v.safeParse(mappingSchema, value);
  const mapping = checked.output as Mapping;
  const problems = checked.success
    ? [...classesProblems(mapping.record['progress.classes']), ...effectlessIn(mapping), ...kindProblems(mapping)]
    : checked.issues.map((issue) => ({ at: v.getDotPath(issue) ?? 'mapping', is: problemOf(issue) }));
  if (problems.length === 0) return mapping;
  const different = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  throw refusal('mapping_invalid', { path, problems: [...different.values()] });
}

function problemOf({ type, kind, message, path, expected, received }: v.BaseIssue<unknown>): Said {
  if (kind !== 'schema' || type !== 'strict_object' || expected !== 'never')
    return saidBy(message) ?? say('value_unexpected', { message, expected: String(expected), received });
  const isRecordMember = path?.some(({ key }) => key === 'record') === true;
  return isRecordMember && !isField(String(path?.at(-1)?.key))
    ? say('no_member_of_a_record', { members: FIELD_NAMES })
    : say('no_such_member', {});
}

/** Checks `classes` by the form that its author meant: a union would report the problems of every form. */
function classesProblems(classes: unknown): MappingProblem[] {
  if (classes === undefined || (typeof classes === 'string' && classes !== '')) return [];
  const { issues = [] } = v.safeParse(Array.isArray(classes) ? v.array(classColumn) : classList, classes);
  return issues.map((issue) => {
    const path = ['record.progress.classes', v.getDotPath(issue)].filter((part) => part !== null);
    return { at: path.join('.'), is: problemOf(issue) };
  });
}

/** A member without effect is a mistake of the author. */
const effectlessIn = ({ record, group_by }: Mapping): MappingProblem[] =>
  Object.entries(record).flatMap(([name, given = []]) =>
    name === 'progress.classes' || !isField(name)
      ? []
      : [given]
          .flat()
          .flatMap((source) => problemsOfSource(FIELDS[name], source, group_by !== undefined))
          .map((is) => ({ at: `record.${name}`, is })),
  );

/** What is wrong with the source of a field of this kind. */
export function problemsOfSource(kind: FieldKind, source: string | ValueSource, isGrouped: boolean): Said[] {
  if (typeof source === 'string') return [];
  const inner = [source.earliest, source.latest].flatMap((list) => (list === undefined || list === true ? [] : list));
  return [
    ...RULES.filter(([holds]) => holds(source, kind)).map(([, problem]) => problem),
    ...(source.pick !== undefined && !isGrouped ? [say('pick_without_groups', {})] : []),
    ...inner.flatMap((each) => problemsOfSource(kind, each, isGrouped)),
  ];
}

type Rule = readonly [holds: (source: ValueSource, kind: FieldKind) => boolean, problem: Said];

const RULES: readonly Rule[] = [
  [({ values }) => values !== undefined && Object.keys(values).length === 0, say('values_empty', {})],
  [({ values }) => values !== undefined && Object.hasOwn(values, ''), say('values_of_empty_cell', {})],
  [
    ({ constant, ...rest }) =>
      constant !== undefined && Object.entries(rest).some(([name, given]) => name !== 'pick' && given !== undefined),
    say('constant_beside_others', {}),
  ],
  [({ otherwise, values }) => otherwise !== undefined && values === undefined, say('otherwise_without_values', {})],
  [({ dates }, kind) => dates !== undefined && kind !== 'date', say('dates_of_no_date', {})],
  [({ scale, out_of }, kind) => (scale ?? out_of) !== undefined && !isOfNumbers(kind), say('scale_of_no_number', {})],
  [({ scale, out_of }) => scale !== undefined && out_of !== undefined, say('scale_beside_out_of', {})],
  [
    ({ earliest, latest }, kind) => (earliest ?? latest) !== undefined && kind !== 'date',
    say('earliest_of_no_date', {}),
  ],
  [
    (source, kind) =>
      kind === 'status' && !targetsOf(source).every((target) => STATUSES.some((status) => status === target)),
    say('must_become_one_of', { values: STATUSES }),
  ],
  [(source, kind) => kind === 'number' && !targetsOf(source).every(isNumeric), say('must_become_number', {})],
  [
    (source, kind) =>
      kind === 'percentage' &&
      !targetsOf(source).every((target) => isNumeric(target) && Number(target) >= 0 && Number(target) <= 100),
    say('must_become_percentage', {}),
  ],
];

const isOfNumbers = (kind: FieldKind): boolean => kind === 'number' || kind === 'percentage';

const isNumeric = (target: string | number): boolean => target !== '' && Number.isFinite(Number(target));

const targetsOf = ({ constant, values = {}, otherwise, if_empty }: ValueSource): (string | number)[] =>
  [constant, ...Object.values(values), otherwise, if_empty].filter((given) => given !== undefined && given !== null);

/** Members that only an outcome fills. */
const BY_KIND = ['progress.completion_pct', 'progress.completed_at', 'assessment.status'] as const;

function kindProblems({ record, kinds }: Mapping): MappingProblem[] {
  if (kinds === undefined) return saysItsRows(record) ? [] : [{ at: 'kinds', is: say('kinds_missing', {}) }];
  const filled = BY_KIND.filter((name) => record[name] !== undefined);
  return [
    ...filled.map((name) => ({ at: `record.${name}`, is: say('said_by_kinds', {}) })),
    ...kinds.confirmed.flatMap((kind, index) =>
      problemsOf(kind, kinds).map((is) => ({ at: `kinds.confirmed.${index}`, is })),
    ),
  ];
}

/** A file in the interface's own names says by itself what its rows are. */
function saysItsRows(record: Mapping['record']): boolean {
  const isForeign = BY_KIND.some((name) => {
    const source = record[name];
    return source !== undefined && source !== name && !(isObject(source) && 'constant' in source);
  });
  const classes: unknown = record['progress.classes'];
  const list = isObject(classes) ? classes['column'] : classes;
  return !isForeign && (BY_KIND.some((name) => record[name] === name) || list === 'progress.classes');
}

function problemsOf(kind: ConfirmedKind, kinds: Kinds): Said[] {
  const names = Object.keys(kinds.columns);
  const missing = names.filter((name) => ownValue(kind.values, name) === undefined);
  const unknown = Object.keys(kind.values).filter((name) => ownValue(kinds.columns, name) === undefined);
  return [
    ...missing.map((column) => say('kind_without_column', { column })),
    ...unknown.map((column) => say('kind_of_other_column', { column, columns: names })),
    dateProblem(kind, kinds),
    percentProblem(kind, kinds),
  ].filter((problem) => problem !== undefined);
}

function dateProblem({ outcome, date, values }: ConfirmedKind, { columns, dates }: Kinds): Said | undefined {
  if (date === undefined || date === null)
    return ['completed', 'certified', 'failed'].includes(outcome)
      ? say('kind_without_date', { day: IMPORT_DAY })
      : undefined;
  if (outcome === 'leave_out') return say('without_effect_with', { member: 'date', outcome });
  return date === IMPORT_DAY || ownValue(dates, date) !== undefined
    ? undefined
    : columnProblem(date, ownValue(columns, date)?.read, ownValue(values, date) ?? '');
}

function columnProblem(column: string, read: string | undefined, is: string): Said | undefined {
  if (read !== 'date' && read !== 'dated') return say('kind_date_unknown', { column });
  return (read === 'date' ? is === 'a date' : /\bdate\b/.test(is)) ? undefined : say('kind_date_is', { column, is });
}

function percentProblem({ outcome, percent, values }: ConfirmedKind, { columns }: Kinds): Said | undefined {
  if (percent === undefined || percent === null) return undefined;
  if (outcome !== 'in_progress' && outcome !== 'failed')
    return say('without_effect_with', { member: 'percent', outcome });
  const column = ownValue(columns, percent);
  const is = column && percentIn(column, ownValue(values, percent) ?? '');
  if (is === undefined) return say('kind_percent_unknown', { column: percent });
  return ['none', '0', 'between'].includes(is) ? undefined : say('kind_percent_is', { column: percent, is, outcome });
}
