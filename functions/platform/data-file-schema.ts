/** The rows of a data file, by which a sandbox gets the platform's entities: companies, users, catalog, native progress. */
import * as v from 'valibot';
import { isAffordableHash } from '../auth/passwords.ts';
import { emailKey, isCompanyId, isEmailAddress, isPlatformId } from '../records/identifiers.ts';
import { parseInstant } from '../records/instants.ts';
import { isObject } from '../records/json.ts';
import { LICENSES, ROLES } from '../shared/codes.ts';
import { codePointLength } from '../records/text.ts';
import { MAX_EMAIL_LENGTH, PASSWORD_LENGTH } from '../shared/limits.ts';

const text = v.pipe(
  v.string('must be a string'),
  v.check((value) => value.isWellFormed(), 'must be well-formed Unicode'),
);
const flag = v.boolean('must be true or false');
const id = v.custom<number>(isPlatformId, 'must be a whole number from 0 to 2^53 - 1');
const companyId = v.custom<string>(isCompanyId, 'must be 1 to 64 of A-Z a-z 0-9 _ -, and no reserved word');
const email = v.custom<string>(isEmailAddress, `must be an e-mail address of at most ${MAX_EMAIL_LENGTH} characters`);
const instant = v.nullish(
  v.pipe(
    v.string('must be a date or null'),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const parsed = parseInstant(dataset.value);
      if (parsed !== undefined) return parsed;
      addIssue({ message: 'must be an ISO 8601 date or null' });
      return NEVER;
    }),
  ),
  null,
);

function objectMessage(issue: v.ObjectIssue): string {
  return issue.expected === 'Object' ? 'must be an object' : 'is missing';
}

function row<Entries extends v.ObjectEntries>(entries: Entries) {
  const object = v.object(entries, objectMessage);
  return v.pipe(v.custom<v.InferInput<typeof object>>(isObject, 'must be an object'), object);
}

function rows<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.array(row(entries), 'must be an array');
}

/** A percentage is a share of the classes of a course, so a class is named once. */
function areDistinct(classes: readonly { readonly platform_class_id: number }[]): boolean {
  return new Set(classes.map(({ platform_class_id }) => platform_class_id)).size === classes.length;
}
const DISTINCT = 'must name each platform_class_id once';

export const companyRow = row({ company_id: companyId, name: text, migrations_enabled: flag });

const userEntries = {
  id,
  company_id: companyId,
  email,
  password: v.optional(
    v.pipe(text, v.check(isLongEnough, `must have ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters`)),
  ),
  password_hash: v.optional(
    v.custom<string>(
      isAffordableHash,
      'must be a scrypt hash such as $scrypt$ln=15,r=8,p=3$SALT$HASH, within the cost limits',
    ),
  ),
  name: text,
  role: v.picklist(ROLES, 'must be admin or customer'),
  avatar: v.pipe(text, v.check(isAvatar, 'must be an https: URL, or empty')),
  license: v.picklist(LICENSES, 'must be active or inactive'),
};

export const userRow = v.pipe(
  row(userEntries),
  v.forward(
    v.check(
      ({ password, password_hash }) => password === undefined || password_hash === undefined,
      'must be absent where there is a password',
    ),
    ['password_hash'],
  ),
);

export const courseRow = row({
  company_id: companyId,
  platform_course_id: id,
  title: text,
  has_exam: flag,
  classes: v.optional(
    v.pipe(
      rows({ platform_class_id: id, title: text }),
      v.check((all) => areDistinct(all), DISTINCT),
    ),
    [],
  ),
});

const progressEntries = {
  company_id: companyId,
  platform_course_id: id,
  completion_pct: v.pipe(v.number('must be a number'), v.check(isPercentage, 'must be from 0 to 100')),
  classes: v.optional(
    v.pipe(
      rows({ platform_class_id: id, viewed_at: instant }),
      v.check((all) => areDistinct(all), DISTINCT),
    ),
    [],
  ),
  approved_course: v.optional(v.picklist([0, 1], 'must be 0 or 1'), 0),
  certified_at: instant,
  started_at: instant,
  last_activity_at: instant,
  completed_at: instant,
};

export const progressRow = row({ ...progressEntries, email });

/** The members that identify the entity of a fact, and all that deletes it. A fact of progress may name the user by id. */
export const companyKeyRow = row({ company_id: companyId });
export const userKeyRow = row({ company_id: companyId, id });
export const courseKeyRow = row({ company_id: companyId, platform_course_id: id });
export const progressKeyRow = row({ company_id: companyId, email, platform_course_id: id });
export const progressOfIdKeyRow = row({ company_id: companyId, user_id: id, platform_course_id: id });
export const progressOfIdRow = row({ ...progressEntries, user_id: id });

export type CompanyRow = v.InferOutput<typeof companyRow>;
export type UserRow = v.InferOutput<typeof userRow>;
export type CourseRow = v.InferOutput<typeof courseRow>;
export type ProgressRow = v.InferOutput<typeof progressRow>;
export type ProgressOfIdRow = v.InferOutput<typeof progressOfIdRow>;

function isPercentage(value: number): boolean {
  return value >= 0 && value <= 100;
}

function isLongEnough(password: string): boolean {
  const length = codePointLength(password);
  return length >= PASSWORD_LENGTH.min && length <= PASSWORD_LENGTH.max;
}

/** Pages show an avatar as a link or an image: no other scheme may reach them. */
function isAvatar(avatar: string): boolean {
  return avatar === '' || /^https:\/\/\S+$/i.test(avatar);
}

export const ARRAYS = ['companies', 'users', 'courses', 'progress'] as const;

export type DataFileRows = Readonly<Record<(typeof ARRAYS)[number], readonly unknown[]>>;

export interface DataFile {
  readonly companies: readonly CompanyRow[];
  readonly users: readonly UserRow[];
  readonly courses: readonly CourseRow[];
  readonly progress: readonly ProgressRow[];
}

/** The members that identify a row as sent, so that another bad member hides no problem; `undefined` if malformed. */
export type KeyOf = (row: unknown) => string | undefined;

export const companyOf: KeyOf = (row) =>
  isObject(row) && isCompanyId(row['company_id']) ? row['company_id'] : undefined;

export const emailOf: KeyOf = (row) =>
  isObject(row) && isEmailAddress(row['email']) ? emailKey(row['email']) : undefined;

export const courseIdOf = idMember('platform_course_id');
export const userIdOf = idMember('id');

/** No company id contains `/`, and an e-mail address only comes last. */
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
