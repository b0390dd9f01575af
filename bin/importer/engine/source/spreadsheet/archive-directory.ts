/** The directory at the end of a ZIP archive (APPNOTE 6.3, 4.3.12 to 4.3.16), with the extension for large ones (ZIP64). */
import { UsageError } from '../../errors.ts';
import { bytesAt, type InputFile } from '../bytes.ts';

export interface Part {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly crc32: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  /** The place of its own header. */
  readonly offset: number;
}

/** More than a workbook of a million rows has. */
const MAX_PARTS = 10_000;
const MAX_DIRECTORY_BYTES = 32 * 1024 * 1024;

const END_BYTES = 22;
const LOCATOR_BYTES = 20;
const END_64_BYTES = 56;
const ENTRY_BYTES = 46;
const MAX_COMMENT_BYTES = 0xffff;
/** Marks a number that is too large for this record and is in the extension. */
const IN_EXTENSION = 0xffffffff;

/**
 * The parts by their names in lower case.
 *
 * @throws Error for a file that is no archive or a damaged one, UsageError for one with too many parts
 */
export async function readDirectory(file: InputFile): Promise<Map<string, Part>> {
  const { count, bytes, offset } = await readEnd(file);
  if (count > MAX_PARTS || bytes > MAX_DIRECTORY_BYTES)
    throw new UsageError(`${file.name} has more than ${MAX_PARTS} parts: no workbook has.`);
  const directory = await bytesAt(file, offset, offset + bytes);
  const parts = new Map<string, Part>();
  let at = 0;
  for (let i = 0; i < count; i += 1) {
    const { part, length } = readEntry(directory.subarray(at));
    parts.set(part.name.toLowerCase(), part);
    at += length;
  }
  return parts;
}

interface End {
  /** Number of parts. */
  readonly count: number;
  /** The size of the directory. */
  readonly bytes: number;
  readonly offset: number;
}

async function readEnd(file: InputFile): Promise<End> {
  const start = Math.max(0, file.size - END_BYTES - MAX_COMMENT_BYTES);
  const tail = viewOf(await bytesAt(file, start, file.size));
  let at = tail.byteLength - END_BYTES;
  while (at >= 0 && !(tail.getUint32(at, true) === 0x06054b50 && endsAfterComment(tail, at))) at -= 1;
  if (at < 0) throw new Error('its end is missing');
  const end = { count: tail.getUint16(at + 10, true), bytes: tail.getUint32(at + 12, true) };
  const offset = tail.getUint32(at + 16, true);
  const isExtended = end.count === 0xffff || end.bytes === IN_EXTENSION || offset === IN_EXTENSION;
  return isExtended ? readExtendedEnd(file, start + at) : { ...end, offset };
}

const endsAfterComment = (tail: DataView, at: number): boolean =>
  at + END_BYTES + tail.getUint16(at + 20, true) === tail.byteLength;

async function readExtendedEnd(file: InputFile, endAt: number): Promise<End> {
  const locator = viewOf(await bytesAt(file, endAt - LOCATOR_BYTES, endAt));
  if (locator.getUint32(0, true) !== 0x07064b50) throw new Error('its end is damaged');
  const at = number64(locator, 8);
  const end = viewOf(await bytesAt(file, at, at + END_64_BYTES));
  if (end.getUint32(0, true) !== 0x06064b50) throw new Error('its end is damaged');
  return { count: number64(end, 32), bytes: number64(end, 40), offset: number64(end, 48) };
}

function readEntry(bytes: Uint8Array): { readonly part: Part; readonly length: number } {
  const entry = viewOf(bytes);
  if (entry.getUint32(0, true) !== 0x02014b50) throw new Error('its directory is damaged');
  const nameEnd = ENTRY_BYTES + entry.getUint16(28, true);
  const extraEnd = nameEnd + entry.getUint16(30, true);
  const extended = extendedNumbers(viewOf(bytes.subarray(nameEnd, extraEnd)));
  // In this order the extension has those numbers that are not here.
  const [unpackedBytes = 0, packedBytes = 0, offset = 0] = [24, 20, 42].map((place) => {
    const number = entry.getUint32(place, true);
    return number === IN_EXTENSION ? (extended.shift() ?? number) : number;
  });
  const part = {
    name: new TextDecoder().decode(bytes.subarray(ENTRY_BYTES, nameEnd)).replaceAll('\\', '/'),
    isEncrypted: (entry.getUint16(8, true) & 1) === 1,
    method: entry.getUint16(10, true),
    crc32: entry.getUint32(16, true),
    packedBytes,
    unpackedBytes,
    offset,
  };
  return { part, length: extraEnd + entry.getUint16(32, true) };
}

/** The numbers of the ZIP64 extra field (header 0x0001). */
function extendedNumbers(extra: DataView): number[] {
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.getUint16(at + 2, true)) {
    if (extra.getUint16(at, true) !== 1) continue;
    const count = Math.floor(extra.getUint16(at + 2, true) / 8);
    return Array.from({ length: Math.min(count, 3) }, (_, i) => number64(extra, at + 4 + i * 8));
  }
  return [];
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const number64 = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));
