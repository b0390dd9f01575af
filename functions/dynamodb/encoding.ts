import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { jsonText } from '../records/json.ts';
import type { Item } from './client.ts';
import { TABLE } from './table.ts';
import { TemporarilyUnavailable } from '../runtime/faults.ts';
import type { Instant } from '../shared/model.ts';

/** A longer text is compressed; the console shows a shorter one as it is. */
const LONGEST_TEXT = 32 * 1024;
/** Measured on migration records: near the best ratio, at a small part of its time. */
const QUALITY = 5;

/** A JSON value as brotli. Text keeps half surrogate pairs, as JSON escapes. */
export function compressJson(value: unknown): Uint8Array {
  return compressJsonText(jsonText(value));
}

/** The same for a value that is JSON text already, so that a large one is not serialised twice. */
export function compressJsonText(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength },
  });
}

/** A JSON value as text while it is short, else as brotli. */
export function packJson(value: unknown, longestText: number = LONGEST_TEXT): string | Uint8Array {
  const text = JSON.stringify(value);
  return text.length <= longestText ? text : compressJson(value);
}

/** Reads the output of `packJson` or `compressJson`. */
export function unpackJson(packed: unknown): unknown {
  const text = packed instanceof Uint8Array ? brotliDecompressSync(packed).toString() : String(packed);
  return JSON.parse(text);
}

const EXTENDED = /^([+-]?\d+)-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d{3}Z)$/;

/** ISO 8601 basic format, without milliseconds of zero: `20240102T030405Z`. It saves a unit for a hundred views. */
export function packInstant(instant: Instant): string {
  return instant.replace(EXTENDED, '$1$2$3T$4$5$6$7').replace(/\.000Z$/, 'Z');
}

/** Reads the output of `packInstant`. Cut by place, because a history has many class views: a pattern takes ten times as long. */
export function unpackInstant(packed: string): Instant {
  const at = packed.indexOf('T');
  const cut = (from: number, to: number) => packed.slice(at + from, at + to);
  const day = `${packed.slice(0, at - 4)}-${cut(-4, -2)}-${cut(-2, 0)}`;
  const milliseconds = packed.length === at + 8 ? '.000Z' : packed.slice(at + 7);
  return `${day}T${cut(1, 3)}:${cut(3, 5)}:${cut(5, 7)}${milliseconds}`;
}

/** A release reads the current and the former format, and writes the former one at first (docs/upgrade.md). */
export const FORMATS = { written: 1, read: [1] };

/** The item with its format named. An update leaves an item's format as it is, and names it where it creates the item. */
export const stamped = <T extends Item>(item: T): T => ({ ...item, [TABLE.format]: FORMATS.written });

/** The item. An entry of an index names no format. @throws TemporarilyUnavailable if a later release wrote it */
export function readable(item: Item): Item {
  assertReadable(item[TABLE.format], 'An item');
  return item;
}

const NAMED = /^[a-z]+(\d+)#/;

/** Attributes have the format in their names: `m#…` is format 1, `m2#…` would be 2. @throws TemporarilyUnavailable */
export function assertReadableAttributes(item: Item): void {
  for (const name of Object.keys(item)) assertReadable(NAMED.exec(name)?.[1], 'An attribute');
}

/** @throws TemporarilyUnavailable if a later release wrote this format; an item without a format has the first one */
export function assertReadable(format: unknown, what: string): void {
  if (format !== undefined && !FORMATS.read.includes(Number(format)))
    throw new TemporarilyUnavailable(`${what} has format ${JSON.stringify(format)}, which a later release reads.`);
}
