/** The texts of some columns of a table, or of some members of JSON objects, for lists of courses and users. */
import { UsageError } from '../ground/errors.ts';
import { columnsAre, memberText } from '../ground/columns.ts';
import type { Row, Source } from '../read/open-source.ts';

export interface WantedColumn {
  /** Named by the user: a column, or the path of a member. */
  readonly asked: string | undefined;
  /** Found by its header; only of a table. */
  readonly guessed: string | undefined;
}

/**
 * Reads the wanted columns of each row; `undefined` where a cell is empty, and of a column that was not found.
 *
 * @throws UsageError, also for a column that was asked for and does not exist
 */
export function rowTexts(
  source: Source,
  wanted: readonly WantedColumn[],
  problem: string,
): (row: Row) => (string | undefined)[] {
  const { path, format, headerLine, columns } = source;
  if (format === 'csv') {
    const indexes = wanted.map((each) => indexIn(source, each));
    if (indexes.every((index) => index === -1))
      throw new UsageError(`${path}, line ${headerLine}: ${problem}. ${columnsAre(columns)}`);
    return ({ cells = [] }) => indexes.map((index) => filled(cells[index]));
  }
  if (wanted.every(({ asked }) => asked === undefined))
    throw new UsageError(`${path}: ${problem}: in a JSON file they name its members.`);
  return ({ value }) => wanted.map(({ asked }) => (asked === undefined ? undefined : filled(memberText(value, asked))));
}

const filled = (text: string | undefined): string | undefined => text?.trim() || undefined;

function indexIn({ path, headerLine, columns }: Source, { asked, guessed }: WantedColumn): number {
  const name = asked ?? guessed;
  const index = name === undefined ? -1 : columns.indexOf(name);
  if (asked !== undefined && index === -1)
    throw new UsageError(`${path}, line ${headerLine}: there is no column "${asked}". ${columnsAre(columns)}`);
  return index;
}
