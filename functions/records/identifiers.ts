/** The ids of records, users, courses and companies: which values are valid, and the form in which they are compared. */
import { isObject } from './json.ts';
import { codePointLength, isIdentifierText } from './text.ts';
import { MAX_EMAIL_LENGTH, MAX_EXTERNAL_ID_LENGTH, MAX_RUN_ID_LENGTH } from '../shared/limits.ts';
import type { LearnerCourse } from '../shared/model.ts';
import type { License } from '../shared/codes.ts';

/** The rule of an id of a company. It has no `#`, which ends it in every key. */
export const COMPANY_ID = /^[A-Za-z0-9_-]{1,64}$/;
/** The rule of an `Idempotency-Key`. This text and its pattern are part of the OpenAPI document. */
export const IDEMPOTENCY_KEY_RULE = '1 to 255 visible ASCII characters, bare or as a quoted string';
// oxlint-disable-next-line no-useless-escape -- other languages, which read it from the document, need the escape
export const IDEMPOTENCY_KEY = /^(?:[!#-~][!-~]{0,254}|"(?:[!#-\[\]-~]|\\["\\]){1,255}")$/;

/** Keys that belong to no company begin with these words. */
export const RESERVED_WORDS = ['session', 'login', 'throttle', 'data-file', 'signing-keys', 'open'];
const ONE_AT_BETWEEN_TWO_SIDES = /^[^@]+@[^@]+$/u;
const BLANK = /\s+/u;
const BLANK_OR_CONTROL = /[\s\p{Cc}]/u;

/**
 * The string form of an external user or course id (§2.6: `9101` and `"9101"` are the same id): a string of 1 to 128
 * code points, or a safe integer. Anything else is `undefined`.
 *
 * @example
 * [9101, '9101', 1.5, ''].map(externalId); // => ['9101', '9101', undefined, undefined]
 */
export function externalId(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  return isExternalIdText(value) ? value : undefined;
}

/**
 * Whether a value can be an `external_record_id` (§2.7): a string of 1 to 128 code points, never a number.
 *
 * @example
 * ['r-1', 9101].map(isExternalIdText); // => [true, false]
 */
export function isExternalIdText(value: unknown): value is string {
  return typeof value === 'string' && isIdentifierText(value, MAX_EXTERNAL_ID_LENGTH);
}

/**
 * The `external_record_id` of a value that was sent as a record; `null` if it has none that is usable.
 *
 * @example
 * [{ external_record_id: 'r-1' }, { external_record_id: 5 }, 'r-1'].map(externalRecordIdOf); // => ['r-1', null, null]
 */
export function externalRecordIdOf(raw: unknown): string | null {
  const id = isObject(raw) ? raw['external_record_id'] : undefined;
  return isExternalIdText(id) ? id : null;
}

/**
 * Whether a value can name a run (§4.9): a string of 1 to 128 code points.
 *
 * @example
 * ['Acme, spring', ''].map(isRunId); // => [true, false]
 */
export function isRunId(value: unknown): value is string {
  return typeof value === 'string' && isIdentifierText(value, MAX_RUN_ID_LENGTH);
}

/**
 * Whether a value can be the platform's id of a user, a course or a class: a safe integer from 0 (rule 4).
 *
 * @example
 * [0, 101, -1, '101', 2 ** 53].map(isPlatformId); // => [true, true, false, false, false]
 */
export function isPlatformId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/**
 * Whether a value can be the id of a company (§12): 1–64 of `A-Z a-z 0-9 _ -`, which cannot end a part of a storage key, and no
 * reserved word.
 *
 * @example
 * ['acme', 'a#b', 'login'].map(isCompanyId); // => [true, false, false]
 */
export function isCompanyId(value: unknown): value is string {
  return typeof value === 'string' && COMPANY_ID.test(value) && !RESERVED_WORDS.includes(value);
}

const CLIENT_ID = /^[A-Za-z0-9_.-]{1,64}$/;

/** Whether a value can be the id of a client (§5.3). */
export function isClientId(value: unknown): value is string {
  return typeof value === 'string' && CLIENT_ID.test(value);
}

/**
 * Whether a value is an e-mail address: at most 254 characters, one `@` with text on both sides, no blanks or control
 * characters.
 *
 * @example
 * ['ann@acme.test', 'ann @acme.test', '@acme.test'].map(isEmailAddress); // => [true, false, false]
 */
export function isEmailAddress(value: unknown): value is string {
  if (typeof value !== 'string' || !isIdentifierText(value, MAX_EMAIL_LENGTH)) return false;
  return ONE_AT_BETWEEN_TWO_SIDES.test(value) && !BLANK_OR_CONTROL.test(value);
}

/**
 * The rule for a message about a value that is no e-mail address. It names a blank, which is invisible in a table.
 *
 * @example
 * emailRule('ann@acme.test '); // => 'must be an e-mail address of at most 254 characters, without the blank (U+0020) at its end'
 */
export function emailRule(value: unknown): string {
  const rule = `must be an e-mail address of at most ${MAX_EMAIL_LENGTH} characters`;
  const blank = typeof value === 'string' ? BLANK.exec(value) : null;
  if (blank === null) return rule;
  const code = blank[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `${rule}, without the blank (U+${code}) ${placeOf(blank)}`;
}

function placeOf({ 0: { length }, index, input }: RegExpExecArray): string {
  if (index === 0) return 'at its start';
  return index + length === input.length ? 'at its end' : `at character ${codePointLength(input.slice(0, index)) + 1}`;
}

/**
 * The form in which addresses are compared: ASCII letters in lower case, other characters unchanged. `toLowerCase` alone would
 * also map the Kelvin sign to `k`, so that one address could pass for another.
 *
 * @example
 * emailKey('Ann@ACME.test'); // => 'ann@acme.test'
 */
export function emailKey(address: string): string {
  return address.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** `7/101`: user and course as one key of a map. */
export function learnerCourseId({ user_id, platform_course_id }: LearnerCourse): string {
  return `${user_id}/${platform_course_id}`;
}

/** Import ids are 26 lower-case letters and digits; nothing else may reach a storage key. */
export function isImportId(text: string): boolean {
  return /^[a-z0-9]{26}$/.test(text);
}

/**
 * Whether there is a user with an active license. Only such users log in, use the interface, and have progress migrated
 * (§2.5, §2.7, §5).
 *
 * @example
 * hasActiveLicense({ license: 'active' }); // => true
 * hasActiveLicense({ license: 'inactive' }); // => false
 * hasActiveLicense(undefined); // => false
 */
export function hasActiveLicense<User extends { readonly license: License }>(
  user: User | undefined,
): user is User & { readonly license: 'active' } {
  return user?.license === 'active';
}
