import { isIdentifierText } from './well-formed.ts';

const MAX_EMAIL_LENGTH = 254;
const ONE_AT_BETWEEN_TWO_SIDES = /^[^@]+@[^@]+$/u;
const BLANK_OR_CONTROL = /[\s\p{Cc}]/u;

/** Whether a value is an e-mail address: at most 254 characters, one `@` with something on both sides, no blanks or control characters. */
export function isEmailAddress(value: unknown): value is string {
  if (typeof value !== 'string' || !isIdentifierText(value, MAX_EMAIL_LENGTH)) return false;
  return ONE_AT_BETWEEN_TWO_SIDES.test(value) && !BLANK_OR_CONTROL.test(value);
}

/**
 * The form addresses are compared in: ASCII letters lower-cased, nothing else. `toLowerCase` alone would also fold the
 * Kelvin sign into `k`, and so let one address pass for another.
 */
export function emailKey(address: string): string {
  return address.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
