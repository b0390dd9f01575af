/** CSV as it is written. */

/** A spreadsheet runs a cell that begins like this, and shows one that begins with an apostrophe as text. */
const FORMULA = /^[=+\-@\t\r]/;

/** For a cell that will not be imported again: a formula becomes a text. */
export const defused = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

/** One line of CSV, with quotes only where they are needed (RFC 4180). */
export function csvLine(cells: readonly string[], delimiter: string): string {
  return cells.map((cell) => quoted(cell, delimiter)).join(delimiter);
}

function quoted(cell: string, delimiter: string): string {
  const isPlain = !cell.includes(delimiter) && !/["\r\n]|^\s|\s$/.test(cell);
  return isPlain ? cell : `"${cell.replaceAll(/"{1,999}/g, (run) => run + run)}"`;
}
