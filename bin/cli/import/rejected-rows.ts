import type { Reading } from './reading.ts';
import type { Row } from '../source/row.ts';
import { csvLine } from './csv-text.ts';
import { ADDED_COLUMNS } from './rejected-columns.ts';

/** Why a record was rejected. */
export interface Rejection {
  readonly errors: readonly { readonly error_code: string; readonly message: string }[];
}

/** The rejections among the records of a chunk, by their position in it; `undefined` where there are none. */
export type RejectionsOf = (chunk: number) => Promise<ReadonlyMap<number, Rejection> | undefined>;

/** Lines of a file that holds the rejected rows as they were, with the reasons added: to be mended and imported again. */
export async function* rejectedLines(reading: Reading, rejectionsOf: RejectionsOf): AsyncGenerator<string> {
  const { write, header } =
    reading.source.format === 'csv' ? csvForm(reading) : { write: ndjsonLine, header: undefined };
  if (header !== undefined) yield header;
  for await (const { index, rows } of reading.chunks()) {
    const rejections = await rejectionsOf(index);
    if (rejections === undefined) continue;
    for (const [position, row] of rows.entries()) {
      const rejection = rejections.get(position);
      if (rejection !== undefined) yield write(row, added(rejection));
    }
  }
}

export function added({ errors }: Rejection): readonly [codes: string, messages: string] {
  const codes = [...new Set(errors.map(({ error_code }) => error_code))];
  return [codes.join(' '), errors.map(({ message }) => message).join('; ')];
}

function csvForm({ source }: Reading) {
  const { columns, delimiter, crlf, bom, encoding } = source;
  const end = crlf ? '\r\n' : '\n';
  const kept = columns.flatMap((name, index) => (ADDED_COLUMNS.includes(name) ? [] : [index]));
  // The file is UTF-8 now, which spreadsheets take for granted only where a mark says so.
  const mark = bom || encoding !== 'utf-8' ? '\u{feff}' : '';
  const line = (cells: readonly string[], more: readonly string[]) =>
    csvLine([...kept.map((index) => cells[index] ?? ''), ...more], delimiter) + end;
  return {
    header: mark + line(columns, ADDED_COLUMNS),
    write: ({ cells = [] }: Row, reasons: readonly string[]) => line(cells, reasons),
  };
}

export function ndjsonLine(
  { value }: Pick<Row, 'value'>,
  [error_codes, error_messages]: readonly [string, string],
): string {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return `${JSON.stringify({ ...(isObject ? value : { record: value }), error_codes, error_messages })}\n`;
}
