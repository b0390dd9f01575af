/**
 * Applies confirmed kinds: what a row becomes. A row of any other kind is rejected, so the records that are written are those of the
 * confirmed kinds and no others.
 */
import type { Columns } from '../mapping/columns.ts';
import type { Notation } from '../mapping/convert-value.ts';
import { memberOf, place } from '../mapping/fields.ts';
import { remembered } from '../remembered.ts';
import { cellReader, kindKey, type ReadCell } from './classes.ts';
import { type ConfirmedKind, IMPORT_DAY, type Kinds, type KindValues } from './types.ts';

/** A reason of this program, not of the service: the row is not sent. */
export interface LocalRejection {
  readonly error_code: 'unconfirmed_kind';
  readonly message: string;
}

/** What becomes of a row. */
export type Decision =
  | { readonly is: 'record'; readonly fill?: (record: Record<string, unknown>) => void }
  | { readonly is: 'left out'; readonly reason: string }
  | { readonly is: 'rejected'; readonly rejection: LocalRejection };

type Cells = readonly string[];
type NotationOf = (given: { readonly dates?: Notation['dates'] | undefined }) => Notation;

/** A part and its whole are read as one share. */
function textAt(cells: Cells, index: number, whole: number | undefined): string {
  const text = cells[index] ?? '';
  return whole === undefined || text.trim() === '' ? text : `${text}/${cells[whole] ?? ''}`;
}

/** Reads the kind of a row. @throws UsageError for a column that the file lacks */
export function kindReader(
  { columns: state }: Pick<Kinds, 'columns'>,
  columns: Columns,
  notationOf: NotationOf,
): { readonly names: readonly string[]; readonly read: (cells: Cells) => ReadCell[] } {
  const names = Object.keys(state);
  const readers = Object.entries(state).map(([name, column]) => ({
    index: columns.indexOf(name, 'kinds'),
    whole: column.out_of === undefined ? undefined : columns.indexOf(column.out_of, 'kinds'),
    read: cellReader(column, notationOf(column)),
  }));
  return { names, read: (cells) => readers.map(({ index, whole, read }) => read(textAt(cells, index, whole))) };
}

/** @throws UsageError for a column that the file lacks */
export function kindApplier(kinds: Kinds, columns: Columns, notationOf: NotationOf): (cells: Cells) => Decision {
  const { names, read } = kindReader(kinds, columns, notationOf);
  const dateColumns = new Map(
    Object.entries(kinds.dates ?? {}).map(([name, dates]) => {
      const index = columns.indexOf(name, 'kinds.dates');
      const reader = cellReader({ read: 'date' }, notationOf({ dates }));
      return [name, (cells: Cells) => reader(cells[index] ?? '')] as const;
    }),
  );
  const indexes = names.map((name) => columns.indexOf(name, 'kinds'));
  const known = new Map(kinds.confirmed.map((kind) => [kindKey(names.map((name) => kind.values[name] ?? '')), kind]));
  const kindOf = remembered((key) => known.get(kindKey(key.split('\u{0}'))));
  return (cells) => {
    const found = read(cells);
    const kind = kindOf(found.map(({ is }) => is).join('\u{0}'));
    if (kind === undefined) return rejected(unconfirmedText(names, found, indexes, cells));
    if (kind.outcome === 'leave_out') return { is: 'left out', reason: kind.reason ?? 'as confirmed' };
    const valueOf = (column: string | null | undefined): ReadCell | undefined =>
      column === null || column === undefined
        ? undefined
        : (found[names.indexOf(column)] ?? dateColumns.get(column)?.(cells));
    const date = kind.date === IMPORT_DAY ? undefined : valueOf(kind.date);
    if (date !== undefined && typeof date.value !== 'string') return rejected(noDateText(kind, date));
    const percent = valueOf(kind.percent);
    return { is: 'record', fill: (record) => fill(record, kind, { date: date?.value, percent: percent?.value }) };
  };
}

const rejected = (message: string): Decision => ({
  is: 'rejected',
  rejection: { error_code: 'unconfirmed_kind', message },
});

interface Values {
  readonly date: ReadCell['value'];
  readonly percent: ReadCell['value'];
}

function fill(record: Record<string, unknown>, { outcome }: ConfirmedKind, { date, percent }: Values): void {
  if (outcome === 'completed' || outcome === 'certified') {
    place(record, 'progress.completion_pct', 100);
    place(record, 'progress.completed_at', date ?? memberOf(record, 'assessment.taken_at'));
  } else fillOpen(record, percent);
  if (outcome === 'in_progress') place(record, 'progress.last_activity_at', date);
  const status = STATUS[outcome];
  if (status === undefined) return;
  place(record, 'assessment.status', status);
  place(record, 'assessment.taken_at', date);
}

const STATUS: Readonly<Partial<Record<ConfirmedKind['outcome'], string>>> = { certified: 'passed', failed: 'failed' };

/** The classes of a record say how far a learner is, where there is no percentage. */
function fillOpen(record: Record<string, unknown>, percent: Values['percent']): void {
  const saysClasses = memberOf(record, 'progress.classes') !== undefined;
  if (percent !== undefined || !saysClasses) place(record, 'progress.completion_pct', percent ?? 0);
}

export const shownValues = (values: KindValues): string =>
  Object.entries(values)
    .map(([name, text]) => `${name} = ${text}`)
    .join(', ') || 'every row';

function unconfirmedText(
  names: readonly string[],
  found: readonly ReadCell[],
  indexes: readonly number[],
  cells: Cells,
) {
  const values = Object.fromEntries(names.map((name, index) => [name, found[index]?.is ?? '']));
  const odd = names.flatMap((name, index) => {
    const { is } = found[index] ?? { is: '' };
    const cell = JSON.stringify((cells[indexes[index] ?? -1] ?? '').slice(0, 80));
    return is === 'impossible' || is === 'no number'
      ? [`${cell} in column "${name}" is no ${is === 'impossible' ? 'date' : 'percentage'}`]
      : [];
  });
  const line = JSON.stringify({ values, outcome: 'leave_out', reason: '…' });
  return `${[...odd, `nobody has confirmed what a row with ${shownValues(values)} becomes`].join('; ')}. Correct the row, confirm the kind with init-mapping, or add to kinds.confirmed of the mapping a line like ${line}.`;
}

const noDateText = ({ date, values }: ConfirmedKind, { is }: ReadCell): string =>
  `the kind ${shownValues(values)} takes its date from "${date}", which is ${is} in this row. Correct the cell.`;
