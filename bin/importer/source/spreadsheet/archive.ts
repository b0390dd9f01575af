/** The parts of a workbook, which is a ZIP archive. Only named parts are read, and only into memory or through a stream. */
import { pipeline, Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { UsageError } from '../../errors.ts';

/** More than a workbook of a million rows has. */
const MAX_PARTS = 10_000;
const MEBIBYTE = 1024 * 1024;
/** Unpacked. A sheet streams, so that its size costs time only. */
export const MAX_SHEET_BYTES = 2048 * MEBIBYTE;
export const MAX_PART_BYTES = 512 * MEBIBYTE;
/** Deflate packs at most 1:1032, and what people write far less. */
const MAX_RATIO = 200;
const RATIO_FREE_BYTES = 16 * MEBIBYTE;

export class Archive {
  readonly #path: string;
  readonly #file: ZipFile;
  readonly #parts: ReadonlyMap<string, Entry>;

  private constructor(path: string, file: ZipFile, parts: ReadonlyMap<string, Entry>) {
    this.#path = path;
    this.#file = file;
    this.#parts = parts;
  }

  /** @throws UsageError for what is no archive, or a damaged one */
  static async open(path: string): Promise<Archive> {
    let file: ZipFile | undefined;
    try {
      file = await openPromise(path, { autoClose: false, lazyEntries: true });
      if (file.entryCount > MAX_PARTS)
        throw new UsageError(`${path} has more than ${MAX_PARTS} parts: no workbook has.`);
      const parts = new Map<string, Entry>();
      for await (const entry of file.eachEntry()) parts.set(entry.fileName.toLowerCase(), entry);
      return new Archive(path, file, parts);
    } catch (error) {
      file?.close();
      throw asUsageError(path, error);
    }
  }

  has(name: string): boolean {
    return this.#parts.has(name.toLowerCase());
  }

  close(): void {
    this.#file.close();
  }

  /**
   * The text of a part, piece by piece; nothing where there is no such part.
   *
   * @throws UsageError for a part that is damaged, encrypted or larger than `mostBytes`
   */
  async *text(name: string, mostBytes: number): AsyncGenerator<string> {
    const entry = this.#parts.get(name.toLowerCase());
    if (entry === undefined) return;
    this.#checkSize(entry, mostBytes);
    let decoder: ReturnType<typeof decoderOf> | undefined;
    try {
      const unpacked = await this.#file.openReadStreamPromise(entry);
      for await (const piece of pipeline(unpacked, checksum(entry.crc32), () => undefined)) {
        decoder ??= decoderOf(piece as Buffer);
        yield decoder.decode(piece as Buffer, { stream: true });
      }
    } catch (error) {
      throw asUsageError(this.#path, error);
    }
  }

  #checkSize({ fileName, uncompressedSize, compressedSize }: Entry, mostBytes: number): void {
    const isBomb = uncompressedSize > RATIO_FREE_BYTES && uncompressedSize > compressedSize * MAX_RATIO;
    if (uncompressedSize <= mostBytes && !isBomb) return;
    throw new UsageError(
      `${this.#path} cannot be read: its part ${fileName} would unpack to ${Math.ceil(uncompressedSize / MEBIBYTE)} MiB. Save the sheet as CSV.`,
    );
  }
}

/** Passes bytes on, and fails at their end if they are not the ones that were packed. */
function checksum(wanted: number): Transform {
  // Node has `crc32` from 20.15 on.
  const { crc32 } = zlib as { crc32?: (data: Buffer, value: number) => number };
  let value = 0;
  return new Transform({
    transform(piece: Buffer, _, done) {
      value = crc32?.(piece, value) ?? wanted;
      done(null, piece);
    },
    flush(done) {
      done(value === wanted ? null : new Error('a part is not what was packed'));
    },
  });
}

function decoderOf(head: Buffer) {
  const mark = head.readUInt16BE(0);
  return new TextDecoder(mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8');
}

function asUsageError(path: string, error: unknown): UsageError {
  if (error instanceof UsageError) return error;
  return new UsageError(
    `${path} is damaged or incomplete (${error instanceof Error ? error.message : String(error)}). Save or download it again.`,
  );
}
