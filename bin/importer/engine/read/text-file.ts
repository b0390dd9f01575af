/** A text file: the properties of its bytes, and its text. Reads in constant memory. */
import { Digest } from '../ground/digest.ts';
import { type Place, refusal } from '../ground/errors.ts';
import { bytesAt, type InputFile, joined, piecesOf } from './bytes.ts';

/** The limit of a line and of a record: 1 MiB. */
export const MAX_ROW_BYTES = 1024 * 1024;

/** A name of the WHATWG standard, which `TextDecoder` knows. */
export type Encoding = string;

export interface Inspection {
  /** SHA-256 of the bytes, hexadecimal. */
  readonly hash: string;
  readonly bom: 'utf-8' | 'utf-16le' | 'utf-16be' | undefined;
  /** Start of the first character that is not valid UTF-8; columns of these places are bytes. */
  readonly firstNotUtf8: Place | undefined;
  /** Characters of more than one byte that are valid UTF-8, and places that are not. */
  readonly multibyte: number;
  readonly notUtf8: number;
  /** Some bytes around the first that are not UTF-8, by which an encoding is found. */
  readonly sample: Uint8Array;
  readonly firstNul: Place | undefined;
  /** The place at which the first line that is too long exceeds the limit. */
  readonly overlong: Place | undefined;
  readonly crlf: boolean;
  /** The first bytes, to recognise the kind of file. */
  readonly head: Uint8Array<ArrayBuffer>;
}

const HEAD_BYTES = 64 * 1024;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** @throws EngineError for an empty file */
export async function inspectFile(file: InputFile): Promise<Inspection> {
  if (file.size === 0) throw refusal('file_empty', { path: file.name });
  const hash = new Digest();
  const scan = new Scan();
  for await (const piece of piecesOf(file)) {
    hash.update(piece);
    scan.read(piece);
  }
  const head = await bytesAt(file, 0, Math.min(HEAD_BYTES, file.size));
  return { hash: hash.hex(), bom: bomOf(head), head, ...scan.end() };
}

/** Looks at blocks of whole UTF-8 characters; a place is computed only where something is wrong. */
class Scan {
  #line = 1;
  /** Bytes of the current line in earlier blocks. */
  #lineBytes = 0;
  #lastByte: number | undefined;
  #rest: Uint8Array = new Uint8Array();
  #crlf = false;
  #multibyte = 0;
  #notUtf8 = 0;
  #sample: Uint8Array = new Uint8Array();
  #firstNotUtf8: Place | undefined;
  #firstNul: Place | undefined;
  #overlong: Place | undefined;

  read(piece: Uint8Array): void {
    const bytes = this.#rest.length === 0 ? piece : joined(this.#rest, piece);
    const end = startOfLastCharacter(bytes);
    this.#rest = bytes.subarray(end);
    this.#block(bytes.subarray(0, end));
  }

  end() {
    this.#block(this.#rest);
    this.#checkLength(this.#lineBytes);
    return {
      crlf: this.#crlf,
      multibyte: this.#multibyte,
      notUtf8: this.#notUtf8,
      sample: this.#sample,
      firstNotUtf8: this.#firstNotUtf8,
      firstNul: this.#firstNul,
      overlong: this.#overlong,
    };
  }

  #block(bytes: Uint8Array): void {
    const text = UTF8.decode(bytes);
    const mayBeInvalid = text.includes(REPLACEMENT);
    // A character of several bytes has fewer UTF-16 units than bytes.
    if (mayBeInvalid || text.length !== bytes.length) this.#readCharacters(bytes, text, mayBeInvalid);
    if (bytes.includes(0)) this.#firstNul ??= this.#placeOf(bytes, bytes.indexOf(0));
    this.#readLines(bytes);
  }

  #readCharacters(bytes: Uint8Array, text: string, mayBeInvalid: boolean): void {
    const difference = mayBeInvalid ? firstDifference(bytes, new TextEncoder().encode(text)) : undefined;
    // oxlint-disable-next-line no-control-regex -- everything but ASCII and the replacement character
    this.#multibyte += text.match(/[^\u{0}-\u{7f}\u{fffd}]/gu)?.length ?? 0;
    if (difference === undefined) return;
    this.#notUtf8 += text.split(REPLACEMENT).length - 1;
    if (this.#firstNotUtf8 !== undefined) return;
    this.#firstNotUtf8 = this.#placeOf(bytes, difference);
    this.#sample = bytes.slice(Math.max(0, difference - 1000), difference + HEAD_BYTES);
  }

  #readLines(bytes: Uint8Array): void {
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

  #placeOf(bytes: Uint8Array, index: number): Place {
    const before = bytes.subarray(0, index);
    const lineStart = before.lastIndexOf(NEWLINE) + 1;
    const newlines = before.reduce((count, byte) => count + (byte === NEWLINE ? 1 : 0), 0);
    return { line: this.#line + newlines, column: index - lineStart + 1 + (newlines === 0 ? this.#lineBytes : 0) };
  }
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });
/** The decoder writes it for bytes that are not UTF-8. */
const REPLACEMENT = '\u{fffd}';

/** Where bytes and their text encoded again first differ, at the start of a character; `undefined` if they are equal. */
function firstDifference(bytes: Uint8Array, encoded: Uint8Array): number | undefined {
  let index = 0;
  while (index < encoded.length && bytes[index] === encoded[index]) index += 1;
  if (index === encoded.length) return undefined;
  while (isContinuation(encoded[index])) index -= 1;
  return index;
}

/** The last character may continue in the next piece; the end if the bytes end in ASCII, or not in UTF-8. */
function startOfLastCharacter(bytes: Uint8Array): number {
  let last = bytes.length - 1;
  while (last > bytes.length - 4 && isContinuation(bytes[last])) last -= 1;
  return (bytes[last] ?? 0) >= 0xc0 ? last : bytes.length;
}

const isContinuation = (byte = 0): boolean => byte >= 0x80 && byte < 0xc0;

function bomOf(head: Uint8Array): Inspection['bom'] {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined;
}

/** Pieces of text that are collected while they are young: longer ones wait until all memory is looked through. */
const TEXT_BYTES = 64 * 1024;

/** The text of a file, piece by piece, without its byte-order mark. */
export async function* decodedText(file: InputFile, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' });
  for await (const piece of piecesOf(file))
    for (let at = 0; at < piece.length; at += TEXT_BYTES)
      yield decoder.decode(piece.subarray(at, at + TEXT_BYTES), { stream: true });
  yield decoder.decode();
}

/** The lines of a text in pieces, without their line feeds. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
  if (rest !== '') yield [rest];
}
