/** Client authentication by `private_key_jwt` (RFC 7523): an assertion that the client signed, used once. */
import { createHash } from 'node:crypto';
import { compactVerify, decodeJwt, decodeProtectedHeader, errors, importJWK } from 'jose';
import { algorithmOf, type ClientKey } from './client-keys.ts';
import type { Client, ClientStore } from './clients.ts';
import type { Database } from '../dynamodb/client.ts';
import { itemIsAbsent, putItem } from '../dynamodb/items.ts';
import { TABLE, throttleKey } from '../dynamodb/table.ts';
import { isClientId } from '../records/identifiers.ts';
import { secondsOf } from '../runtime/system.ts';
import { MAX_TOKEN_LENGTH } from '../shared/limits.ts';
import { CLOCK_SKEW_SECONDS, isCanonicalBase64url } from './verify-token.ts';

/** The longest life of an assertion from now on. */
const MAX_AHEAD_SECONDS = 300;
const MAX_JTI_LENGTH = 256;
/** A clock that is behind by this much does not see a used assertion as new. */
const REMEMBERED_AFTER_SECONDS = 60;

interface AssertionServices {
  readonly stores: { readonly clients: ClientStore; readonly assertions: UsedAssertions };
}

/** The client that signed the assertion for one of `audiences`, and its key; `undefined` if it is not valid. */
export async function authenticateClient(
  assertion: string,
  audiences: readonly string[],
  { stores }: AssertionServices,
  nowMs: number,
): Promise<{ readonly client: Client; readonly key: ClientKey; readonly isReused: boolean } | undefined> {
  const named = namedIn(assertion);
  const client = named && (await stores.clients.read(named.client_id));
  const key = client?.keys.find(({ kid }) => kid === named?.kid);
  if (client === undefined || key === undefined) return undefined;
  const claims = await signedClaims(assertion, key);
  const used = claims && usableClaims(claims, client.client_id, audiences, secondsOf(nowMs));
  // Noted once it is authentic: nobody else can use up the `jti` of a client.
  return used && { client, key, isReused: !(await stores.assertions.use(client.client_id, used)) };
}

const TYPES = new Set(['jwt', 'client-authentication+jwt']);

/** The client and the key that an assertion names; nothing of it is believed yet. */
function namedIn(assertion: string) {
  if (assertion.length > MAX_TOKEN_LENGTH || !assertion.split('.').every(isCanonicalBase64url)) return undefined;
  try {
    const { kid, typ = 'JWT', crit } = decodeProtectedHeader(assertion);
    const { sub } = decodeJwt(assertion);
    const isWellFormed = typeof typ === 'string' && TYPES.has(typ.toLowerCase()) && crit === undefined;
    return isWellFormed && typeof kid === 'string' && isClientId(sub) ? { client_id: sub, kid } : undefined;
  } catch {
    // Not three parts, or no JSON.
    return undefined;
  }
}

async function signedClaims(assertion: string, { jwk }: ClientKey) {
  const algorithm = algorithmOf(jwk);
  if (algorithm === undefined) return undefined;
  try {
    const key = await importJWK({ ...jwk, kty: String(jwk.kty) }, algorithm);
    await compactVerify(assertion, key, { algorithms: [algorithm] });
    return decodeJwt(assertion);
  } catch (error) {
    // jose throws a TypeError for a key that is too weak for its algorithm.
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const isJti = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_JTI_LENGTH;

/** Every time is a whole number of seconds (RFC 7519, section 2, allows fractions, which no client needs). */
function usableClaims(
  { iss, sub, aud, exp, iat, nbf, jti }: ReturnType<typeof decodeJwt>,
  client_id: string,
  audiences: readonly string[],
  now: number,
) {
  if (iss !== client_id || sub !== client_id || typeof aud !== 'string' || !audiences.includes(aud)) return undefined;
  if (!isJti(jti) || !isWhole(exp) || exp <= now || exp > now + MAX_AHEAD_SECONDS) return undefined;
  const isFromTheFuture = [iat, nbf].some((time) => time !== undefined && !isPast(time, now));
  return isFromTheFuture ? undefined : { jti, exp };
}

const isPast = (time: unknown, now: number): boolean => isWhole(time) && time <= now + CLOCK_SKEW_SECONDS;

export type UsedAssertions = ReturnType<typeof usedAssertions>;

/** The assertions that were used, until they have expired. */
export const usedAssertions = (database: Database) => ({
  /** Whether this call is the first that uses it. */
  use(client_id: string, { jti, exp }: { readonly jti: string; readonly exp: number }): Promise<boolean> {
    const name = createHash('sha256')
      .update(JSON.stringify(['assertion', client_id, jti]))
      .digest('hex');
    const expires = { [TABLE.expiresAt]: exp + REMEMBERED_AFTER_SECONDS };
    return putItem(database, { ...throttleKey(name), ...expires }, itemIsAbsent);
  },
});
