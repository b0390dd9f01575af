import type { AccessStore, RefreshTokenId, Session, SessionStore } from './access-store.ts';
import type { PublishingSigner, SigningKeyStore } from './signing-keys.ts';
import { isActiveBearer } from './verify-token.ts';
import { ACCESS_TOKEN, REFRESH_TOKEN, signToken } from './tokens.ts';
import type { TokenClaims, TokenIssuer, TokenKind, TokenPair, TokenParties } from './tokens.ts';
import { secondsOf, type Random } from '../runtime/system.ts';
import { TemporarilyUnavailable } from '../runtime/faults.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import { MAX_SESSIONS_OF_USER } from '../shared/limits.ts';
import type { User } from '../shared/model.ts';

export interface SessionServices {
  readonly parties: TokenParties;
  readonly signer: PublishingSigner;
  readonly random: Random;
  readonly telemetry: Pick<Telemetry, 'info'>;
  readonly stores: {
    readonly access: Pick<AccessStore, 'readAccess'>;
    readonly sessions: Pick<SessionStore, 'create' | 'keepNewest' | 'rotate' | 'revoke'>;
    readonly signingKeys: Pick<SigningKeyStore, 'publish' | 'read'>;
  };
}

/** A refresh token spent this recently is still accepted: the response may be lost, or two tabs refresh at once. */
const GRACE_MS = 30_000;
/** The session outlives every access token issued under it, those of the grace window included. */
const SESSION_SECONDS = ACCESS_TOKEN.lifetimeSeconds + 3600;
const MAX_RACES = 5;
/** A client that refreshes in a loop must not outgrow the session's item. */
const MAX_SPENT = 1000;

/** Opens a session for a user who has proved who they are. The oldest ones end beyond 20 (§5.1). */
export async function openSession(
  services: SessionServices,
  user: User,
  nowMs: number,
  session_id: string = services.random.hex(16),
  by?: Session['by'],
): Promise<TokenPair> {
  const iat = secondsOf(nowMs);
  const session: Session = {
    session_id,
    company_id: user.company_id,
    user_id: user.user_id,
    email: user.email,
    began_at: new Date(nowMs).toISOString(),
    revoked: false,
    current: newToken(REFRESH_TOKEN, services.random, iat),
    spent: [],
    expires_at_seconds: iat + SESSION_SECONDS,
    ...(by !== undefined && { by }),
  };
  const { telemetry, stores } = services;
  const { company_id, user_id } = user;
  const [pair, ended] = await Promise.all([
    signPair(services, session, iat),
    stores.sessions.keepNewest(company_id, user_id, MAX_SESSIONS_OF_USER - 1),
  ]);
  await stores.sessions.create(session);
  if (ended > 0) telemetry.info('The oldest sessions of a user were ended.', { company_id, user_id, ended });
  return pair;
}

/**
 * Spends a verified refresh token. One spent in the last 30 s returns the session's current token; one spent earlier ends the
 * session, expired or not: `theft` where this use ended it, and `spent` where it had ended before. `undefined`: 401 for another
 * reason. Throws `TemporarilyUnavailable` if the session keeps changing.
 */
export async function refreshSession(
  services: SessionServices,
  presented: TokenClaims,
  nowMs: number,
): Promise<TokenPair | 'theft' | 'spent' | undefined> {
  for (let race = 0; race < MAX_RACES; race += 1) {
    const { session_id, company_id, email } = presented;
    const { session, user } = await services.stores.access.readAccess({ session_id, company_id, email });
    if (!session) return undefined;
    const isSpent = presented.jti !== session.current.jti;
    if (!isActiveBearer(presented, session, user, nowMs)) return isSpent ? 'spent' : undefined;
    if (isSpent) return reuseSpent(services, session, presented, nowMs);
    if (isExpired(presented, nowMs)) return undefined;
    const next = rotated(session, services.random, nowMs);
    // Signed before the rotation is stored: if signing fails, the presented token is not spent.
    const pair = await signPair(services, next, secondsOf(nowMs));
    if (await services.stores.sessions.rotate(next, presented.jti)) return pair;
  }
  throw new TemporarilyUnavailable('Too many callers refresh this session at the same time.');
}

async function reuseSpent(
  services: SessionServices,
  session: Session,
  presented: TokenClaims,
  nowMs: number,
): Promise<TokenPair | 'theft' | 'spent' | undefined> {
  if (session.spent.some((token) => token.jti === presented.jti && isRecent(token, nowMs)))
    return isExpired(presented, nowMs) ? undefined : signPair(services, session, secondsOf(nowMs));
  return (await services.stores.sessions.revoke(session.session_id)) ? 'theft' : 'spent';
}

function rotated(session: Session, random: Random, nowMs: number): Session {
  const iat = secondsOf(nowMs);
  const recent = session.spent.filter((token) => isRecent(token, nowMs)).slice(1 - MAX_SPENT);
  return {
    ...session,
    current: newToken(REFRESH_TOKEN, random, iat),
    spent: [...recent, { jti: session.current.jti, spent_at_ms: nowMs }],
    expires_at_seconds: iat + SESSION_SECONDS,
  };
}

async function signPair(services: SessionServices, session: Session, iat: number): Promise<TokenPair> {
  const { parties, signer, stores, random } = services;
  const issuer: TokenIssuer = { ...parties, signer, kid: await signer.publish(stores.signingKeys, iat) };
  const [access_token, refresh_token] = await Promise.all([
    signToken(issuer, ACCESS_TOKEN, session, newToken(ACCESS_TOKEN, random, iat)),
    signToken(issuer, REFRESH_TOKEN, session, session.current),
  ]);
  return { access_token, refresh_token };
}

const isRecent = (token: Session['spent'][number], nowMs: number): boolean => nowMs - token.spent_at_ms <= GRACE_MS;

const isExpired = ({ exp }: TokenClaims, nowMs: number): boolean => exp <= secondsOf(nowMs);

function newToken({ lifetimeSeconds }: TokenKind, random: Random, iat: number): RefreshTokenId {
  return { jti: random.hex(16), iat, exp: iat + lifetimeSeconds };
}
