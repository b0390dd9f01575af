/** Writes Excel workbooks for tests: plain ones, and parts of any content in an archive. */
import { crc32, deflateRawSync } from 'node:zlib';

/** A ZIP archive with these parts; `claims` overrides the unpacked size or the checksum that a part is said to have. */
export function archiveOf(
  parts: Readonly<Record<string, string | Buffer>>,
  claims: { readonly part?: string; readonly size?: number; readonly crc?: number } = {},
): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content as string);
    const packed = deflateRawSync(bytes);
    const isClaimed = name === claims.part;
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE((isClaimed ? claims.crc : undefined) ?? crc32(bytes), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE((isClaimed ? claims.size : undefined) ?? bytes.length, 18);
    about.writeUInt16LE(Buffer.byteLength(name), 22);
    const file = Buffer.concat([Buffer.from('PK\u{3}\u{4}'), about, Buffer.from(name), packed]);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\u{1}\u{2}'), Buffer.from([20, 0]), about, more, Buffer.from(name));
    files.push(file);
    offset += file.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(listing.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, listing, Buffer.from('PK\u{5}\u{6}'), end]);
}

export interface WorkbookShape {
  /** XML of the rows of each sheet, by its name. */
  readonly sheets: Readonly<Record<string, string>>;
  readonly hidden?: readonly string[];
  /** XML of the shared texts. */
  readonly shared?: string;
  /** Number formats; style `n` of a cell is the n-th of them, from 1. */
  readonly formats?: readonly string[];
  readonly is1904?: boolean;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

/** The parts of a workbook as Excel names them. */
export function workbookParts(shape: WorkbookShape): Record<string, string> {
  const { sheets, hidden = [], shared = '', formats = [], is1904 = false } = shape;
  const names = Object.keys(sheets);
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${RELATION}/${type}" Target="${target}"/>`;
  const listed = names.map(
    (name, i) =>
      `<sheet name="${escaped(name)}" sheetId="${i + 1}" ${hidden.includes(name) ? 'state="hidden" ' : ''}r:id="rId${i + 1}"/>`,
  );
  const numFmts = formats.map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${escaped(code)}"/>`);
  const xfs = formats.map((_, i) => `<xf numFmtId="${164 + i}"/>`);
  return {
    '_rels/.rels': `${XML}<Relationships>${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `${XML}<workbook ${MAIN} xmlns:r="${RELATION}"><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships>${names.map((_, i) => relation(`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`)).join('')}${relation('rIdS', 'styles', 'styles.xml')}${relation('rIdT', 'sharedStrings', '/xl/sharedStrings.xml')}</Relationships>`,
    'xl/styles.xml': `${XML}<styleSheet ${MAIN}><numFmts>${numFmts.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${xfs.join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${XML}<sst ${MAIN}>${shared}</sst>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        `${XML}<worksheet ${MAIN}><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  };
}

export const workbookOf = (shape: WorkbookShape): Buffer => archiveOf(workbookParts(shape));

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A row of inline texts; a cell that is empty is left out, as Excel does. */
export function textRow(line: number, texts: readonly string[]): string {
  const cells = texts.map((text, i) =>
    text === ''
      ? ''
      : `<c r="${columnName(i)}${line}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`,
  );
  return `<row r="${line}">${cells.join('')}</row>`;
}

/** 0 is A, 26 is AA. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}
