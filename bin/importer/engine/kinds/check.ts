/** What a mapping may say about kinds: nothing that a row could become without a person seeing it. */
import { isObject } from '../mapping/fields.ts';
import { type ConfirmedKind, IMPORT_DAY, type Kinds, type KindValues, type StateReading } from './kind.ts';

/** Members that only an outcome fills. */
const BY_KIND = ['progress.completion_pct', 'progress.completed_at', 'assessment.status'] as const;

interface Checked {
  readonly record: Readonly<Record<string, unknown>>;
  readonly kinds?: Kinds | undefined;
}

/** The problems of a mapping whose shape is right; empty for a valid one. */
export function kindProblems({ record, kinds }: Checked): string[] {
  if (kinds === undefined) return withoutKinds(record);
  return [
    ...BY_KIND.filter((name) => record[name] !== undefined).map(
      (name) =>
        `record.${name}: what a row becomes is said by "kinds", which a person confirms; init-mapping writes them`,
    ),
    ...kinds.confirmed.flatMap((kind, index) =>
      problemsOf(kind, kinds).map((problem) => `kinds.confirmed.${index}: ${problem}`),
    ),
  ];
}

/** A file in the interface's own names says by itself what its rows are. */
function withoutKinds(record: Checked['record']): string[] {
  const foreign = BY_KIND.some((name) => {
    const source = record[name];
    return source !== undefined && source !== name && !(isObject(source) && 'constant' in source);
  });
  const own = BY_KIND.some((name) => record[name] === name) || isOwnList(record['progress.classes']);
  return foreign || !own
    ? ['kinds: missing; init-mapping writes what each kind of row becomes, for a person to confirm']
    : [];
}

const isOwnList = (source: unknown): boolean =>
  source === 'progress.classes' || (isObject(source) && source['column'] === 'progress.classes');

function problemsOf({ values, outcome, date, percent }: ConfirmedKind, { columns, dates = {} }: Kinds): string[] {
  const names = Object.keys(columns);
  const missing = names.filter((name) => values[name] === undefined);
  const unknown = Object.keys(values).filter((name) => columns[name] === undefined);
  return [
    ...missing.map((name) => `values has nothing for the state column "${name}"`),
    ...unknown.map((name) => `"${name}" is no state column; kinds.columns has ${names.join(', ') || 'none'}`),
    ...dateProblem(outcome, date, { columns, dates, values }),
    ...percentProblem(outcome, percent, columns, values),
  ];
}

const NEEDS_DATE: ReadonlySet<string> = new Set(['completed', 'certified', 'failed']);

function dateProblem(
  outcome: ConfirmedKind['outcome'],
  given: ConfirmedKind['date'],
  { columns, dates, values }: Pick<Kinds, 'columns'> & { dates: NonNullable<Kinds['dates']>; values: KindValues },
): string[] {
  const date = given ?? undefined;
  if (date === undefined) return NEEDS_DATE.has(outcome) ? [`date must name its column, or be "${IMPORT_DAY}"`] : [];
  if (outcome === 'leave_out') return [`date has no effect with ${outcome}`];
  if (date === IMPORT_DAY || dates[date] !== undefined) return [];
  return columnProblem(date, columns[date]?.read, values[date] ?? '');
}

function columnProblem(date: string, read: StateReading | undefined, is: string): string[] {
  if (read !== 'date' && read !== 'dated')
    return [`date: "${date}" is no column of dates in kinds.columns or kinds.dates`];
  const hasDate = read === 'date' ? is === 'a date' : /\bdate\b/.test(is);
  return hasDate ? [] : [`date: "${date}" is ${is} in these rows`];
}

const BELOW_100: ReadonlySet<string> = new Set(['none', '0', 'between']);

function percentProblem(
  outcome: ConfirmedKind['outcome'],
  given: ConfirmedKind['percent'],
  columns: Kinds['columns'],
  values: KindValues,
): string[] {
  const percent = given ?? undefined;
  if (percent === undefined) return [];
  if (outcome !== 'in_progress' && outcome !== 'failed') return [`percent has no effect with ${outcome}`];
  if (!['percent', 'share'].includes(columns[percent]?.read ?? ''))
    return [`percent: "${percent}" is no column of percentages in kinds.columns`];
  const is = values[percent] ?? '';
  return BELOW_100.has(is) ? [] : [`percent: "${percent}" is ${is} in these rows, which ${outcome} contradicts`];
}
