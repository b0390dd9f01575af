/** Files as old systems write them: read correctly, or refused with the place of the problem. Costs under a second. */
import { describe, expect, it } from 'vitest';
import { SourceError, UsageError } from '../../../../bin/importer/engine/ground/errors.ts';
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

async function errorOf(content: string | Buffer<ArrayBuffer>, name?: string): Promise<string> {
  const error = await openSource(fileOf(content, name))
    .then((source) => collected(each(source.rows())))
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  expect(error).toBeInstanceOf(UsageError);
  return (error as Error).message;
}

const LONG = 'x'.repeat(2 * 1024 * 1024);

describe('refusals with file, line and column', () => {
  it.each([
    ['a row with too many columns', 'a,b\n1,2\n3,4,5\n', 'line 3, column 2'],
    ['a row with too few columns', 'a,b,c\n1,2,3\n4,5\n', 'line 3, column 2'],
    ['a quote that is never closed', 'a,b\n1,2\n\n3,"x\n4,5\n', 'line 4, column 2'],
    ['text after a closing quote', 'a,b\n1,"x"y\n', 'line 2, column 2'],
    ['a quote inside a bare text', 'a,b\n1,x"y"\n', 'line 2, column 2'],
    ['a line of 2 MB', `a,b\n1,2\n3,${LONG}\n`, 'line 3, column 1048577'],
    ['a last line of 2 MB without its line break', `a,b\n3,${LONG}`, 'line 2, column 1048577'],
    [
      'one byte that is not UTF-8 where the rest is',
      Buffer.concat([Buffer.from('a,b\n1,Zoë\n2,Zo'), Buffer.from([0xeb, 0x0a])]),
      'line 3, column 5',
    ],
    ['a NUL byte', 'a,b\n1,\0\n', 'line 2, column 3'],
    ['a header of another table', 'Email,Course,Completed\na,b,c\nEmail,Course,Cancelled\na,b,c\n', 'line 3'],
  ])('%s is refused with its place', async (_, content, place) => {
    expect(await errorOf(content)).toContain(`history.csv, ${place}:`);
  });

  it.each([
    ['a record cut short', '[{"a":1},\n {"b":', 'line 2, column 6'],
    ['a record that is not JSON', '[{"a":1},\n {"b":nope}]', 'line 2, column 7'],
    ['a missing value', '[{"a":1},,{}]', 'line 1, column 10'],
    ['something after the array', '[{"a":1}]\nx', 'line 2, column 1'],
    ['no array', '"a"', 'line 1, column 1'],
    ['a record nested too deep', `[${'['.repeat(40)}${']'.repeat(40)}]`, 'line 1, column 2'],
  ])('%s in JSON is refused with its place', async (_, content, place) => {
    expect(await errorOf(content, 'history.json')).toContain(`history.json, ${place}:`);
  });

  it('a line of NDJSON that is not JSON is refused with its place', async () => {
    expect(await errorOf('{"a":1}\n\n{"b":}\n', 'history.ndjson')).toContain('history.ndjson, line 3, column 6:');
  });
});

it.each([
  ['an empty file', ''],
  ['a spreadsheet', 'PK\u{3}\u{4}rest'],
])('%s is refused as a whole', async (_, content) => {
  const error = openSource(fileOf(content));
  await expect(error).rejects.toBeInstanceOf(UsageError);
  await expect(error).rejects.not.toBeInstanceOf(SourceError);
});

const wide = (columns: number): string => `${'c,'.repeat(columns - 1)}c\n${'1,'.repeat(columns - 1)}1\n`;

describe('tables that are none', () => {
  it('a table with more columns than Excel has is refused with its line', async () => {
    expect(await errorOf(wide(16_385))).toContain('history.csv, line 1: the row has 16,385 columns');
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
    ['<!DOCTYPE html>\n<html><form><input type="password"></form></html>', 'log in there'],
    ['\n<html><body><table><tr><td>Email</td></tr></table></body></html>', 'save it as .xlsx or CSV'],
    ['<?xml version="1.0"?>\n<ss:Workbook xmlns:ss="urn:x"><ss:Worksheet/></ss:Workbook>', 'save it as .xlsx or CSV'],
  ])('the web page %j is refused under any name', async (content, advice) => {
    for (const name of ['history.csv', 'history.xls', 'history.json'])
      expect(await errorOf(content, name)).toMatch(new RegExp(`^${name} is a web page.*${advice}`));
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
    expect(await errorOf('[{"a":09007199254740993}]', 'history.json')).toContain('this is not JSON');
    expect(await errorOf('[{9007199254740993:1}]', 'history.json')).toContain('this is not JSON');
  });

  it('an array of 2 MB on one line is read', async () => {
    const record = { text: 'y'.repeat(1000) };
    const source = await openSource(
      fileOf(JSON.stringify(Array.from({ length: 2_000 }, () => record)), 'history.json'),
    );
    expect(await collected(each(source.rows()))).toHaveLength(2_000);
  });
});

it('rows that a person corrected replace those of the file, which then has another hash', async () => {
  const file = fileOf('id,name\n1,Zoe\n2,Ana\n');
  const [plain, corrected] = [await openSource(file), await openSource(file, { corrections: { 2: ['1', 'Zoë'] } })];
  expect((await collected(each(corrected.rows()))).map(({ cells }) => cells)).toEqual(PLAIN.slice(1));
  expect(corrected.hash).not.toBe(plain.hash);
  expect((await openSource(file, { corrections: {} })).hash).toBe(plain.hash);
});
