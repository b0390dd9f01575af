/** Applies confirmed kinds: what a row becomes. A row of any other kind is rejected. */
import { Branch } from '../ground/branch.ts';
import { ownValue } from '../ground/own-value.ts';
import { type OddCell, type Said, say } from '../ground/codes.ts';
import { type DraftRecord, memberOf, place } from '../ground/fields.ts';
import type { Cells, ValueReaders } from './value-reader.ts';
import { convertDate } from '../dates/date-format.ts';
import { datePartOf } from '../dates/date-forms.ts';
import { latestDate } from '../dates/latest-date.ts';
import { otherOrder } from '../profile/table-profile.ts';
import { remembered } from '../ground/remembered.ts';
import { comparable } from '../ground/text-pattern.ts';
import { cellReader, type ReadCell } from '../language/classes.ts';
import { type ConfirmedKind, IMPORT_DAY, type Kinds } from '../language/findings.ts';

/** Why a row is not sent; `unconfirmed_kind` is a reason of this program, not of the service. */
export interface LocalRejection {
  readonly error_code: 'unconfirmed_kind' | 'invalid_record';
  readonly said: Said;
  readonly field?: string;
}

/** What becomes of a row. */
export type Decision =
  | { readonly is: 'record'; readonly fill?: (record: DraftRecord) => void }
  | { readonly is: 'left out'; readonly reason: string }
  | { readonly is: 'rejected'; readonly rejection: LocalRejection };

/** @throws EngineError for a column that the file lacks */
export function kindReader(state: Kinds['columns'], values: ValueReaders) {
  const { columns } = values;
  const names = Object.keys(state);
  const indexes = names.map((name) => columns.indexOf(name, 'kinds'));
  const readers = Object.values(state).map((column, position) => {
    const index = indexes[position] ?? -1;
    const { out_of } = column;
    const whole = typeof out_of === 'string' ? columns.indexOf(out_of, 'kinds') : undefined;
    const read = cellReader(column, values.notation(column));
    return (cells: Cells): ReadCell => {
      const text = cells[index] ?? '';
      // A part and its whole are read as one share.
      return read(
        out_of === undefined || text.trim() === ''
          ? text
          : `${text}/${whole === undefined ? out_of : (cells[whole] ?? '')}`,
      );
    };
  });
  // For each row: a closure for each would cost as much as its cells.
  const read = (cells: Cells): ReadCell[] => {
    const found: ReadCell[] = [];
    for (const reader of readers) found.push(reader(cells));
    return found;
  };
  return { names, indexes, read };
}

/** @throws EngineError for a column that the file lacks */
export function kindApplier(kinds: Kinds, values: ValueReaders, now?: number): (cells: Cells) => Decision {
  const { names, indexes, read } = kindReader(kinds.columns, values);
  const dateColumns = new Map(
    Object.entries(kinds.dates ?? {}).map(([name, dates]) => {
      const index = values.columns.indexOf(name, 'kinds.dates');
      const reader = cellReader({ read: 'date' }, values.notation({ dates }));
      return [name, (cells: Cells) => reader(cells[index] ?? '')] as const;
    }),
  );
  const orders = ordersOf(kinds, values);
  const latest = latestDate({ now });
  const known = new Branch<Decide>();
  for (const kind of kinds.confirmed) {
    const decide = deciderOf(kind);
    const keys = names.map((name) => comparable(ownValue(kind.values, name) ?? ''));
    keys.reduce((branch, key) => branch.of(key), known).value = decide;
  }
  return (cells) => {
    for (const note of orders) note(cells);
    const found = read(cells);
    let branch: Branch<Decide> | undefined = known;
    for (const { key } of found) branch = branch?.known(key);
    return branch?.value?.(found, cells) ?? rejected(undecided(names, found, indexes, cells));
  };

  function deciderOf(kind: ConfirmedKind): Decide {
    const leftOut = { is: 'left out', reason: kind.reason ?? 'no reason is given' } as const;
    if (kind.outcome === 'leave_out') return () => leftOut;
    const [dateOf, percentOf] = [readerOf(kind.date === IMPORT_DAY ? null : kind.date), readerOf(kind.percent)];
    return (found, cells) => {
      const date = dateOf(found, cells);
      const problem = date && problemOf(date, kind, latest);
      if (problem !== undefined) return rejected(problem);
      const percent = percentOf(found, cells)?.value;
      return { is: 'record', fill: (record) => fill(record, kind, date?.value, percent) };
    };
  }

  function readerOf(column: string | null = null): (found: readonly ReadCell[], cells: Cells) => ReadCell | undefined {
    const index = names.indexOf(column ?? '');
    const readDate = dateColumns.get(column ?? '');
    return (found, cells) => found[index] ?? readDate?.(cells);
  }
}

type Decide = (found: readonly ReadCell[], cells: Cells) => Decision;

/** Notes the order of day and month in the columns of outcomes whose order nobody has chosen. */
function ordersOf({ columns, dates, confirmed }: Kinds, { mapping, columns: places, notes }: ValueReaders) {
  const names = new Set(confirmed.flatMap(({ date }) => date ?? []));
  return [...names].flatMap((name) => {
    const format = ownValue(columns, name)?.dates ?? ownValue(dates, name);
    const other = typeof format === 'string' ? otherOrder(format) : undefined;
    if (typeof format !== 'string' || other === undefined || ownValue(mapping.choices?.dates, name) !== undefined)
      return [];
    const index = places.indexOf(name, 'kinds');
    const orderOf = remembered((text) => orderIn(datePartOf(text) ?? text, format, other));
    return (cells: Cells): void => {
      const order = orderOf(cells[index] ?? '');
      if (order !== undefined) notes?.addOrder(name, order);
    };
  });
}

/** `undefined` for dates that can be read only one way, the chosen one, or give the same day both ways (5 May). */
function orderIn(text: string, format: string, other: string): 'either' | 'swapped' | undefined {
  const [date, swapped] = [convertDate(text, format), convertDate(text, other)];
  if (swapped === undefined || date === swapped) return undefined;
  return date === undefined ? 'swapped' : 'either';
}

function problemOf({ is, value }: ReadCell, kind: ConfirmedKind, latest: string): Said | undefined {
  const { outcome, values, date } = kind;
  const column = date ?? '';
  if (typeof value !== 'string') return say('kind_date_missing', { values, column, is });
  return outcome !== 'in_progress' && value > latest
    ? say('kind_date_in_future', { values, column, date: value })
    : undefined;
}

export const rejected = (said: Said): Decision => ({
  is: 'rejected',
  rejection: { error_code: 'unconfirmed_kind', said },
});

const STATUS: Readonly<Partial<Record<ConfirmedKind['outcome'], string>>> = { certified: 'passed', failed: 'failed' };

function fill(
  record: DraftRecord,
  { outcome }: ConfirmedKind,
  date: ReadCell['value'],
  percent: ReadCell['value'],
): void {
  if (outcome === 'completed' || outcome === 'certified') {
    place(record, 'progress.completion_pct', 100);
    place(record, 'progress.completed_at', date ?? memberOf(record, 'assessment.taken_at'));
  } else if (percent !== undefined || memberOf(record, 'progress.classes') === undefined)
    // The classes of a record say how far a learner is, where there is no percentage.
    place(record, 'progress.completion_pct', percent ?? 0);
  if (outcome === 'in_progress') place(record, 'progress.last_activity_at', date);
  const status = STATUS[outcome];
  if (status === undefined) return;
  place(record, 'assessment.status', status);
  place(record, 'assessment.taken_at', date);
}

/** What a cell of each class should have been. */
const WANTED = new Map<string | undefined, OddCell['wanted']>([
  ['impossible', 'date'],
  ['no number', 'percentage'],
]);

function undecided(
  names: readonly string[],
  found: readonly ReadCell[],
  indexes: readonly number[],
  cells: Cells,
): Said {
  const values = Object.fromEntries(names.map((name, index) => [name, found[index]?.is ?? '']));
  const odd = names.flatMap((column, index) => {
    const wanted = WANTED.get(ownValue(values, column));
    const cell = (cells[indexes[index] ?? -1] ?? '').slice(0, 80);
    return wanted === undefined ? [] : [{ cell, column, wanted }];
  });
  return say('kind_undecided', { values, odd });
}
