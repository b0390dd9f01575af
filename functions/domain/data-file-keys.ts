/** What a row of a data file is known by. Read from rows as they stand, so that a bad member elsewhere in a row hides no other problem. */
import { isCompanyId } from './company-id.ts';
import { emailKey, isEmailAddress } from './email.ts';
import { isObject } from './json-object.ts';
import { isPlatformId } from './platform-id.ts';

/** Tells what a row is known by; `undefined` where the members that say so are malformed. */
export type KeyOf = (row: unknown) => string | undefined;

export const companyOf: KeyOf = (row) =>
  isObject(row) && isCompanyId(row['company_id']) ? row['company_id'] : undefined;

export const emailOf: KeyOf = (row) =>
  isObject(row) && isEmailAddress(row['email']) ? emailKey(row['email']) : undefined;

export const courseIdOf = idMember('platform_course_id');
export const userIdOf = idMember('id');
export const classIdOf = idMember('platform_class_id');

/** `/` stands in no company id, and an e-mail address only comes last. */
export function joined(...parts: readonly KeyOf[]): KeyOf {
  return (row) => {
    const keys = parts.map((part) => part(row));
    return keys.includes(undefined) ? undefined : keys.join('/');
  };
}

export const userKeyOf = joined(companyOf, emailOf);
export const courseKeyOf = joined(companyOf, courseIdOf);

function idMember(member: string): KeyOf {
  return (row) => (isObject(row) && isPlatformId(row[member]) ? String(row[member]) : undefined);
}
