/** The bytes of a file, wherever it is: on a disk, or in a browser, whose `File` is an `InputFile`. */

/** A file that can be read any number of times, at any place. */
export interface InputFile {
  /** For messages and for its extension; a path where there are paths. */
  readonly name: string;
  readonly size: number;
  /** How much of it is best read at once. */
  readonly pieceBytes?: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** How a file has its rows. A workbook is read as `csv`. */
export const FORMATS = ['csv', 'json', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

const PIECE_BYTES = 256 * 1024;

/** The bytes from `start` to before `end`, in pieces, so that a file of any size takes constant memory. */
export async function* piecesOf(file: InputFile, start = 0, end = file.size): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { pieceBytes = PIECE_BYTES } = file;
  for (let at = start; at < end; at += pieceBytes) yield bytesAt(file, at, Math.min(at + pieceBytes, end));
}

export async function bytesAt(file: InputFile, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.slice(start, end).arrayBuffer());
}

const baseName = (name: string): string => name.replace(/^.*[/\\]/s, '');

export const stemOf = (name: string): string => baseName(name).replace(/(?<=.)\.[^.]*$/s, '');

/** In lower case and with its dot; empty for a name without an extension. */
export const extensionOf = (name: string): string => baseName(name).slice(stemOf(name).length).toLowerCase();

/** `history.rejected-2.csv` → `history.csv`; any other name stays. */
export const originalName = (name: string): string => name.replace(/\.rejected(?:-\d+)?(?=(?:\.[^./\\]*)?$)/, '');

/** `history.csv` → `history.rejected.csv`, as `history.rejected.csv` itself: both are read with the mapping of `history.csv`. */
export const rejectedName = (name: string, extension: string): string =>
  `${originalName(name).replace(/(?<=[^/\\])\.[^./\\]*$/, '')}.rejected${extension}`;

export function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
