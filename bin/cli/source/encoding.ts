import { SourceFault, UsageFault } from '../faults.ts';
import { filePieces } from './file-pieces.ts';
import type { Inspection } from './inspect-file.ts';

/** Names `TextDecoder` knows. `latin1` is read as Windows-1252, its superset, as browsers do. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const BY_NAME: Readonly<Record<string, Encoding>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  latin1: 'windows-1252',
  'latin-1': 'windows-1252',
  'iso-8859-1': 'windows-1252',
  'windows-1252': 'windows-1252',
};

/**
 * The encoding of a file: its byte-order mark, else the one asked for, else UTF-8 if it is UTF-8, else Latin-1 if nothing in
 * it looks like UTF-8. A file that is UTF-8 but for some bytes is refused: read as Latin-1 it would hold wrong names.
 *
 * @throws SourceFault naming the first byte that does not fit
 */
export function encodingOf(path: string, found: Inspection, asked?: string): Encoding {
  const wanted = asked === undefined ? undefined : BY_NAME[asked.toLowerCase()];
  if (asked !== undefined && wanted === undefined) {
    throw new UsageFault(`encoding ${asked} is not known; known are ${Object.keys(BY_NAME).join(', ')}`);
  }
  refuseBinary(path, found, wanted);
  const encoding =
    found.bom ?? wanted ?? (found.firstNotUtf8 === undefined || found.multibyte > 0 ? 'utf-8' : 'windows-1252');
  if (encoding === 'utf-8' && found.firstNotUtf8 !== undefined) {
    throw new SourceFault(
      path,
      found.firstNotUtf8,
      'not UTF-8, as the rest of the file is; save it as UTF-8, or name its --encoding',
    );
  }
  return encoding;
}

function refuseBinary(path: string, { head, firstNul, bom }: Inspection, wanted: Encoding | undefined): void {
  if (head.subarray(0, 4).toString('latin1') === 'PK\x03\x04') {
    throw new UsageFault(`${path} is a spreadsheet or an archive; save it as CSV first`);
  }
  const isWide = (bom ?? wanted ?? '').startsWith('utf-16');
  if (firstNul !== undefined && !isWide) throw new SourceFault(path, firstNul, 'a NUL byte: this is no text file');
}

/** The text of a file, piece by piece, without its byte-order mark. */
export async function* decodedText(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' });
  for await (const piece of filePieces(path)) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}
