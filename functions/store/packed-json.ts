import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { jsonText } from '../domain/json-text.ts';

/** Beyond this a text is compressed; below it the console shows it as it is. */
const LONGEST_TEXT = 32 * 1024;
/** Measured on migration records: near the best ratio, at a small part of its time. */
const QUALITY = 5;

/** A JSON value as brotli. Text keeps half surrogate pairs, as JSON escapes. */
export function compressJson(value: unknown): Uint8Array {
  const text = Buffer.from(jsonText(value));
  return brotliCompressSync(text, {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: text.byteLength },
  });
}

/** A JSON value as text while it is short, else as brotli. */
export function packJson(value: unknown): string | Uint8Array {
  const text = JSON.stringify(value);
  return text.length <= LONGEST_TEXT ? text : compressJson(value);
}

/** Reads what `packJson` or `compressJson` wrote. */
export function unpackJson(packed: unknown): unknown {
  const text = packed instanceof Uint8Array ? brotliDecompressSync(packed).toString() : String(packed);
  return JSON.parse(text);
}
