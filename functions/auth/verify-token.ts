/** Pins algorithm, type, issuer, audience and claims (RFC 8725); the key is the published one of its `kid`. */
import { errors, importJWK, jwtVerify, type CryptoKey, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { publishedKeys, type SigningKeyStore } from './signing-keys.ts';
import type { Session } from './access-store.ts';
import { ACCESS_TOKEN, CLIENT_TOKEN_SECONDS, REFRESH_TOKEN, partiesOf } from './tokens.ts';
import type { ClientClaims, TokenClaims, TokenKind, TokenParties } from './tokens.ts';
import type { Database } from '../dynamodb/client.ts';
import type { Environment } from '../runtime/variables.ts';
import { secondsOf } from '../runtime/system.ts';
import type { Client } from './clients.ts';
import { hasActiveLicense } from '../records/identifiers.ts';
import { MAX_TOKEN_LENGTH } from '../shared/limits.ts';
import type { User } from '../shared/model.ts';

type PublicKeys = (kid: string, nowSeconds: number) => Promise<CryptoKey | undefined>;

/** The clocks of two machines may differ a little; a token issued further in the future is rejected. */
export const CLOCK_SKEW_SECONDS = 5;
/** A key whose item was deleted is refused after this time at the latest (§5.1). */
const REMEMBER_KEY_SECONDS = 300;
/** The age at which a session ends, however often it is refreshed (§5.1). */
const SESSION_LIFETIME_MS = 90 * 86_400_000;

export type TokenVerifier = ReturnType<typeof tokenVerifier>;

/** The claims of a valid token, else `undefined`. `verifyRefresh` takes an expired one: if spent, the session ends. */
export function tokenVerifier(trust: TokenParties & { readonly keys: Pick<SigningKeyStore, 'read'> }) {
  const publicKeys = rememberedKeys(trust.keys);
  const signed = async (kind: TokenKind, token: string, nowMs: number) => {
    if (token.length > MAX_TOKEN_LENGTH || !token.split('.').every(isCanonicalBase64url)) return undefined;
    const nowSeconds = secondsOf(nowMs);
    // The key of a token with this service's type and a key id that it could have published.
    const keyOf: JWTVerifyGetKey = async ({ typ, kid, crit }) => {
      const isOurs = typ === kind.typ && crit === undefined && isKeyId(kid);
      const key = isOurs ? await publicKeys(kid, nowSeconds) : undefined;
      if (key === undefined) throw new errors.JWKSNoMatchingKey();
      return key;
    };
    const payload = await signedPayload(token, keyOf, kind, trust, nowSeconds);
    return payload?.aud === trust.audience ? payload : undefined;
  };
  return {
    /** Of a person, or of a client. */
    async verifyAccess(token: string, nowMs: number): Promise<TokenClaims | ClientClaims | undefined> {
      return lasting(await signed(ACCESS_TOKEN, token, nowMs), ACCESS_TOKEN, secondsOf(nowMs));
    },
    async verifyRefresh(token: string, nowMs: number): Promise<TokenClaims | undefined> {
      const claims = lasting(await signed(REFRESH_TOKEN, token, nowMs), REFRESH_TOKEN, secondsOf(nowMs));
      return claims && 'client_id' in claims ? undefined : claims;
    },
  };
}

/** A verifier for tokens of this stack, which remembers the keys that it read. */
export const deployedVerifier = (database: Database, environment: Environment): TokenVerifier =>
  tokenVerifier({ ...partiesOf(environment), keys: publishedKeys(database) });

async function signedPayload(
  token: string,
  keyOf: JWTVerifyGetKey,
  kind: TokenKind,
  { issuer, audience }: TokenParties,
  nowSeconds: number,
): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: ['ES256'],
      issuer,
      audience,
      requiredClaims: ['sub', 'jti', 'iat', 'exp', 'company_id'],
      currentDate: new Date(nowSeconds * 1000),
    });
    return payload;
  } catch (error) {
    // Any other error is of the store of the keys.
    if (!(error instanceof errors.JOSEError)) throw error;
    // It checks the expiry last.
    return kind === REFRESH_TOKEN && error instanceof errors.JWTExpired ? error.payload : undefined;
  }
}

/** The claims, unless they are of the future, or live longer than their kind. */
function lasting(payload: JWTPayload | undefined, kind: TokenKind, nowSeconds: number) {
  const claims = payload && wellFormed(payload);
  if (claims === undefined) return undefined;
  const lifetimeSeconds = 'client_id' in claims ? CLIENT_TOKEN_SECONDS : kind.lifetimeSeconds;
  const fromTheFuture = claims.iat > nowSeconds + CLOCK_SKEW_SECONDS;
  return fromTheFuture || claims.exp - claims.iat > lifetimeSeconds ? undefined : claims;
}

const isText = (claim: unknown): claim is string => typeof claim === 'string' && claim !== '';
const isWhole = (claim: unknown): claim is number => Number.isSafeInteger(claim);

function wellFormed({ sub, jti, iat, exp, company_id, ...others }: JWTPayload): TokenClaims | ClientClaims | undefined {
  if (!isText(sub) || !isText(jti) || !isText(company_id) || !isWhole(iat) || !isWhole(exp)) return undefined;
  const bearer = 'client_id' in others ? clientIn(sub, others) : personIn(sub, others);
  return bearer && { ...bearer, company_id, jti, iat, exp };
}

function personIn(sub: string, { sid, email }: JWTPayload) {
  if (!isText(sid) || !isText(email) || !/^\d{1,16}$/.test(sub)) return undefined;
  return { user_id: Number(sub), session_id: sid, email };
}

/** A token of a client names no session: it is the client's, or nobody's. */
function clientIn(sub: string, { client_id, scope, key, sid, email }: JWTPayload) {
  if (client_id !== sub || !isText(scope) || !isText(key) || sid !== undefined || email !== undefined) return undefined;
  return { client_id: sub, key, scopes: scope.split(' ') };
}

/** Public keys by id, kept in memory for a few minutes and never for longer than they were published for. */
function rememberedKeys(store: Pick<SigningKeyStore, 'read'>): PublicKeys {
  const remembered = new Map<string, { key: CryptoKey; untilSeconds: number }>();
  return async (kid, nowSeconds) => {
    const known = remembered.get(kid);
    if (known && known.untilSeconds > nowSeconds) return known.key;
    const published = await store.read(kid);
    if (!published || published.valid_until_seconds <= nowSeconds) return undefined;
    const key = await importJWK({ ...published.jwk }, 'ES256');
    const untilSeconds = Math.min(published.valid_until_seconds, nowSeconds + REMEMBER_KEY_SECONDS);
    remembered.set(kid, { key, untilSeconds });
    return key;
  };
}

/** An RFC 7638 thumbprint (SHA-256). */
const isKeyId = (kid: unknown): kid is string => typeof kid === 'string' && /^[A-Za-z0-9_-]{43}$/.test(kid);

/** Spare bits and padding would make several texts of one token. */
export const isCanonicalBase64url = (part: string): boolean =>
  Buffer.from(part, 'base64url').toString('base64url') === part;

/** The client with the scopes that the token and the registration both have; `undefined` if it, or that very key, is gone. */
export function activeClient(claims: ClientClaims, client: Client | undefined): Client | undefined {
  const isStill = client?.company_id === claims.company_id && client.client_id === claims.client_id;
  if (!isStill || client.keys.every(({ thumbprint }) => thumbprint !== claims.key)) return undefined;
  return { ...client, scopes: client.scopes.filter((scope) => claims.scopes.includes(scope)) };
}

/** Whether the user is active, and the session neither revoked nor too old nor ended with the user's others. */
export function isActiveBearer(
  claims: TokenClaims,
  session: Session,
  user: User | undefined,
  nowMs: number,
): user is User {
  const isActiveUser = hasActiveLicense(user) && user.user_id === claims.user_id;
  return isActiveUser && isOpenSession(claims, session) && isRecentEnough(session, user, nowMs);
}

/** Instants order as text (§5.1). A session of the very millisecond in which the others ended is over too. */
function isRecentEnough({ began_at }: Session, { sessions_valid_from = '' }: User, nowMs: number): boolean {
  return began_at > sessions_valid_from && nowMs - Date.parse(began_at) < SESSION_LIFETIME_MS;
}

function isOpenSession(claims: TokenClaims, session: Session): boolean {
  const sameBearer = session.user_id === claims.user_id && session.company_id === claims.company_id;
  return !session.revoked && session.session_id === claims.session_id && sameBearer;
}
