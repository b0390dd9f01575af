/** Excel workbooks: the rows that the same table has as CSV, or a sentence. Costs about two seconds. */
import * as fc from 'fast-check';
import { EN } from '../../../../../bin/importer/texts/en.ts';
import { messageIn } from '../../../../../bin/importer/texts/texts.ts';
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../../../bin/importer/engine/ground/errors.ts';
import { openSource, type SourceOptions } from '../../../../../bin/importer/engine/read/open-source.ts';
import { each } from '../../../../../bin/importer/engine/read/pieces.ts';
import { collected } from '../../../command/support/files.ts';
import { HOSTILE_WORKBOOKS } from '../../../command/support/hostile-workbooks.ts';
import {
  archiveOf,
  textRow,
  workbookOf,
  workbookParts,
  type WorkbookShape,
} from '../../../command/support/workbook.ts';
import { cases } from '../../../../kit/at-length.ts';

const sourceOf = (content: WorkbookShape | Buffer, options?: SourceOptions) =>
  openSource(new File([Buffer.isBuffer(content) ? content : workbookOf(content)], 'history.xlsx'), options);

async function rowsOf(content: WorkbookShape | Buffer, options?: SourceOptions) {
  const source = await sourceOf(content, options);
  return [source.columns, ...(await collected(each(source.rows()))).map(({ cells }) => cells)];
}

const HEADER = textRow(1, ['id', 'value']);
async function textOf(cell: string, shape: Partial<WorkbookShape> = {}): Promise<string | undefined> {
  const rows = await rowsOf({ ...shape, sheets: { One: `${HEADER}<row r="2"><c r="A2"><v>1</v></c>${cell}</row>` } });
  return rows[1]?.[1];
}

describe('sheets', () => {
  it('a sheet has the columns and rows of its table, with empty cells for the absent ones', async () => {
    const rows = [textRow(1, ['id', 'name', 'note']), textRow(2, ['1', '', 'x']), textRow(3, ['2', 'Ana', ''])].join(
      '',
    );
    expect(await rowsOf({ sheets: { One: rows } })).toEqual([
      ['id', 'name', 'note'],
      ['1', '', 'x'],
      ['2', 'Ana', ''],
    ]);
  });

  it('rows keep their numbers, also after blank ones', async () => {
    const source = await sourceOf({
      sheets: { One: `${HEADER}<row r="2"/>${textRow(5, ['1', 'a'])}${textRow(9, ['2', 'b'])}` },
    });
    expect((await collected(each(source.rows()))).map(({ line }) => line)).toEqual([5, 9]);
  });

  it('rows and cells without a reference are counted', async () => {
    const rows =
      '<row><c t="inlineStr"><is><t>id</t></is></c><c t="inlineStr"><is><t>value</t></is></c></row><row><c><v>1</v></c><c><v>2</v></c></row>';
    expect(await rowsOf({ sheets: { One: rows } })).toEqual([
      ['id', 'value'],
      ['1', '2'],
    ]);
  });

  it('the sheet is the first one that is not hidden, or the one that is named', async () => {
    const sheets = {
      Notes: textRow(1, ['n']),
      History: `${HEADER}${textRow(2, ['1', 'a'])}`,
      Other: textRow(1, ['o']),
    };
    const shape = { sheets, hidden: ['Notes'] };
    expect((await sourceOf(shape)).sheet).toBe('History');
    expect((await sourceOf(shape, { sheet: 'other' })).columns).toEqual(['o']);
    await expect(sourceOf(shape, { sheet: 'Missing' })).rejects.toMatchObject({
      said: { code: 'sheet_unknown', params: { sheet: 'Missing', sheets: ['History', 'Other', 'Notes'] } },
    });
  });

  it('a chosen sheet is other content than the first one, so that it is another import', async () => {
    const shape = { sheets: { One: HEADER, Two: HEADER } };
    expect((await sourceOf(shape, { sheet: 'Two' })).hash).not.toBe((await sourceOf(shape)).hash);
  });

  it('a sheet may have title lines above its header', async () => {
    const source = await sourceOf({
      sheets: { One: `${textRow(1, ['Report'])}${textRow(3, ['id', 'value'])}${textRow(4, ['1', 'a'])}` },
    });
    expect([source.headerLine, source.columns]).toEqual([3, ['id', 'value']]);
  });

  it('the XML of a sheet may have prefixes', async () => {
    const parts = workbookParts({ sheets: { One: `${HEADER}${textRow(2, ['1', 'a'])}` } });
    const name = 'xl/worksheets/sheet1.xml';
    const prefixed = (parts[name] ?? '').replaceAll(/<(\/?)([a-zA-Z])/g, '<$1x:$2').replace('xmlns=', 'xmlns:x=');
    expect(await rowsOf(archiveOf({ ...parts, [name]: prefixed }))).toEqual([
      ['id', 'value'],
      ['1', 'a'],
    ]);
  });
});

describe('texts', () => {
  it('a text may be shared, formatted in parts, and have a reading aid that is left out', async () => {
    const shared = '<si><t>plain</t></si><si><r><t>in </t></r><r><t>parts</t></r><rPh><t>aid</t></rPh></si>';
    expect(await textOf('<c r="B2" t="s"><v>0</v></c>', { shared })).toBe('plain');
    expect(await textOf('<c r="B2" t="s"><v>1</v></c>', { shared })).toBe('in parts');
  });

  it('a text may be the result of a formula, and contain line breaks', async () => {
    expect(await textOf('<c r="B2" t="str"><f>A1&amp;"x"</f><v>a_x000D_\nb &lt;c&gt;</v></c>')).toBe('a\r\nb <c>');
  });

  it('the text of an error or a truth value is the one that Excel shows', async () => {
    expect(await textOf('<c r="B2" t="e"><v>#N/A</v></c>')).toBe('#N/A');
    expect(await textOf('<c r="B2" t="b"><v>1</v></c>')).toBe('TRUE');
  });
});

describe('numbers', () => {
  it.each([
    ['General', '67', '67'],
    ['General', '0.1', '0.1'],
    ['General', '0.30000000000000004', '0.3'],
    ['General', '12345678901234567890', '12345678901234567890'],
    ['General', '1.5E-7', '0.00000015'],
    ['General', '1.2E+18', '1200000000000000000'],
    ['0.00', '66.666666666666671', '66.6666666666667'],
    ['#,##0', '1234', '1234'],
    ['00000', '123', '00123'],
    ['00000', '1234567', '1234567'],
    ['000\\-00\\-0000', '1234567', '001-23-4567'],
    ['"E-"00000', '42', 'E-00042'],
    ['00000', '-3', '-3'],
    ['0%', '0.6667', '66.67%'],
    ['0.00%', '0.07', '7%'],
    ['yyyy\\-mm\\-dd', '45322', '2024-01-31'],
    ['dd/mm/yyyy hh:mm', '45322.354166666664', '2024-01-31T08:30:00'],
    ['dd/mm/yyyy hh:mm', '45322', '2024-01-31T00:00:00'],
    ['d. mmmm yyyy', '45322.5', '2024-01-31T12:00:00'],
    ['[$-409]m/d/yy h:mm AM/PM;@', '45322.75', '2024-01-31T18:00:00'],
    ['[Red]yyyy', '45322', '2024-01-31'],
    ['yyyy-mm-dd hh:mm:ss.000', '45322.000011574074', '2024-01-31T00:00:01'],
    ['yyyy-mm-dd', '1', '1900-01-01'],
    ['yyyy-mm-dd', '59', '1900-02-28'],
    ['yyyy-mm-dd', '60', '1900-02-29'],
    ['yyyy-mm-dd', '61', '1900-03-01'],
    ['yyyy-mm-dd', '2958465', '9999-12-31'],
    ['yyyy-mm-dd', '2958466', '2958466'],
    ['yyyy-mm-dd', '-1', '-1'],
    ['h:mm', '0.354166666666667', '08:30:00'],
    ['[h]:mm', '1.5', '36:00:00'],
    ['"day" 0', '7', '7'],
    ['0.0 "hrs"', '7.5', '7.5'],
  ])('a number with the format %s, stored as %s, is %s', async (format, stored, text) => {
    expect(await textOf(`<c r="B2" s="1"><v>${stored}</v></c>`, { formats: [format] })).toBe(text);
  });

  it('a number is a date of 1904 in a workbook that begins then', async () => {
    const shape = { formats: ['yyyy-mm-dd'], is1904: true };
    expect(await textOf('<c r="B2" s="1"><v>43860</v></c>', shape)).toBe('2024-01-31');
    expect(await textOf('<c r="B2" s="1"><v>0</v></c>', shape)).toBe('1904-01-01');
  });
});

describe('damaged and hostile files', () => {
  const whole = archiveOf(workbookParts({ sheets: { One: `${HEADER}${textRow(2, ['1', 'a'])}` } }));

  it.each(HOSTILE_WORKBOOKS)('a file %s is refused in a sentence', async (_, content, sentence) => {
    const error: unknown = await rowsOf(content).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(EngineError);
    expect(messageIn(EN, error)).toContain(sentence);
    expect(messageIn(EN, error)).toMatch(/^\S+\.xlsx\b.*\.$/s);
  });

  const UNCHANGED = [
    ['id', 'value'],
    ['1', 'a'],
  ];

  it('a file with one byte changed anywhere is read or refused, never anything else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (place, byte) => {
        const changed = Buffer.from(whole);
        changed[place] = byte;
        const outcome = await rowsOf(changed).catch((error: unknown) =>
          error instanceof EngineError ? 'refused' : error,
        );
        expect(['refused', UNCHANGED]).toContainEqual(outcome);
      }),
      { numRuns: cases(400, 30) },
    );
  });
});
