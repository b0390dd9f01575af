/** The encoding of a text file: named, marked, or found by its bytes. */
import { SourceError, UsageError } from '../errors.ts';
import { encodingByLetters } from './letters.ts';
import type { Encoding, Inspection } from './text-file.ts';

/**
 * The encoding of a file: its byte-order mark, else the one asked for, else UTF-8 if it is valid, else UTF-16 by its zeros, else what
 * its letters say. A file that is UTF-8 except for some bytes is refused: read otherwise it would contain wrong names.
 *
 * @param asked any label of the WHATWG standard
 * @throws SourceError naming the first byte that does not fit
 */
export function encodingOf(path: string, found: Inspection, asked?: string): Encoding {
  const wanted = asked === undefined ? undefined : asLabel(asked);
  const encoding = found.bom ?? wanted ?? utf16By(found) ?? byBytes(found);
  if (found.firstNul !== undefined && !encoding.startsWith('utf-16'))
    throw new SourceError(path, found.firstNul, 'a NUL byte: this is not a text file.');
  if (encoding === 'utf-8' && found.firstNotUtf8 !== undefined)
    throw new SourceError(
      path,
      found.firstNotUtf8,
      'this is not UTF-8, although the rest of the file is. Save the file as UTF-8, or name its --encoding.',
    );
  return encoding;
}

/** The name of an encoding by one of its labels. @throws UsageError */
function asLabel(label: string): Encoding {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw new UsageError(
      `The encoding ${label} is not known. Name one of the WHATWG standard, like utf-8, utf-16le, windows-1252, windows-1251 or Shift_JIS.`,
    );
  }
}

/** Of each two bytes of a Latin text in UTF-16 one is zero. */
function utf16By({ head, firstNul }: Inspection): Encoding | undefined {
  if (firstNul === undefined) return undefined;
  const zeros = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) * 5 < head.length || Math.min(even, odd) * 20 > Math.max(even, odd)) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** Bytes of other encodings are UTF-8 now and then, by chance. */
const byBytes = ({ firstNotUtf8, multibyte, notUtf8, sample }: Inspection): Encoding =>
  firstNotUtf8 === undefined || multibyte >= notUtf8 ? 'utf-8' : encodingByLetters(sample);
