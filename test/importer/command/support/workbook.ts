/** Writes Excel workbooks for tests: plain ones, and parts of any content in an archive. */
import { crc32, deflateRawSync } from 'node:zlib';

interface ArchiveShape {
  /** The part that claims another unpacked size or checksum than it has. */
  readonly part?: string;
  readonly size?: number;
  readonly crc?: number;
  /** The parts are not packed. */
  readonly isStored?: boolean;
  /** The directory has its numbers in the extension for archives over 4 GiB (ZIP64). */
  readonly isExtended?: boolean;
}

export function archiveOf(parts: Readonly<Record<string, string | Buffer>>, shape: ArchiveShape = {}): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content as string);
    const packed = shape.isStored === true ? bytes : deflateRawSync(bytes);
    const about = aboutPart(name, { bytes, packed }, shape);
    const file = Buffer.concat([Buffer.from('PK\u{3}\u{4}'), about, Buffer.from(name), packed]);
    directory.push(entryOf(name, about, offset, shape.isExtended === true));
    files.push(file);
    offset += file.length;
  }
  const listing = Buffer.concat(directory);
  return Buffer.concat([...files, listing, endOf(files.length, listing.length, offset, shape.isExtended === true)]);
}

/** The header of a part, before it and in the directory. */
function aboutPart(name: string, { bytes, packed }: { bytes: Buffer; packed: Buffer }, shape: ArchiveShape): Buffer {
  const claims = name === shape.part ? shape : {};
  const about = Buffer.alloc(26);
  about.writeUInt16LE(20, 0);
  about.writeUInt16LE(shape.isStored === true ? 0 : 8, 4);
  about.writeUInt32LE(claims.crc ?? crc32(bytes), 10);
  about.writeUInt32LE(packed.length, 14);
  about.writeUInt32LE(claims.size ?? bytes.length, 18);
  about.writeUInt16LE(Buffer.byteLength(name), 22);
  return about;
}

function entryOf(name: string, about: Buffer, offset: number, isExtended: boolean): Buffer {
  const listed = Buffer.from(about);
  const place = Buffer.alloc(14);
  place.writeUInt32LE(isExtended ? 0xffffffff : offset, 10);
  const extra = isExtended ? numbers64(about.readUInt32LE(18), about.readUInt32LE(14), offset) : Buffer.alloc(0);
  if (isExtended) listed.fill(0xff, 14, 22);
  listed.writeUInt16LE(extra.length, 24);
  return Buffer.concat([Buffer.from('PK\u{1}\u{2}'), Buffer.from([20, 0]), listed, place, Buffer.from(name), extra]);
}

function endOf(count: number, bytes: number, offset: number, isExtended: boolean): Buffer {
  const end = Buffer.alloc(18);
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(bytes, 8);
  end.writeUInt32LE(offset, 12);
  if (isExtended) end.fill(0xff, 4, 16);
  const extension = isExtended ? end64(count, bytes, offset) : Buffer.alloc(0);
  return Buffer.concat([extension, Buffer.from('PK\u{5}\u{6}'), end]);
}

const numbers = (...values: readonly number[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(BigInt(value));
      return bytes;
    }),
  );

const numbers64 = (...values: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from([1, 0, values.length * 8, 0]), numbers(...values)]);

/** The end of an extended archive, and the record that says where it is. */
function end64(count: number, bytes: number, offset: number): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16LE(45, 0);
  return Buffer.concat([
    Buffer.from('PK\u{6}\u{6}'),
    numbers(44),
    head,
    numbers(count, count, bytes, offset),
    Buffer.from('PK\u{6}\u{7}'),
    Buffer.alloc(4),
    numbers(offset + bytes),
    Buffer.from([1, 0, 0, 0]),
  ]);
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
