/** The forms of the header, as one pattern; published in the OpenAPI document. */
export const KEY_FORM = '^(?:[!#-~][!-~]{0,254}|"(?:[!#-\\[\\]-~]|\\\\["\\\\]){1,255}")$';

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
