/** Finds the header of a table, below title lines that reports put above it. */
import { topicExpression } from '../lexicon/topics.ts';
import { rolesOf } from '../lexicon/words.ts';
import { columnFinder } from '../ground/columns.ts';

export interface TableRow {
  /** Line of the file on which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** The sheet and the line in it, of further sheets. */
  readonly lineOfSheet?: number;
  readonly sheet?: string;
}

export interface HeaderWanted {
  readonly line?: number | undefined;
  readonly names?: readonly string[] | undefined;
}

/** The header is among the first rows. */
export const HEADER_ROWS = 60;

/** The named line, else the first row with all names, else the first about as wide as the table and mostly filled. */
export function headerIn(rows: readonly TableRow[], { line, names = [] }: HeaderWanted = {}): TableRow | undefined {
  const hasAll = ({ cells }: TableRow): boolean => {
    const indexOf = columnFinder(cells.map((cell) => cell.trim()));
    return names.every((name) => indexOf(name) !== -1);
  };
  const onLine = rows.find((row) => row.line === line);
  if (onLine !== undefined && hasAll(onLine)) return onLine;
  const named = names.some((name) => !name.startsWith('#')) ? rows.find(hasAll) : undefined;
  return named ?? likelyHeader(rows);
}

/** The names of the columns again, as at the top of each page of a report. */
export const isSameHeader = (cells: readonly string[], columns: readonly string[]): boolean =>
  columns.length > 1 &&
  cells[0]?.trim() === columns[0] &&
  columns.every((name, index) => (cells[index] ?? '').trim() === name) &&
  cells.slice(columns.length).every((cell) => cell.trim() === '');

/** A line of words that begins as the header does, and goes on otherwise: the rows below it are of another table. */
export const isOtherHeader = (cells: readonly string[], columns: readonly string[]): boolean =>
  cells[0] === columns[0] &&
  columns.length > 2 &&
  filled({ cells }) * 2 >= columns.length &&
  cells[0] !== '' &&
  !cells.some((cell) => /[\d@]/.test(cell)) &&
  !isSameHeader(cells, columns);

/** A course may be called Total Quality, so this is only a part of what shows a sum; `Summers, Ann` is none. */
export function beginsLikeSum([first = '']: readonly string[]): boolean {
  const text = first.trim().toLowerCase();
  const sum = topicExpression('sum').exec(text)?.[0];
  return sum !== undefined && !/^(?!s?(?!\p{L}))\p{L}+,?\s+\p{L}/u.test(text.slice(sum.length));
}

function likelyHeader(rows: readonly TableRow[]): TableRow | undefined {
  const width = commonWidth(rows);
  const most = Math.max(0, ...rows.map(filled));
  const isSum = (row: TableRow): boolean => isData(row) && beginsLikeSum(row.cells);
  const likely = rows.filter(
    (row) => row.cells.length >= width * 0.6 && filled(row) >= Math.max(1, most * 0.4) && !isSum(row),
  );
  const exact = likely.find(({ cells }) => cells.length === width);
  // A header with a column too few or too many is still the header: the rows that do not fit are refused with it.
  const found = exact === undefined || isData(exact) ? (likely[0] ?? rows[0]) : exact;
  if (found === undefined || rolesIn(found) > 0) return found;
  // Titles may be as wide as the table: what names several columns, and is in no other row, is below them.
  return likely.find((row) => !isData(row) && rolesIn(row) > 1 && !recurs(row, rows)) ?? found;
}

const rolesIn = ({ cells }: TableRow): number => cells.filter((cell) => rolesOf(cell).size > 0).length;

const recurs = ({ line, cells }: TableRow, rows: readonly TableRow[]): boolean =>
  rows.some((row) => row.line !== line && row.cells.some((cell, index) => cell !== '' && cell === cells[index]));

/** Numbers, dates and addresses are no headers. */
const isData = ({ cells }: TableRow): boolean => cells.some((cell) => /^\s*\d|@/.test(cell));

export const filled = ({ cells }: Pick<TableRow, 'cells'>): number =>
  cells.reduce((sum, cell) => sum + (cell.trim() === '' ? 0 : 1), 0);

/** The width of most rows; of equally frequent ones the larger. */
function commonWidth(rows: readonly TableRow[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  return [...counts].toSorted(([a, x], [b, y]) => y - x || b - a)[0]?.[0] ?? 0;
}

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** Named by `sep=;`, else first equally often in two lines on end, else most often in the first line; else a comma. */
export function guessDelimiter(text: string): string {
  const said = /^\s*"?sep=([^\r\n])/i.exec(text)?.[1];
  if (said !== undefined) return said;
  const lines = firstLines(text);
  const candidates = DELIMITERS.map((delimiter) => {
    const counts = lines.map((line) => countOutsideQuotes(line, delimiter));
    const at = counts.findIndex((count, index) => count > 0 && count === counts[index + 1]);
    return { delimiter, at: at === -1 ? Number.POSITIVE_INFINITY : at, count: counts[at === -1 ? 0 : at] ?? 0 };
  });
  const best = candidates.reduce((a, b) => (b.at < a.at || (b.at === a.at && b.count > a.count) ? b : a));
  return best.count === 0 ? ',' : best.delimiter;
}

/** The first lines that are not empty; a line break inside quotes does not end a line. */
function firstLines(text: string): string[] {
  const lines: string[] = [];
  let quoted = false;
  let start = 0;
  for (let i = 0; i < text.length && lines.length < HEADER_ROWS; i += 1) {
    if (text[i] === '"') quoted = !quoted;
    if (text[i] !== '\n' || quoted) continue;
    lines.push(text.slice(start, i));
    start = i + 1;
  }
  if (lines.length < HEADER_ROWS) lines.push(text.slice(start));
  return lines.filter((line) => line.trim() !== '');
}

function countOutsideQuotes(line: string, delimiter: string): number {
  const outside = line.split('"').filter((_, part) => part % 2 === 0);
  return outside.join('').split(delimiter).length - 1;
}
