/** Files as old systems write them: read correctly, or refused with the place of the problem. Costs under a second. */
import { describe, expect, it } from 'vitest';
import type { Code, Said } from '../../../../bin/importer/engine/ground/codes.ts';
import { EngineError } from '../../../../bin/importer/engine/ground/errors.ts';
import { openSource, type SourceOptions } from '../../../../bin/importer/engine/read/open-source.ts';
import { each } from '../../../../bin/importer/engine/read/pieces.ts';
import { collected } from '../../command/support/files.ts';

const fileOf = (content: string | Buffer<ArrayBuffer>, name = 'history.csv'): File => new File([content], name);

async function cellsOf(
  content: string | Buffer<ArrayBuffer>,
  options?: SourceOptions,
): Promise<(readonly string[] | undefined)[]> {
  const source = await openSource(fileOf(content), options);
  return [source.columns, ...(await collected(each(source.rows()))).map(({ cells }) => cells)];
}

const PLAIN = [
  ['id', 'name'],
  ['1', 'Zoë'],
  ['2', 'Ana'],
];

describe('CSV', () => {
  it.each([
    ['with commas', 'id,name\n1,Zoë\n2,Ana\n'],
    ['with semicolons', 'id;name\n1;Zoë\n2;Ana\n'],
    ['with tabs', 'id\tname\n1\tZoë\n2\tAna\n'],
    ['with CRLF', 'id,name\r\n1,Zoë\r\n2,Ana\r\n'],
    ['without a last line break', 'id,name\n1,Zoë\n2,Ana'],
    ['with a byte-order mark', '\u{feff}id,name\n1,Zoë\n2,Ana\n'],
    ['with quotes', '"id","name"\n"1","Zoë"\n2,Ana\n'],
    ['with empty lines, and lines of delimiters alone', '\n\nid,name\n\n1,Zoë\n,\n2,Ana\n\n'],
    ['in Latin-1', Buffer.from('id,name\n1,Zoë\n2,Ana\n', 'latin1')],
    [
      'in UTF-16 with its mark',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('id,name\n1,Zoë\n2,Ana\n', 'utf16le')]),
    ],
  ])('a file %s is read', async (_, content) => {
    expect(await cellsOf(content)).toEqual(PLAIN);
  });

  it('delimiters, quotes and line breaks inside quotes are kept', async () => {
    expect(await cellsOf('id,name\n1,"a, ""b""\r\nc"\n')).toEqual([
      ['id', 'name'],
      ['1', 'a, "b"\r\nc'],
    ]);
  });

  it('the byte-order mark takes precedence over the encoding of the mapping', async () => {
    expect(await cellsOf('\u{feff}id,name\n1,Zoë\n2,Ana\n', { encoding: 'latin1' })).toEqual(PLAIN);
  });
});

/** Why a file is refused; `undefined` if all its rows are read. */
async function refusalOf(content: string | Buffer<ArrayBuffer>, name?: string): Promise<Said | undefined> {
  try {
    await collected(each((await openSource(fileOf(content, name))).rows()));
    return undefined;
  } catch (error) {
    if (error instanceof EngineError) return error.said;
    throw error;
  }
}

/** A code at a place of a file, as it is expected. */
const at = (path: string, line: number, column: number | undefined, code: Code) => ({
  code: 'file_refused_at',
  params: { path, line, column, problem: { code } },
});

const LONG = 'x'.repeat(2 * 1024 * 1024);

describe('refusals with file, line and column', () => {
  it.each<readonly [string, string | Buffer<ArrayBuffer>, number, number | undefined, Code]>([
    ['a row with too many columns', 'a,b\n1,2\n3,4,5\n', 3, 2, 'row_of_other_width'],
    ['a row with too few columns', 'a,b,c\n1,2,3\n4,5\n', 3, 2, 'row_may_be_title'],
    ['a quote that is never closed', 'a,b\n1,2\n\n3,"x\n4,5\n', 4, 2, 'quote_never_closes'],
    ['text after a closing quote', 'a,b\n1,"x"y\n', 2, 2, 'text_after_quote'],
    ['a quote inside a bare text', 'a,b\n1,x"y"\n', 2, 2, 'quote_inside_text'],
    ['a line of 2 MB', `a,b\n1,2\n3,${LONG}\n`, 3, 1048577, 'line_too_long'],
    ['a last line of 2 MB without its line break', `a,b\n3,${LONG}`, 2, 1048577, 'line_too_long'],
    [
      'one byte that is not UTF-8 where the rest is',
      Buffer.concat([Buffer.from('a,b\n1,Zoë\n2,Zo'), Buffer.from([0xeb, 0x0a])]),
      3,
      5,
      'not_utf8',
    ],
    ['a NUL byte', 'a,b\n1,\0\n', 2, 3, 'nul_byte'],
    [
      'a header of another table',
      'Email,Course,Completed\na,b,c\nEmail,Course,Cancelled\na,b,c\n',
      3,
      undefined,
      'columns_named_anew',
    ],
  ])('%s is refused with its place', async (_, content, line, column, code) => {
    expect(await refusalOf(content)).toMatchObject(at('history.csv', line, column, code));
  });

  it.each<readonly [string, string, number, number, Code]>([
    ['a record cut short', '[{"a":1},\n {"b":', 2, 6, 'json_incomplete'],
    ['a record that is not JSON', '[{"a":1},\n {"b":nope}]', 2, 7, 'not_json'],
    ['a missing value', '[{"a":1},,{}]', 1, 10, 'json_value_missing'],
    ['something after the array', '[{"a":1}]\nx', 2, 1, 'text_after_array'],
    ['no array', '"a"', 1, 1, 'json_of_no_records'],
    ['a record nested too deep', `[${'['.repeat(40)}${']'.repeat(40)}]`, 1, 2, 'record_too_deep'],
  ])('%s in JSON is refused with its place', async (_, content, line, column, code) => {
    expect(await refusalOf(content, 'history.json')).toMatchObject(at('history.json', line, column, code));
  });

  it('a line of NDJSON that is not JSON is refused with its place', async () => {
    expect(await refusalOf('{"a":1}\n\n{"b":}\n', 'history.ndjson')).toMatchObject(
      at('history.ndjson', 3, 6, 'not_json'),
    );
  });
});

it.each([
  ['an empty file', '', 'file_empty'],
  ['a spreadsheet', 'PK\u{3}\u{4}rest', 'workbook_damaged'],
  ['a dump of SQL', '-- 8.0.36\n\n/*!40101 SET NAMES utf8 */;\n\nDROP TABLE IF EXISTS `a`;\n', 'file_is_sql_dump'],
])('%s is refused as a whole', async (_, content, code) => {
  expect(await refusalOf(content)).toMatchObject({ code, params: { path: 'history.csv' } });
});

it('a file that begins like the comments of a dump, over and over, is read like any other', async () => {
  expect(await refusalOf(`/${'*\t--(\n/'.repeat(9000)}*\tend`)).toBeUndefined();
});

const wide = (columns: number): string => `${'c,'.repeat(columns - 1)}c\n${'1,'.repeat(columns - 1)}1\n`;

describe('tables that are none', () => {
  it('a table with more columns than Excel has is refused with its line', async () => {
    expect(await refusalOf(wide(16_385))).toMatchObject(at('history.csv', 1, undefined, 'table_too_wide'));
    expect((await openSource(fileOf(wide(16_384)))).columns).toHaveLength(16_384);
  });

  it('a table that ends among its first rows is cut into cells once, however often it is read', async () => {
    let pieces = 0;
    const file = fileOf(wide(16_384));
    const slice = (start: number, end: number) => {
      pieces += 1;
      return file.slice(start, end);
    };
    const source = await openSource({ name: file.name, size: file.size, slice });
    const opened = pieces;
    const again = await source.under({});
    for (const rows of [source.rows(), source.anyRows(), again.rows()])
      expect(await collected(each(rows))).toHaveLength(1);
    expect(pieces).toBe(opened);
  });

  it.each([
    ['<!DOCTYPE html>\n<html><form><input type="password"></form></html>', 'file_is_web_page'],
    ['\n<html><body><table><tr><td>Email</td></tr></table></body></html>', 'file_is_table_of_html'],
    ['<?xml version="1.0"?>\n<ss:Workbook xmlns:ss="urn:x"><ss:Worksheet/></ss:Workbook>', 'file_is_table_of_html'],
  ])('the web page %j is refused under any name', async (content, code) => {
    for (const name of ['history.csv', 'history.xls', 'history.json'])
      expect(await refusalOf(content, name)).toEqual({ code, params: { path: name } });
  });
});

describe('JSON', () => {
  it.each([
    ['an array over several lines', '[\n  {"a": [1, "],{"]},\n  {"b": "\\"}"}\n]\n', 'history.json'],
    ['an array on one line', '[{"a":[1,"],{"]},{"b":"\\"}"}]', 'history.json'],
    ['a line each', '{"a":[1,"],{"]}\n{"b":"\\"}"}\n', 'history.ndjson'],
    ['lines in a file of another name', '{"a":[1,"],{"]}\n\n{"b":"\\"}"}', 'history.txt'],
  ])('%s gives its records', async (_, content, name) => {
    const source = await openSource(fileOf(content, name));
    expect((await collected(each(source.rows()))).map(({ value }) => value)).toEqual([{ a: [1, '],{'] }, { b: '"}' }]);
  });

  it('an empty array has no records', async () => {
    expect(await collected(each((await openSource(fileOf(' [ ] ', 'history.json'))).rows()))).toEqual([]);
  });

  it.each(['history.json', 'history.ndjson'])('ids of %s beyond 2^53 keep their digits', async (name) => {
    const content = String.raw`{"a":9007199254740993,"b":[-12345678901234567890],"c":"\\\" 9007199254740993","d":0.12500000000000000000,"e":1200000000000000000e-19}`;
    const source = await openSource(fileOf(name === 'history.json' ? `[${content}]` : content, name));
    const [row] = await collected(each(source.rows()));
    expect(row?.value).toEqual({
      a: '9007199254740993',
      b: ['-12345678901234567890'],
      c: String.raw`\" 9007199254740993`,
      d: 0.125,
      e: 0.12,
    });
  });

  it('a long number that is no JSON remains an error', async () => {
    expect(await refusalOf('[{"a":09007199254740993}]', 'history.json')).toMatchObject({
      params: { problem: { code: 'not_json' } },
    });
    expect(await refusalOf('[{9007199254740993:1}]', 'history.json')).toMatchObject({
      params: { problem: { code: 'not_json' } },
    });
  });

  it('an array of 2 MB on one line is read', async () => {
    const record = { text: 'y'.repeat(1000) };
    const source = await openSource(
      fileOf(JSON.stringify(Array.from({ length: 2_000 }, () => record)), 'history.json'),
    );
    expect(await collected(each(source.rows()))).toHaveLength(2_000);
  });
});

it('cells that a person corrected replace those of the file, which then has another hash', async () => {
  const file = fileOf('id,name\n1,Zoe\n2,Ana\n');
  const [plain, corrected] = [await openSource(file), await openSource(file, { corrections: { 2: { 1: 'Zoë' } } })];
  expect((await collected(each(corrected.rows()))).map(({ cells }) => cells)).toEqual(PLAIN.slice(1));
  expect(corrected.hash).not.toBe(plain.hash);
  expect(corrected.sha256).toBe(plain.sha256);
  expect((await openSource(file, { corrections: {} })).hash).toBe(plain.hash);
});
