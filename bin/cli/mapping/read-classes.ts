import type { Columns } from './columns.ts';
import { convertValue, type Notation } from './convert-value.ts';
import type { ClassColumn, ClassList } from './schema.ts';

/** `progress.classes` of one row; `undefined` where nothing was viewed. */
export type ReadClasses = (cells: readonly string[]) => unknown;

const FIELD = 'progress.classes';

export function classReader(
  source: ClassList | readonly ClassColumn[],
  columns: Columns,
  notation: Notation,
  filled: (cell: string | undefined) => string | undefined,
): ReadClasses {
  if ('column' in source) return listReader(source, columns, filled);
  const readers = source.map((entry) => columnReader(entry, columns, notation, filled));
  return (cells) => {
    const viewed = readers.flatMap((read) => read(cells) ?? []);
    return viewed.length === 0 ? undefined : viewed;
  };
}

function columnReader(
  { column, platform_class_id, viewed, dates, date_column }: ClassColumn,
  columns: Columns,
  notation: Notation,
  filled: (cell: string | undefined) => string | undefined,
) {
  const index = columns.indexOf(column, FIELD);
  const dateIndex = date_column === undefined ? undefined : columns.indexOf(date_column, FIELD);
  return (cells: readonly string[]): object | undefined => {
    const cell = filled(cells[index]);
    if (cell === undefined || viewed?.includes(cell) === false) return undefined;
    const date = dateIndex === undefined ? (dates === undefined ? undefined : cell) : filled(cells[dateIndex]);
    if (date === undefined) return { platform_class_id };
    return {
      platform_class_id,
      viewed_at: convertValue(date, 'date', { ...notation, dates: dates ?? notation.dates }),
    };
  };
}

/** Ids between separators, as `1001;1002`, each perhaps with its date, as `1001@2024-03-01`; or JSON. */
function listReader(
  { column, separator = ';', json = false, values = {} }: ClassList,
  columns: Columns,
  filled: (cell: string | undefined) => string | undefined,
): ReadClasses {
  const index = columns.indexOf(column, FIELD);
  return (cells) => {
    const cell = filled(cells[index]);
    if (cell === undefined) return undefined;
    if (json) return parsedOrText(cell);
    return cell
      .split(separator)
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) => listed(part, values));
  };
}

function listed(part: string, values: Readonly<Record<string, number>>): object {
  const [name = '', viewed_at] = part.split('@');
  const id = values[name] ?? (/^\d{1,16}$/.test(name) ? Number(name) : name);
  return { platform_class_id: id, ...(viewed_at === undefined ? {} : { viewed_at }) };
}

function parsedOrText(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
