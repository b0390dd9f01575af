/** The `Idempotency-Key` header (§4.2 operation 7): the valid keys, the import that a key names, and the payload that it is bound to. */
import { sha256 } from '../runtime/content-hash.ts';
import { IDEMPOTENCY_KEY } from '../records/identifiers.ts';
import { canonicalJson } from '../records/json.ts';
import type { Random } from '../runtime/system.ts';

/** The key without quotes and escapes; `undefined` if none was sent, `null` if malformed or sent more than once. */
export function idempotencyKey([header, ...others]: readonly string[]): string | null | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (others.length > 0 || !IDEMPOTENCY_KEY.test(text)) return null;
  return text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : text;
}

/** The id of the import that an Idempotency-Key names: the same for the same company and key. */
export function importIdForKey(company_id: string, idempotencyKey: string): string {
  return importId(sha256(`${company_id}\n${idempotencyKey}`).slice(0, 32));
}

/** The id of an import that was sent without a key. */
export function randomImportId(random: Random): string {
  return importId(random.hex(16));
}

/** Hash of the payload as JSON values, `dry_run` included: an Idempotency-Key is bound to it. */
export function fingerprintOf(body: Readonly<Record<string, unknown>>): string {
  return sha256(canonicalJson(body));
}

/** 128 bits as 26 characters of `a-z0-9`. */
function importId(hex: string): string {
  return BigInt(`0x${hex}`).toString(36).padStart(26, '0');
}
