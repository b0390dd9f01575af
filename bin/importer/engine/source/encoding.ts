import { SourceError, UsageError } from '../errors.ts';
import type { Encoding, Inspection } from './text-file.ts';

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
 * The encoding of a file: its byte-order mark, else the one asked for, else UTF-8 if it is valid, else Latin-1 if nothing in it
 * is UTF-8. A file that is UTF-8 except for some bytes is refused: read as Latin-1 it would contain wrong names.
 *
 * @throws SourceError naming the first byte that does not fit
 */
export function encodingOf(path: string, found: Inspection, asked?: string): Encoding {
  const wanted = asked === undefined ? undefined : BY_NAME[asked.toLowerCase()];
  if (asked !== undefined && wanted === undefined) {
    throw new UsageError(`The encoding ${asked} is not known. Known are ${Object.keys(BY_NAME).join(', ')}.`);
  }
  refuseBinary(path, found, wanted);
  const looksLikeUtf8 = found.firstNotUtf8 === undefined || found.hasMultibyte;
  const encoding = found.bom ?? wanted ?? (looksLikeUtf8 ? 'utf-8' : 'windows-1252');
  if (encoding === 'utf-8' && found.firstNotUtf8 !== undefined) {
    throw new SourceError(
      path,
      found.firstNotUtf8,
      'this is not UTF-8, although the rest of the file is. Save the file as UTF-8, or name its --encoding.',
    );
  }
  return encoding;
}

function refuseBinary(path: string, { firstNul, bom }: Inspection, wanted: Encoding | undefined): void {
  const isUtf16 = (bom ?? wanted ?? '').startsWith('utf-16');
  if (firstNul !== undefined && !isUtf16) throw new SourceError(path, firstNul, 'a NUL byte: this is not a text file.');
}
