/** A person who is erased: every value of theirs has a word in it that is looked for afterwards. */
import { unpackJson } from '../../functions/dynamodb/encoding.ts';
import { intake } from '../../functions/handlers/intake.ts';
import { CONTEXT } from '../kit/api-event.ts';
import type { Attributes } from '../kit/memory-table/memory-table.ts';
import type { Services } from '../kit/world.ts';

export const COMPANY = 'acme';
export const ANN_ID = 7_070_707;
export const ANN = 'ann.Planted@Acme.test';
export const FORMER = 'former-planted@acme.test';
export const EXTERNAL = 'ext-planted';
export const UNREGISTERED = 'ext-planted-unregistered';
/** Every planted value contains one of these, in lower case. */
const PLANTED = /planted|7070707/;
/** The version of the person's user id: without it an earlier fact would bring them back. */
const TOMBSTONE = `${COMPANY}#fact#user-${ANN_ID}`;

export const user = (id: number, email: string, version: number) => ({
  kind: 'user',
  version,
  id,
  company_id: COMPANY,
  email,
  name: id === ANN_ID ? 'Ann Planted' : 'Other',
  role: 'customer',
  avatar: id === ANN_ID ? 'https://planted.test/a.png' : '',
  license: 'active',
});
export const NATIVE = { kind: 'progress', company_id: COMPANY, user_id: ANN_ID, platform_course_id: 101 };
export const ANN_FACT = user(ANN_ID, ANN, 5);
export const ERASE = { kind: 'user', company_id: COMPANY, id: ANN_ID, version: 20, erase: true };
/** The same, as the platform sends it: with the names that it knows besides. The stack knows the former address. */
export const ERASE_FACT = { ...ERASE, external_user_ids: [UNREGISTERED] };

/** Stores the person: a former and a current address, organic progress, an external id and a session. */
export async function registerPerson(services: Services): Promise<void> {
  const { mappings, sessions } = services.stores;
  await intake({ facts: [user(ANN_ID, FORMER, 1)] }, CONTEXT, services);
  await intake({ facts: [ANN_FACT, { ...NATIVE, version: 4, completion_pct: 5 }] }, CONTEXT, services);
  const updated_at = '2026-01-01T00:00:00.000Z';
  await mappings.putUserMappings(COMPANY, [{ external_user_id: EXTERNAL, email: ANN, user_id: ANN_ID, updated_at }]);
  await sessions.create({
    session_id: 'session-of-ann',
    company_id: COMPANY,
    user_id: ANN_ID,
    email: ANN,
    began_at: updated_at,
    revoked: false,
    current: { jti: 'j', iat: 0, exp: 1 },
    spent: [],
    expires_at_seconds: 4_000_000_000,
  });
}

/** Whether a text of the value matches, in any spelling. */
export const finds = (value: unknown, pattern: RegExp): boolean =>
  pattern.test(JSON.stringify(value, readable).toLowerCase());
/** Whether a value names the person. */
export const namesPerson = (value: unknown): boolean => finds(value, PLANTED);

/** Each of these items that holds something of the person, and each of these other values that does. */
export function leftOfPerson(
  items: Iterable<Attributes>,
  told: readonly unknown[],
  isNamed: (value: unknown) => boolean = namesPerson,
): string[] {
  const stored = [...items].filter(({ pk, ...rest }) => isNamed(pk === TOMBSTONE ? rest : { pk, ...rest }));
  return [...stored, ...told.filter(isNamed)].map((each) => JSON.stringify(each, readable).slice(0, 600));
}

/** The trace of an applied fact names the user by id, on purpose. */
const isTrace = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && 'sent_by' in value && 'kind' in value;

/** Compressed values as the text that they hold (a Buffer has a JSON form of its own), errors as they print. */
function readable(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const raw = this[name];
  if (isTrace(raw)) return { ...raw, user_id: undefined };
  if (raw instanceof Error) return `${raw.name} ${raw.message} ${raw.stack}`;
  if (!(raw instanceof Uint8Array)) return value;
  // The list of a plan: ids as bytes.
  return name === 'ids' ? raw.toString() : JSON.stringify(unpackJson(raw));
}
