import { isIdentifierText } from './well-formed.ts';

/** §8: external_record_id, external_user_id and external_course_id alike. */
export const MAX_EXTERNAL_ID_LENGTH = 128;

/**
 * The string form of an external user or course id (§2.6: `9101` and `"9101"` are the same id): a string of 1 to 128
 * code points, or a safe integer. Anything else is `undefined`.
 */
export function externalId(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  return isExternalIdText(value) ? value : undefined;
}

/** Whether a value can serve as `external_record_id` (§2.7): a string of 1 to 128 code points, never a number. */
export function isExternalIdText(value: unknown): value is string {
  return typeof value === 'string' && isIdentifierText(value, MAX_EXTERNAL_ID_LENGTH);
}
