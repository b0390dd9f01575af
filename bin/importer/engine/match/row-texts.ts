/** The texts of some columns of a table, or of some members of JSON objects, for lists of courses and users. */
import { type Said, say } from '../ground/codes.ts';
import { memberText } from '../ground/columns.ts';
import { type EngineError, refusal } from '../ground/errors.ts';
import type { Row, Source } from '../read/open-source.ts';

interface WantedColumn {
  /** Named by the user: a column, or the path of a member. */
  readonly asked: string | undefined;
  /** Found by its header; only of a table. */
  readonly guessed: string | undefined;
}

/**
 * Reads the wanted columns of each row; `undefined` where a cell is empty, and of a column that was not found.
 *
 * @param problem none of the columns was found
 * @throws EngineError, also for a column that was asked for and does not exist
 */
export function rowTexts(
  source: Source,
  wanted: readonly WantedColumn[],
  problem: Said,
): (row: Row) => (string | undefined)[] {
  const { path, format } = source;
  if (format === 'csv') {
    const indexes = wanted.map((each) => indexIn(source, each));
    if (indexes.every((index) => index === -1)) throw refused(source, problem);
    return ({ cells = [] }) => indexes.map((index) => filled(cells[index]));
  }
  if (wanted.every(({ asked }) => asked === undefined)) throw refusal('members_refused', { path, problem });
  return ({ value }) => wanted.map(({ asked }) => (asked === undefined ? undefined : filled(memberText(value, asked))));
}

const filled = (text: string | undefined): string | undefined => text?.trim() || undefined;

/** -1 for a column that was neither asked for nor found. @throws EngineError for another that the table lacks */
export function indexIn(source: Source, { asked, guessed }: WantedColumn): number {
  const name = asked ?? guessed;
  const index = name === undefined ? -1 : source.columns.indexOf(name);
  if (asked !== undefined && index === -1) throw refused(source, say('no_such_column', { column: asked }));
  return index;
}

export const refused = ({ path, headerLine, columns }: Source, problem: Said): EngineError =>
  refusal('columns_refused', { path, line: headerLine, problem, columns });
