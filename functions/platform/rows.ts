/** The rows of companies, users, the catalog and native progress, as a data file and facts have them. */
import * as v from 'valibot';
import { isPrivate, publicMembers } from '../auth/client-keys.ts';
import { isAffordableHash } from '../auth/passwords.ts';
import { isClientId, isCompanyId, isEmailAddress, isPlatformId } from '../records/identifiers.ts';
import { isObject } from '../records/json.ts';
import { classEntry, instant, percentage, progressBlock } from '../records/schema.ts';
import { LICENSES, ROLES, SCOPES } from '../shared/codes.ts';
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

function row<Entries extends v.ObjectEntries>(entries: Entries) {
  const object = v.object(entries, ({ expected }) => (expected === 'Object' ? 'must be an object' : 'is missing'));
  return v.pipe(v.custom<v.InferInput<typeof object>>(isObject, 'must be an object'), object);
}

/** A percentage is a share of the classes of a course, so a class is named once. */
function areDistinct(classes: readonly { readonly platform_class_id: number }[]): boolean {
  return new Set(classes.map(({ platform_class_id }) => platform_class_id)).size === classes.length;
}
const DISTINCT = 'must name each platform_class_id once';

const companyRow = row({ company_id: companyId, name: text, migrations_enabled: flag });

const userEntries = {
  id,
  company_id: companyId,
  email,
  password: v.optional(
    v.pipe(
      text,
      v.check(
        (password) => isBetween(codePointLength(password), PASSWORD_LENGTH.min, PASSWORD_LENGTH.max),
        `must have ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters`,
      ),
    ),
  ),
  password_hash: v.optional(
    v.custom<string>(
      isAffordableHash,
      'must be a scrypt hash such as $scrypt$ln=15,r=8,p=3$SALT$HASH, within the cost limits. One of another kind, such as argon2id or bcrypt, cannot be verified: send the user without it, or with a new password',
    ),
  ),
  name: text,
  role: v.picklist(ROLES, 'must be admin or customer'),
  avatar: v.pipe(text, v.check(isAvatar, 'must be an https: URL, or empty')),
  license: v.picklist(LICENSES, 'must be active or inactive'),
};

const userRow = v.pipe(
  row(userEntries),
  v.forward(
    v.check(
      ({ password, password_hash }) => password === undefined || password_hash === undefined,
      'must be absent where there is a password',
    ),
    ['password_hash'],
  ),
);

const courseRow = row({
  company_id: companyId,
  platform_course_id: id,
  title: text,
  has_exam: flag,
  classes: v.optional(
    v.pipe(
      v.array(row({ platform_class_id: id, title: text }), 'must be an array'),
      v.check((all) => areDistinct(all), DISTINCT),
    ),
    [],
  ),
});

const clientId = v.custom<string>(isClientId, 'must be 1 to 64 of A-Z a-z 0-9 _ . -');

/** A public key with its `kid`, and nothing else of what was sent. */
const clientKey = v.pipe(
  v.custom<Record<string, unknown>>(isObject, 'must be an object'),
  v.check((jwk) => !isPrivate(jwk), 'must be a public key: it has a private member'),
  v.check(({ kid }) => isKid(kid), 'must have a kid of 1 to 256 characters'),
  v.check(
    (jwk) => publicMembers(jwk) !== undefined,
    'must be a key for signatures: of P-256, Ed25519, or RSA with at least 2,048 bits',
  ),
  v.transform((jwk) => ({ ...publicMembers(jwk), kid: String(jwk['kid']) })),
);

const isKid = (kid: unknown): boolean =>
  typeof kid === 'string' && kid.isWellFormed() && isBetween(codePointLength(kid), 1, 256);

const clientRow = row({
  company_id: companyId,
  client_id: clientId,
  name: text,
  jwks: row({
    keys: v.pipe(
      v.array(clientKey, 'must be an array'),
      v.check(({ length }) => isBetween(length, 1, 5), 'must hold 1 to 5 keys'),
      v.check((keys) => new Set(keys.map(({ kid }) => kid)).size === keys.length, 'must name each kid once'),
    ),
  }),
  scopes: v.pipe(
    v.array(v.picklist(SCOPES, `must be of ${SCOPES.join(', ')}`), 'must be an array'),
    v.minLength(1, 'must hold at least one'),
    v.transform((sent) => SCOPES.filter((scope) => sent.includes(scope))),
  ),
});

/** The members of a block of a record, where they are absent `null`. */
function orNull<Entries extends v.ObjectEntries>(entries: Entries) {
  const members = Object.entries(entries).map(([name, member]) => [name, v.nullish(member, null)]);
  return Object.fromEntries(members) as {
    readonly [Member in keyof Entries]: v.GenericSchema<
      v.InferInput<Entries[Member]>,
      Exclude<v.InferOutput<Entries[Member]>, undefined> | null
    >;
  };
}

/** The members that a record has, and whether the course is certified. */
const progressMembers = {
  completion_pct: percentage,
  classes: v.optional(
    v.pipe(
      v.array(row({ ...orNull(classEntry.entries), platform_class_id: id }), 'must be an array'),
      v.check((all) => areDistinct(all), DISTINCT),
    ),
    [],
  ),
  approved_course: v.optional(v.picklist([0, 1], 'must be 0 or 1'), 0),
  certified_at: v.nullish(instant, null),
  ...orNull(v.omit(progressBlock, ['completion_pct', 'classes']).entries),
};

/** Rows of progress: what identifies the learner and the course, and the progress as it is stored. */
const progressEntries = { company_id: companyId, platform_course_id: id, ...progressMembers };
const progressRow = v.pipe(
  row({ ...progressEntries, email }),
  v.transform(({ company_id, platform_course_id, email: address, ...progress }) => ({
    company_id,
    platform_course_id,
    email: address,
    progress,
  })),
);
const progressOfIdRow = v.pipe(
  row({ ...progressEntries, user_id: id }),
  v.transform(({ company_id, platform_course_id, user_id, ...progress }) => ({
    company_id,
    platform_course_id,
    user_id,
    progress,
  })),
);

/**
 * Of each kind of fact the whole row, and the members that identify the entity, and all that deletes it. A fact of progress may
 * name the user by id.
 */
export const ROWS = {
  company: { whole: companyRow, id: row({ company_id: companyId }) },
  user: { whole: userRow, id: row({ company_id: companyId, id }) },
  course: { whole: courseRow, id: row({ company_id: companyId, platform_course_id: id }) },
  client: { whole: clientRow, id: row({ company_id: companyId, client_id: clientId }) },
  progress: { whole: progressRow, id: row({ company_id: companyId, email, platform_course_id: id }) },
  progressOfId: { whole: progressOfIdRow, id: row({ company_id: companyId, user_id: id, platform_course_id: id }) },
} as const;

export type RowOf<Kind extends keyof typeof ROWS> = v.InferOutput<(typeof ROWS)[Kind]['whole']>;
export type IdOf<Kind extends keyof typeof ROWS> = v.InferOutput<(typeof ROWS)[Kind]['id']>;
export type UserRow = RowOf<'user'>;

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

/** Pages show an avatar as a link or an image: no other scheme may reach them. */
function isAvatar(avatar: string): boolean {
  return avatar === '' || /^https:\/\/\S+$/i.test(avatar);
}
