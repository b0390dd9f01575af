/** The sheets of a workbook: which has the table, and which others continue it. */
import { type Said, say } from '../ground/codes.ts';
import { refusal } from '../ground/errors.ts';
import { NAMED_BY } from '../ground/fields.ts';
import { isHeaderOf } from '../lexicon/headers.ts';
import { saysTopic } from '../lexicon/topics.ts';
import { plainText } from '../lexicon/words.ts';
import { HEADER_ROWS, headerIn, isSameHeader, type TableRow } from './header.ts';
import { each, fewAtATime, mapped, type Pieces } from './pieces.ts';
import type { SheetReader } from './spreadsheet/spreadsheet.ts';

/** A sheet or a list, and whether its rows are imported. */
export interface FoundSheet {
  readonly name: string;
  readonly isImported: boolean;
  /** Why it is not read. */
  readonly reason: Said | null;
}

/** The first rows of a table, in which its header is. */
export async function firstRows(rows: Pieces<TableRow>, check?: (row: TableRow) => void): Promise<TableRow[]> {
  const first: TableRow[] = [];
  for await (const row of each(rows)) {
    check?.(row);
    if (first.push(row) >= HEADER_ROWS) break;
  }
  return first;
}

/** The addresses of a sheet. A list of people has each once, a list of what they did often several times. */
const addressesIn = ([, ...rows]: readonly TableRow[]): string[] =>
  rows.flatMap(({ cells }) => cells.filter((cell) => cell.includes('@')).slice(0, 1));
const repeatsAddress = (rows: readonly TableRow[]): boolean => {
  const all = addressesIn(rows);
  return new Set(all).size < all.length;
};
const hasAddress = (rows: readonly TableRow[]): boolean => addressesIn(rows).length > 0;

const STATE = ['status', 'assessment.status', 'progress.completion_pct', 'progress.completed_at'] as const;

/** A list of employees or of courses lacks one of these; so does a summary. */
function saysWhoDidWhat(rows: readonly TableRow[]): boolean {
  const { cells = [], line = 0 } = headerIn(rows) ?? {};
  const hasRows = rows.some((row) => row.line > line);
  const hasLearner = hasAddress(rows) || cells.some((cell) => isHeaderOf(cell, ...NAMED_BY.learner));
  return hasRows && hasLearner && cells.some(isCourseHeader) && cells.some(isStateHeader);
}

/** `Training Topic` names a course, `Training Date` does not. */
const isCourseHeader = (header: string): boolean =>
  isHeaderOf(header, ...NAMED_BY.course) ||
  (['course', 'part_of_course'] as const).every((topic) => saysTopic(plainText(header), topic));
const isStateHeader = (header: string): boolean => isHeaderOf(header, ...STATE) || saysTopic(plainText(header), 'day');

const hasTable = (rows: readonly TableRow[]): boolean => rows.filter(({ cells }) => cells.length > 2).length > 1;

/** What a sheet may have, the best first. */
const PREFERRED: readonly ((rows: readonly TableRow[]) => boolean)[] = [
  (rows) => saysWhoDidWhat(rows) && repeatsAddress(rows),
  saysWhoDidWhat,
  repeatsAddress,
  hasAddress,
  hasTable,
];

/**
 * The sheet of this name, else the first visible one whose header names a learner, a course and a state or a day, else the first with
 * several rows of a person, else the first with people, else the first with a table. @throws EngineError
 */
export async function tableIn(
  path: string,
  sheets: readonly SheetReader[],
  wanted: string | undefined,
): Promise<SheetReader> {
  if (wanted !== undefined) return named(path, sheets, wanted);
  const shown = sheets.filter(({ isHidden }) => !isHidden);
  const candidates = shown.length === 0 ? sheets : shown;
  const heads = candidates.length === 1 ? [] : await fewAtATime(candidates, (sheet) => firstRows(sheet.rows()));
  const places = PREFERRED.map((is) => heads.findIndex(is));
  const found = candidates[places.find((place) => place !== -1) ?? 0];
  if (found === undefined) throw refusal('workbook_without_sheets', { path });
  return found;
}

function named(path: string, sheets: readonly SheetReader[], wanted: string): SheetReader {
  const isWanted = ({ name }: SheetReader): boolean => name.trim().toLowerCase() === wanted.trim().toLowerCase();
  const found = sheets.find(({ name }) => name === wanted) ?? sheets.find(isWanted);
  if (found !== undefined) return found;
  throw refusal('sheet_unknown', { path, sheet: wanted, sheets: sheets.map(({ name }) => name) });
}

interface JoinedRows {
  readonly sheets: readonly FoundSheet[];
  /** The rows of the first sheet, and below them those of the sheets with the same header. */
  rows(first: Pieces<TableRow>): Pieces<TableRow>;
}

/** The rows of all sheets with the header of the first. @param isAlone reads no other sheet */
export async function joinedRows(
  columns: readonly string[],
  others: readonly SheetReader[],
  isAlone: boolean,
): Promise<JoinedRows> {
  const found = await fewAtATime(others, async (sheet) => {
    const rows = sheet.isHidden || isAlone ? [] : await firstRows(sheet.rows());
    const header = rows.find(({ cells }) => isSameHeader(inOrder(cells, cells, columns), columns));
    return { sheet, header, reason: header === undefined ? reasonOf(sheet, isAlone, rows) : null };
  });
  const isOne = found.every(({ header }) => header === undefined);
  return {
    sheets: found.map(({ sheet: { name }, reason }) => ({ name, isImported: reason === null, reason })),
    rows: (first) => (isOne ? first : all(first)),
  };

  async function* all(first: Pieces<TableRow>): AsyncGenerator<Iterable<TableRow>> {
    let last = 0;
    yield* mapped(first, (row) => {
      last = row.line;
      return row;
    });
    for (const { sheet, header } of found) {
      if (header === undefined) continue;
      const base = last;
      yield* mapped(sheet.rows(), ({ line, cells: own }) => {
        if (line <= header.line) return undefined;
        const cells = inOrder(own, header.cells, columns);
        last = base + line;
        return { line: last, cells, sheet: sheet.name, lineOfSheet: line };
      });
    }
  }
}

/** The cells of a sheet that has the same columns in another order. */
function inOrder(cells: readonly string[], header: readonly string[], columns: readonly string[]): readonly string[] {
  const names = header.map((name) => name.trim());
  const isOther = names.some((name, index) => name !== (columns[index] ?? ''));
  const isSame = new Set(columns).size === columns.length && columns.every((name) => names.includes(name));
  if (!isOther || !isSame || new Set(names).size < names.length || names.length !== columns.length) return cells;
  return [...columns.map((name) => cells[names.indexOf(name)] ?? ''), ...cells.slice(names.length)];
}

function reasonOf({ isHidden }: SheetReader, isAlone: boolean, rows: readonly TableRow[]): Said {
  if (isAlone) return say('other_sheet_chosen', {});
  if (isHidden) return say('sheet_hidden', {});
  return say(rows.length === 0 ? 'sheet_empty' : 'sheet_of_other_header', {});
}
