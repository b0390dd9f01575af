/** The parts of a workbook, which is a ZIP archive (APPNOTE 6.3). Only named parts are read, piece by piece. */
import { type Said, say } from '../../ground/codes.ts';
import { EngineError, messageOf, refusal } from '../../ground/errors.ts';
import { bytesAt, type InputFile, piecesOf } from '../bytes.ts';

const MEBIBYTE = 1024 * 1024;
/** Unpacked. A sheet streams, so that its size costs time only. */
export const MAX_SHEET_BYTES = 2048 * MEBIBYTE;
/** Deflate packs at most 1:1032, and real files far less. */
const MAX_RATIO = 100;
const RATIO_FREE_BYTES = 16 * MEBIBYTE;
/** Tags for a packed byte. A cell of a real table has two to six tags, and takes two bytes or more. */
const MAX_TAGS_PER_BYTE = 8;
const FREE_TAGS = 500_000;

const LOCAL_HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const MAX_BLOCK_BYTES = 0xffff;

export interface Archive {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** The text of a part; empty without it. @throws EngineError if it is damaged, encrypted or over `mostBytes` */
  text(name: string, mostBytes: number): AsyncGenerator<string>;
}

/** @throws EngineError for a file that is no archive, or a damaged one */
export async function openArchive(file: InputFile): Promise<Archive> {
  const refuse = (error: unknown): never => {
    throw error instanceof EngineError ? error : damaged(file, messageOf(error));
  };
  const parts = await readDirectory(file).catch(refuse);
  return {
    names: [...parts.values()].map(({ name }) => name),
    has: (name) => parts.has(name.toLowerCase()),
    async *text(name, mostBytes) {
      const part = parts.get(name.toLowerCase());
      if (part === undefined) return;
      try {
        yield* textOf(file, part, mostBytes);
      } catch (error) {
        refuse(error);
      }
    },
  };
}

const damaged = ({ name: path }: InputFile, problem: Said | string): EngineError =>
  refusal('workbook_damaged', { path, problem });

/** Refuses a workbook for something that no real one has. */
export const unreadable = (path: string, problem: Said): EngineError =>
  refusal('workbook_unreadable', { path, problem });

async function* textOf(file: InputFile, part: PackedPart, mostBytes: number): AsyncGenerator<string> {
  const { name, unpackedBytes, packedBytes } = part;
  const isBomb = unpackedBytes > RATIO_FREE_BYTES && unpackedBytes > packedBytes * MAX_RATIO;
  if (unpackedBytes > mostBytes || isBomb)
    throw unreadable(file.name, say('part_too_large', { part: name, mebibytes: Math.ceil(unpackedBytes / MEBIBYTE) }));
  let decoder: ReturnType<typeof decoderOf> | undefined;
  let tags = 0;
  const read = { bytes: 0 };
  for await (const piece of unpacked(file, part, gzipped(file, part, read))) {
    decoder ??= decoderOf(piece);
    const text = decoder.decode(piece, { stream: true });
    tags += tagsIn(text);
    if (tags > FREE_TAGS + read.bytes * MAX_TAGS_PER_BYTE)
      throw unreadable(file.name, say('part_of_many_tags', { part: name }));
    yield text;
  }
}

/** A part as a gzip file: the gzip reader of Node and of browsers also validates the checksum and the length. */
async function* gzipped(
  file: InputFile,
  part: PackedPart,
  read: { bytes: number },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { method, packedBytes, unpackedBytes, crc32 } = part;
  if (part.isEncrypted) throw damaged(file, say('part_encrypted', {}));
  if (method !== DEFLATED && method !== STORED) throw damaged(file, say('part_packed_otherwise', { method }));
  const start = await startOf(file, part);
  if (start + packedBytes > file.size) throw damaged(file, say('part_cut_off', {}));
  yield new Uint8Array([0x1f, 0x8b, DEFLATED, 0, 0, 0, 0, 0, 0, 0xff]);
  const pieces = counted(piecesOf(file, start, start + packedBytes), read);
  yield* method === DEFLATED ? pieces : inBlocks(pieces);
  const end = new DataView(new ArrayBuffer(8));
  end.setUint32(0, crc32, true);
  end.setUint32(4, unpackedBytes, true);
  yield new Uint8Array(end.buffer);
}

async function* counted(pieces: AsyncIterable<Uint8Array<ArrayBuffer>>, read: { bytes: number }) {
  for await (const piece of pieces) {
    read.bytes += piece.length;
    yield piece;
  }
}

function tagsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) count += 1;
  return count;
}

/** Behind the part's own header, whose names may differ in length from those of the directory. */
async function startOf(file: InputFile, { offset }: PackedPart): Promise<number> {
  const header = new DataView((await bytesAt(file, offset, offset + LOCAL_HEADER_BYTES)).buffer);
  if (header.getUint32(0, true) !== 0x04034b50) throw damaged(file, say('part_misplaced', {}));
  return offset + LOCAL_HEADER_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
}

/** Bytes that are not packed, as the stored blocks of Deflate (RFC 1951, 3.2.4). */
async function* inBlocks(pieces: AsyncIterable<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const piece of pieces)
    for (let at = 0; at < piece.length; at += MAX_BLOCK_BYTES) {
      const block = piece.subarray(at, at + MAX_BLOCK_BYTES);
      yield blockHeader(0, block.length);
      yield block;
    }
  yield blockHeader(1, 0);
}

const blockHeader = (isLast: 0 | 1, length: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array([isLast, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff]);

async function* unpacked(
  file: InputFile,
  part: PackedPart,
  gzip: AsyncGenerator<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array> {
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await gzip.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await gzip.return(undefined)),
  });
  const reader = packed.pipeThrough(new DecompressionStream('gzip')).getReader();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.length;
      if (bytes > part.unpackedBytes) throw damaged(file, say('part_larger_than_said', {}));
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function decoderOf([first, second]: Uint8Array) {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  return new TextDecoder(first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8');
}

interface PackedPart {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly crc32: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
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

/** The parts by name in lower case. @throws EngineError for no archive, a damaged one, and too many parts */
async function readDirectory(file: InputFile): Promise<Map<string, PackedPart>> {
  const { count, bytes, offset } = await readEnd(file);
  if (count > MAX_PARTS || bytes > MAX_DIRECTORY_BYTES)
    throw refusal('workbook_of_many_parts', { path: file.name, most: MAX_PARTS });
  const directory = await bytesAt(file, offset, offset + bytes);
  const parts = new Map<string, PackedPart>();
  let at = 0;
  for (let i = 0; i < count; i += 1) {
    const { part, length } = readEntry(file, directory.subarray(at));
    parts.set(part.name.toLowerCase(), part);
    at += length;
  }
  return parts;
}

interface End {
  readonly count: number;
  readonly bytes: number;
  readonly offset: number;
}

async function readEnd(file: InputFile): Promise<End> {
  const start = Math.max(0, file.size - END_BYTES - MAX_COMMENT_BYTES);
  const tail = viewOf(await bytesAt(file, start, file.size));
  let at = tail.byteLength - END_BYTES;
  while (at >= 0 && !(tail.getUint32(at, true) === 0x06054b50 && endsAfterComment(tail, at))) at -= 1;
  if (at < 0) throw damaged(file, say('archive_without_end', {}));
  const end = { count: tail.getUint16(at + 10, true), bytes: tail.getUint32(at + 12, true) };
  const offset = tail.getUint32(at + 16, true);
  const isExtended = end.count === 0xffff || end.bytes === IN_EXTENSION || offset === IN_EXTENSION;
  return isExtended ? readExtendedEnd(file, start + at) : { ...end, offset };
}

const endsAfterComment = (tail: DataView, at: number): boolean =>
  at + END_BYTES + tail.getUint16(at + 20, true) === tail.byteLength;

async function readExtendedEnd(file: InputFile, endAt: number): Promise<End> {
  const locator = viewOf(await bytesAt(file, endAt - LOCATOR_BYTES, endAt));
  if (locator.getUint32(0, true) !== 0x07064b50) throw damaged(file, say('archive_end_damaged', {}));
  const at = number64(locator, 8);
  const end = viewOf(await bytesAt(file, at, at + END_64_BYTES));
  if (end.getUint32(0, true) !== 0x06064b50) throw damaged(file, say('archive_end_damaged', {}));
  return { count: number64(end, 32), bytes: number64(end, 40), offset: number64(end, 48) };
}

function readEntry(file: InputFile, bytes: Uint8Array): { readonly part: PackedPart; readonly length: number } {
  const entry = viewOf(bytes);
  if (entry.getUint32(0, true) !== 0x02014b50) throw damaged(file, say('archive_directory_damaged', {}));
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
