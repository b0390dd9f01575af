/** A text file: what its bytes show, and its text. Reads in constant memory. */
import { isAscii, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { fileReason } from '../../cli/errors.ts';
import { UsageError } from '../errors.ts';

/** Of a line and of a record: 1 MiB. */
export const MAX_ROW_BYTES = 1024 * 1024;

/** Names that `TextDecoder` knows. Latin-1 is read as Windows-1252, its superset, as browsers do. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** A byte in a file; both count from 1, the column in bytes. */
interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Inspection {
  /** SHA-256 of the bytes, hexadecimal. */
  readonly hash: string;
  readonly bom: 'utf-8' | 'utf-16le' | 'utf-16be' | undefined;
  /** Start of the first character that is not valid UTF-8. */
  readonly firstNotUtf8: Place | undefined;
  /** There are valid UTF-8 characters of more than one byte. */
  readonly hasMultibyte: boolean;
  readonly firstNul: Place | undefined;
  /** Where the first line that is too long exceeds the limit. */
  readonly overlong: Place | undefined;
  readonly crlf: boolean;
  /** The first bytes, to recognise the kind of file. */
  readonly head: Buffer;
}

const PIECE_BYTES = 64 * 1024;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** @throws UsageError if the path is not a readable regular file with content */
export async function inspectFile(path: string): Promise<Inspection> {
  await checkFile(path);
  const hash = createHash('sha256');
  const scan = new Scan();
  let head = Buffer.alloc(0);
  for await (const piece of filePieces(path)) {
    hash.update(piece);
    scan.read(piece);
    if (head.length < PIECE_BYTES) head = Buffer.concat([head, piece]).subarray(0, PIECE_BYTES);
  }
  return { hash: hash.digest('hex'), bom: bomOf(head), head, ...scan.end() };
}

async function checkFile(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw new UsageError(`${path} cannot be read (${fileReason(error)}).`);
  });
  if (!found.isFile())
    throw new UsageError(`${path} is not a regular file. It is read more than once, so it cannot be a pipe.`);
  if (found.size === 0) throw new UsageError(`${path} is empty.`);
}

/** The bytes of a file in one buffer that is reused: a piece is valid only until the next one is read. */
async function* filePieces(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Looks at blocks of whole UTF-8 characters; a place is computed only where something is wrong. */
class Scan {
  #line = 1;
  /** Bytes of the current line in earlier blocks. */
  #lineBytes = 0;
  #lastByte: number | undefined;
  #rest = Buffer.alloc(0);
  #crlf = false;
  #hasMultibyte = false;
  #firstNotUtf8: Place | undefined;
  #firstNul: Place | undefined;
  #overlong: Place | undefined;

  read(piece: Buffer): void {
    const bytes = Buffer.concat([this.#rest, piece]);
    const end = startOfLastCharacter(bytes);
    this.#rest = bytes.subarray(end);
    this.#block(bytes.subarray(0, end));
  }

  end() {
    this.#block(this.#rest);
    this.#checkLength(this.#lineBytes);
    return {
      crlf: this.#crlf,
      hasMultibyte: this.#hasMultibyte,
      firstNotUtf8: this.#firstNotUtf8,
      firstNul: this.#firstNul,
      overlong: this.#overlong,
    };
  }

  #block(bytes: Buffer): void {
    if (isUtf8(bytes)) this.#hasMultibyte ||= !isAscii(bytes);
    else {
      const text = bytes.toString('utf8');
      this.#firstNotUtf8 ??= this.#placeOf(bytes, firstDifference(bytes, Buffer.from(text)));
      // oxlint-disable-next-line no-control-regex -- everything but ASCII and the replacement character
      this.#hasMultibyte ||= /[^\u{0}-\u{7f}\u{fffd}]/u.test(text);
    }
    if (bytes.includes(0)) this.#firstNul ??= this.#placeOf(bytes, bytes.indexOf(0));
    this.#readLines(bytes);
  }

  #readLines(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      this.#crlf ||= (end === 0 ? this.#lastByte : bytes[end - 1]) === CARRIAGE_RETURN;
      this.#checkLength(this.#lineBytes + end - start);
      this.#line += 1;
      this.#lineBytes = 0;
      start = end + 1;
    }
    this.#lineBytes += bytes.length - start;
    this.#lastByte = bytes.at(-1) ?? this.#lastByte;
  }

  #checkLength(lineBytes: number): void {
    if (lineBytes > MAX_ROW_BYTES) this.#overlong ??= { line: this.#line, column: MAX_ROW_BYTES + 1 };
  }

  #placeOf(bytes: Buffer, index: number): Place {
    const before = bytes.subarray(0, index);
    const lineStart = before.lastIndexOf(NEWLINE) + 1;
    const newlines = before.reduce((count, byte) => count + (byte === NEWLINE ? 1 : 0), 0);
    return { line: this.#line + newlines, column: index - lineStart + 1 + (newlines === 0 ? this.#lineBytes : 0) };
  }
}

/** Of bytes and their text encoded again: the start of the first character that did not survive. */
function firstDifference(bytes: Buffer, encoded: Buffer): number {
  let index = 0;
  while (bytes[index] === encoded[index]) index += 1;
  while (isContinuation(encoded[index])) index -= 1;
  return index;
}

/** The last character may continue in the next piece; the end if the bytes end in ASCII, or not in UTF-8. */
function startOfLastCharacter(bytes: Buffer): number {
  let last = bytes.length - 1;
  while (last > bytes.length - 4 && isContinuation(bytes[last])) last -= 1;
  return (bytes[last] ?? 0) >= 0xc0 ? last : bytes.length;
}

const isContinuation = (byte = 0): boolean => byte >= 0x80 && byte < 0xc0;

function bomOf(head: Buffer): Inspection['bom'] {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined;
}

/** The text of a file, piece by piece, without its byte-order mark. */
export async function* decodedText(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' });
  for await (const piece of filePieces(path)) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}
