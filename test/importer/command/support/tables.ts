/** Files of tables as text: `=== name`, the lines of the table, and `--> ` with what is expected of it, as JSON. */
import { readFileSync } from 'node:fs';
import { textRow, workbookOf } from './workbook.ts';

export interface Told {
  /** A workbook has its sheets as lines after `[name]`, with a bar between two cells. Default: history.csv. */
  readonly file?: string;
  /** In which the text is written; default: UTF-8. `marked`: behind a byte-order mark. */
  readonly encoding?: string;
  readonly marked?: boolean;
}

export interface Table<Expected> {
  readonly name: string;
  readonly file: string;
  readonly bytes: Buffer;
  readonly expected: Expected & Told;
}

export function tablesIn<Expected>(path: string): Table<Expected>[] {
  const text = readFileSync(path, 'utf8');
  const tables = [...text.matchAll(/^=== (.*)\n([\s\S]*?)^--> (.*)$/gm)].map(([, name = '', lines = '', json = '']) => {
    const expected = JSON.parse(json) as Expected & Told;
    const { file = 'history.csv' } = expected;
    return { name, file, bytes: file.endsWith('.xlsx') ? workbook(lines) : encoded(lines, expected), expected };
  });
  if (tables.length !== text.match(/^=== /gm)?.length) throw new Error(`A table of ${path} has no expectation.`);
  return tables;
}

function workbook(text: string): Buffer {
  const sheets = [...text.matchAll(/^\[(.*)\]\n((?:(?!\[).*\n)*)/gm)].map(([, name = '', lines = '']) => {
    const rows = lines.trimEnd().split('\n');
    return [name, rows.map((line, index) => textRow(index + 1, line.split('|'))).join('')];
  });
  return workbookOf({ sheets: Object.fromEntries(sheets) });
}

function encoded(text: string, { encoding = 'utf-8', marked = false }: Told): Buffer {
  const whole = marked ? `\u{feff}${text}` : text;
  if (encoding === 'utf-8') return Buffer.from(whole);
  if (encoding === 'utf-16le') return Buffer.from(whole, 'utf16le');
  const bytes = bytesOfLetters(encoding);
  return Buffer.concat(Array.from(whole, (letter) => bytes.get(letter) ?? Buffer.from(letter)));
}

/** The bytes of each letter that a decoder knows: one, or two behind a byte that is no letter. */
function bytesOfLetters(encoding: string): ReadonlyMap<string, Buffer> {
  const decoder = new TextDecoder(encoding);
  const singles = Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]));
  const doubles = singles.slice(128).flatMap((first) => singles.map((second) => Buffer.concat([first, second])));
  return new Map([...doubles, ...singles].map((bytes) => [decoder.decode(bytes), bytes]));
}
