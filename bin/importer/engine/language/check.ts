/** What a mapping file may say: each member that is wrong or without effect is refused. */
import * as v from 'valibot';
import { messageOf, UsageError } from '../ground/errors.ts';
import { percentIn } from './classes.ts';
import { IMPORT_DAY } from './findings.ts';
import { type Field, FIELD_NAMES, FIELDS, isField, isObject, STATUSES } from '../ground/fields.ts';
import {
  classColumn,
  classList,
  type ConfirmedKind,
  type Kinds,
  type Mapping,
  mappingSchema,
  type ValueSource,
} from './schema.ts';

/** The value of a mapping file, which may begin with a byte-order mark. @throws UsageError with the path if it is not JSON */
export function mappingJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\u{feff}/u, ''));
  } catch (error) {
    throw new UsageError(`The mapping ${path} is not JSON: ${messageOf(error)}`);
  }
}

/** @throws UsageError with the path of the file and every member of it that is wrong */
export function checkedMapping(path: string, value: unknown): Mapping {
  const checked = v.safeParse(mappingSchema, value);
  const mapping = checked.output as Mapping;
  const problems = checked.success
    ? [...classesProblems(mapping.record['progress.classes']), ...effectlessIn(mapping), ...kindProblems(mapping)]
    : checked.issues.map((issue) => `${v.getDotPath(issue) ?? 'mapping'}: ${problemOf(issue)}`);
  if (problems.length === 0) return mapping;
  throw new UsageError(
    [`The mapping ${path} is not valid:`, ...new Set(problems.map((each) => `  ${each}`))].join('\n'),
  );
}

function problemOf({ type, kind, message, path, expected }: v.BaseIssue<unknown>): string {
  if (kind !== 'schema' || type !== 'strict_object' || expected !== 'never') return message;
  const isRecordMember = path?.some(({ key }) => key === 'record') === true;
  return isRecordMember && !isField(String(path?.at(-1)?.key))
    ? `there is no such member of a record; the members are ${FIELD_NAMES.join(', ')}`
    : 'there is no such member';
}

/** Checked apart: of a union, only the intended form may report problems. */
function classesProblems(classes: unknown): string[] {
  if (classes === undefined || (typeof classes === 'string' && classes !== '')) return [];
  const { issues = [] } = v.safeParse(Array.isArray(classes) ? v.array(classColumn) : classList, classes);
  return issues.map((issue) => {
    const path = ['record.progress.classes', v.getDotPath(issue)].filter((part) => part !== null);
    return `${path.join('.')}: ${problemOf(issue)}`;
  });
}

/** A member without effect is a mistake of the author. */
const effectlessIn = ({ record, group_by }: Mapping): string[] =>
  Object.entries(record).flatMap(([name, given = []]) =>
    name === 'progress.classes' || !isField(name)
      ? []
      : [given]
          .flat()
          .flatMap((source) => effectlessMembers(name, source, group_by !== undefined))
          .map((problem) => `record.${name}: ${problem}`),
  );

function effectlessMembers(field: Field, source: string | ValueSource, isGrouped: boolean): string[] {
  if (typeof source === 'string') return [];
  const inner = [source.earliest, source.latest].flatMap((list) => (list === undefined || list === true ? [] : list));
  return [
    ...RULES.filter(([holds]) => holds(source, FIELDS[field])).map(([, problem]) => problem),
    ...(source.pick !== undefined && !isGrouped ? ['pick has an effect with group_by only'] : []),
    ...inner.flatMap((each) => effectlessMembers(field, each, isGrouped)),
  ];
}

type Rule = readonly [holds: (source: ValueSource, kind: string) => boolean, problem: string];

const RULES: readonly Rule[] = [
  [({ values }) => values !== undefined && Object.keys(values).length === 0, 'values is empty'],
  [
    ({ values }) => values !== undefined && Object.hasOwn(values, ''),
    'values never apply to an empty cell. Use if_empty.',
  ],
  [
    ({ constant, ...rest }) =>
      constant !== undefined && Object.entries(rest).some(([name, given]) => name !== 'pick' && given !== undefined),
    'nothing else has an effect beside constant',
  ],
  [
    ({ otherwise, values }) => otherwise !== undefined && values === undefined,
    'otherwise has no effect without values',
  ],
  [({ dates }, kind) => dates !== undefined && kind !== 'date', 'dates has an effect for dates only'],
  [
    ({ scale, out_of }, kind) => (scale ?? out_of) !== undefined && kind !== 'number',
    'scale and out_of have an effect for numbers only',
  ],
  [({ scale, out_of }) => scale !== undefined && out_of !== undefined, 'only one of scale and out_of can apply'],
  [
    ({ earliest, latest }, kind) => (earliest ?? latest) !== undefined && kind !== 'date',
    'earliest and latest have an effect for dates only',
  ],
  [
    (source, kind) =>
      kind === 'status' && !targetsOf(source).every((target) => STATUSES.some((status) => status === target)),
    `must become ${STATUSES.join(', ')}`,
  ],
  [
    (source, kind) =>
      kind === 'number' &&
      !targetsOf(source).every((target) => target !== '' && Number(target) >= 0 && Number(target) <= 100),
    'must become a number from 0 to 100',
  ],
];

const targetsOf = ({ constant, values = {}, otherwise, if_empty }: ValueSource): (string | number)[] =>
  [constant, ...Object.values(values), otherwise, if_empty].filter((given) => given !== undefined && given !== null);

/** Members that only an outcome fills. */
const BY_KIND = ['progress.completion_pct', 'progress.completed_at', 'assessment.status'] as const;

function kindProblems({ record, kinds }: Mapping): string[] {
  if (kinds === undefined)
    return saysItsRows(record)
      ? []
      : ['kinds: missing; init-mapping writes what each kind of row becomes, for a person to confirm'];
  const filled = BY_KIND.filter((name) => record[name] !== undefined);
  return [
    ...filled.map(
      (name) =>
        `record.${name}: what a row becomes is said by "kinds", which a person confirms; init-mapping writes them`,
    ),
    ...kinds.confirmed.flatMap((kind, index) =>
      problemsOf(kind, kinds).map((problem) => `kinds.confirmed.${index}: ${problem}`),
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

function problemsOf(kind: ConfirmedKind, kinds: Kinds): string[] {
  const names = Object.keys(kinds.columns);
  const missing = names.filter((name) => kind.values[name] === undefined);
  const unknown = Object.keys(kind.values).filter((name) => kinds.columns[name] === undefined);
  return [
    ...missing.map((name) => `values has nothing for the state column "${name}"`),
    ...unknown.map((name) => `"${name}" is no state column; kinds.columns has ${names.join(', ') || 'none'}`),
    dateProblem(kind, kinds),
    percentProblem(kind, kinds),
  ].filter((problem) => problem !== undefined);
}

function dateProblem({ outcome, date, values }: ConfirmedKind, { columns, dates }: Kinds): string | undefined {
  if (date === undefined || date === null)
    return ['completed', 'certified', 'failed'].includes(outcome)
      ? `date must name its column, or be "${IMPORT_DAY}"`
      : undefined;
  if (outcome === 'leave_out') return `date has no effect with ${outcome}`;
  return date === IMPORT_DAY || dates?.[date] !== undefined
    ? undefined
    : columnProblem(date, columns[date]?.read, values[date] ?? '');
}

function columnProblem(date: string, read: string | undefined, is: string): string | undefined {
  if (read !== 'date' && read !== 'dated')
    return `date: "${date}" is no column of dates in kinds.columns or kinds.dates`;
  return (read === 'date' ? is === 'a date' : /\bdate\b/.test(is))
    ? undefined
    : `date: "${date}" is ${is} in these rows`;
}

function percentProblem({ outcome, percent, values }: ConfirmedKind, { columns }: Kinds): string | undefined {
  if (percent === undefined || percent === null) return undefined;
  if (outcome !== 'in_progress' && outcome !== 'failed') return `percent has no effect with ${outcome}`;
  const column = columns[percent];
  const is = column && percentIn(column, values[percent] ?? '');
  if (is === undefined) return `percent: "${percent}" is no column of percentages in kinds.columns`;
  return ['none', '0', 'between'].includes(is)
    ? undefined
    : `percent: "${percent}" is ${is} in these rows, which ${outcome} contradicts`;
}
