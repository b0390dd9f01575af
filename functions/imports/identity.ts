import { createHash } from 'node:crypto';
import { canonicalJson } from '../records/json.ts';
import type { Random } from '../runtime/system.ts';

/** The forms of the header, as one pattern; published in the OpenAPI document. */
export const KEY_PATTERN = '^(?:[!#-~][!-~]{0,254}|"(?:[!#-\\[\\]-~]|\\\\["\\\\]){1,255}")$';

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * The key of an `Idempotency-Key` header: 1–255 visible ASCII characters, bare or as a quoted string.
 * `undefined` where the header is absent, `null` where it is malformed.
 */
export function parseIdempotencyKey(header: string | undefined): string | null | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const key = text.startsWith('"') ? QUOTED.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, '$1') : text;
  return key !== undefined && VISIBLE_ASCII.test(key) ? key : null;
}

/** Import ids are 26 lower-case letters and digits; nothing else may reach a storage key. */
export function isImportId(text: string): boolean {
  return /^[a-z0-9]{26}$/.test(text);
}

/** Lower-case hex SHA-256. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Tells one record's content from another's of the same `external_record_id`: 128 bits, as lower-case hex. Each record's plan
 * and contribution carry one, and no compression makes it smaller.
 */
export function contentHash(text: string): string {
  return sha256(text).slice(0, 32);
}

/** The import an Idempotency-Key stands for: the same company and key always name the same one. */
export function importIdForKey(company_id: string, idempotencyKey: string): string {
  return importId(sha256(`${company_id}\n${idempotencyKey}`).slice(0, 32));
}

export function randomImportId(random: Random): string {
  return importId(random.hex(16));
}

/** Hash of the payload as JSON values, `dry_run` included: what an Idempotency-Key is bound to. */
export function fingerprintOf(body: Readonly<Record<string, unknown>>): string {
  return sha256(canonicalJson(body));
}

/** 128 bits as 26 characters of `a-z0-9`. */
function importId(hex: string): string {
  return BigInt(`0x${hex}`).toString(36).padStart(26, '0');
}
