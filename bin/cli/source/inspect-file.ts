import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { UsageFault } from '../faults.ts';
import { filePieces } from './file-pieces.ts';
import { Utf8Judge } from './utf8-judge.ts';

/** A byte in a file; both count from 1, the column in bytes. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** What the bytes of a file show before anything is made of them. */
export interface Inspection {
  /** SHA-256 of the bytes, hexadecimal. */
  readonly hash: string;
  readonly bytes: number;
  readonly bom: 'utf-8' | 'utf-16le' | 'utf-16be' | undefined;
  readonly firstNotUtf8: Place | undefined;
  /** Characters that only UTF-8 explains. */
  readonly multibyte: number;
  readonly firstNul: Place | undefined;
  /** Where the first line longer than the limit crosses it. */
  readonly overlong: Place | undefined;
  readonly crlf: boolean;
  /** The first bytes, for a look at what kind of file it is. */
  readonly head: Buffer;
}

export const MAX_LINE_BYTES = 1024 * 1024;
const HEAD_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** Reads the file once, in constant memory. @throws UsageFault if it is no readable, regular, filled file */
export async function inspectFile(path: string): Promise<Inspection> {
  await mustBeAFile(path);
  const hash = createHash('sha256');
  const scan = new Scan();
  let head = Buffer.alloc(0);
  for await (const piece of filePieces(path)) {
    hash.update(piece);
    scan.read(piece);
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, piece]).subarray(0, HEAD_BYTES);
  }
  return { hash: hash.digest('hex'), bom: bomOf(head), head, ...scan.findings() };
}

async function mustBeAFile(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageFault(`${path} cannot be read (${error.code ?? error.message})`);
  });
  if (!found.isFile()) throw new UsageFault(`${path} is not a file; it is read more than once, so a pipe will not do`);
  if (found.size === 0) throw new UsageFault(`${path} is empty`);
}

class Scan {
  #bytes = 0;
  #line = 1;
  #column = 0;
  #previous = 0;
  #crlf = false;
  readonly #utf8 = new Utf8Judge();
  /** Where the last character of more than one byte begins. */
  #character: Place = { line: 1, column: 1 };
  #firstNotUtf8: Place | undefined;
  #firstNul: Place | undefined;
  #overlong: Place | undefined;

  read(piece: Buffer): void {
    for (const byte of piece) {
      if (byte === NEWLINE) this.#endLine();
      else this.#column += 1;
      if (byte === 0) this.#firstNul ??= this.#here();
      if (byte > 0x7f && !this.#utf8.insideCharacter) this.#character = this.#here();
      if (!this.#utf8.accepts(byte)) this.#firstNotUtf8 ??= this.#character;
      this.#previous = byte;
    }
    this.#bytes += piece.length;
  }

  #endLine(): void {
    if (this.#previous === 0x0d) this.#crlf = true;
    if (this.#column > MAX_LINE_BYTES) this.#overlong ??= { line: this.#line, column: MAX_LINE_BYTES + 1 };
    this.#line += 1;
    this.#column = 0;
  }

  #here(): Place {
    return { line: this.#line, column: Math.max(1, this.#column) };
  }

  findings() {
    if (this.#column > MAX_LINE_BYTES) this.#overlong ??= { line: this.#line, column: MAX_LINE_BYTES + 1 };
    if (this.#utf8.insideCharacter) this.#firstNotUtf8 ??= this.#character;
    return {
      bytes: this.#bytes,
      crlf: this.#crlf,
      multibyte: this.#utf8.multibyte,
      firstNotUtf8: this.#firstNotUtf8,
      firstNul: this.#firstNul,
      overlong: this.#overlong,
    };
  }
}

function bomOf(head: Buffer): Inspection['bom'] {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined;
}
