/** The CSV reader against `csv-parse`, an independent one, on random texts in random pieces. Costs about a second. */
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { EngineError } from '../../../../bin/importer/engine/ground/errors.ts';
import { RowCutter } from '../../../../bin/importer/engine/read/csv.ts';
import { cases } from '../../../kit/at-length.ts';

/** Of rows that are not blank: a blank row is skipped. */
const filled = (rows: readonly (readonly string[])[]) => rows.filter((cells) => cells.some((cell) => cell !== ''));

function cutRows(pieces: readonly string[]) {
  const cutter = new RowCutter('a.csv', ',');
  return [...pieces.flatMap((piece) => [...cutter.read(piece)]), ...cutter.end()];
}

/** The rows, or the column of the first error. */
function ownRows(pieces: readonly string[]) {
  try {
    return filled(cutRows(pieces).map(({ cells }) => cells));
  } catch (error) {
    if (!(error instanceof EngineError) || error.said.code !== 'file_refused_at') throw error;
    // Our reader alone refuses a text of whole rows: two quotes that belong to no pair would hide them.
    fc.pre(!JSON.stringify(error.said).includes('quote_around_rows'));
    return error.said.params.column;
  }
}

function othersRows(text: string) {
  try {
    return filled(parse(text, { relax_column_count: true }));
  } catch (error) {
    if (error instanceof CsvError) return Number(error['column']) + 1;
    throw error;
  }
}

const character = fc.constantFrom('a', 'é', ' ', ',', ',', '"', '"', '""', '\n', '\r\n', '\r');

it('rows, and the column of the first misplaced quote, are those that another reader finds', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: character, maxLength: 12 }), { maxLength: 6 }), (pieces) => {
      expect(ownRows(pieces)).toEqual(othersRows(pieces.join('')));
    }),
    { numRuns: cases(3000, 300) },
  );
});

it('rows of any cells are read as they were written, whatever the pieces', () => {
  const cells = fc.array(fc.string({ unit: character, maxLength: 6 }), { minLength: 2, maxLength: 4 });
  const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(fc.array(cells, { maxLength: 6 }), fc.integer({ min: 1, max: 9 }), (rows, size) => {
      const text = rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
      const pieces = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
      expect(ownRows(pieces)).toEqual(filled(rows));
    }),
    { numRuns: cases(500, 80) },
  );
});

it('a row counts the line breaks of its texts, also where line ends differ', () => {
  const rows = cutRows(['a,b\n1,"x\r\ny\rz"\n\n2,3\r\n4,5']);
  expect(filled(rows.map(({ cells }) => cells))).toHaveLength(4);
  expect(rows.filter(({ cells }) => cells.length > 1).map(({ line }) => line)).toEqual([1, 2, 6, 7]);
});
