/** KMS answers ECDSA signatures in DER (`SEQUENCE { INTEGER r, INTEGER s }`); JWTs take r and s as 32 bytes each (RFC 7518, section 3.4). */

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const COORDINATE_BYTES = 32;

/** Raw 64-byte signature r‖s of a P-256 signature in DER. */
export function rawSignature(der: Uint8Array): Uint8Array {
  if (der[0] !== SEQUENCE || der[1] !== der.length - 2) throw new Error('The signature is not a DER sequence.');
  const r = integerAt(der, 2);
  const s = integerAt(der, r.end);
  if (s.end !== der.length) throw new Error('The signature holds more than two integers.');
  const raw = new Uint8Array(2 * COORDINATE_BYTES);
  raw.set(r.digits, COORDINATE_BYTES - r.digits.length);
  raw.set(s.digits, 2 * COORDINATE_BYTES - s.digits.length);
  return raw;
}

/** DER pads a leading zero before a high bit and drops other leading zeros; r and s are of fixed length. */
function integerAt(der: Uint8Array, at: number): { digits: Uint8Array; end: number } {
  const end = at + 2 + (der[at + 1] ?? 0);
  const bytes = der.subarray(at + 2, end);
  const digits = bytes[0] === 0 ? bytes.subarray(1) : bytes;
  if (der[at] !== INTEGER || end > der.length || digits.length > COORDINATE_BYTES)
    throw new Error('The signature is not of P-256.');
  return { digits, end };
}
