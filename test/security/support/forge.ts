/** Tokens made by hand: with the service's own key, with a foreign one, or with none. */
import { type Signer, type TokenKind, ACCESS_TOKEN, REFRESH_TOKEN } from '../../../functions/auth/tokens.ts';
import { secondsOf } from '../../../functions/runtime/system.ts';
import type { Target } from './target.ts';

export type Kind = 'access' | 'refresh';
export const KIND: Readonly<Record<Kind, TokenKind>> = { access: ACCESS_TOKEN, refresh: REFRESH_TOKEN };

/** A token in parts that can be changed before it is signed; a member that is `undefined` is left out. */
export interface Draft {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

export const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function signingInput({ header, claims }: Draft): string {
  return `${encoded(header)}.${encoded(claims)}`;
}

export async function signed(draft: Draft, signer: Pick<Signer, 'sign'>): Promise<string> {
  const input = signingInput(draft);
  return `${input}.${Buffer.from(await signer.sign(Buffer.from(input))).toString('base64url')}`;
}

export interface Identity {
  readonly company_id: string;
  readonly user_id: number;
  readonly email: string;
}

/** Stores a session, and drafts the token that it would be given. */
export async function sessionDraft(target: Target, who: Identity, kind: Kind): Promise<Draft> {
  const nowSeconds = secondsOf(target.nowMs());
  const kid = await target.signer.publish(target.stores.signingKeys, nowSeconds);
  const session_id = randomHex();
  const jti = randomHex();
  const exp = nowSeconds + KIND[kind].lifetimeSeconds;
  await target.stores.sessions.create({
    ...who,
    session_id,
    began_at: new Date(target.nowMs()).toISOString(),
    revoked: false,
    current: {
      jti: kind === 'refresh' ? jti : randomHex(),
      iat: nowSeconds,
      exp: nowSeconds + REFRESH_TOKEN.lifetimeSeconds,
    },
    spent: [],
    expires_at_seconds: nowSeconds + ACCESS_TOKEN.lifetimeSeconds + 3600,
  });
  const { company_id, email, user_id } = who;
  return {
    header: { alg: 'ES256', kid, typ: KIND[kind].typ },
    claims: {
      iss: target.parties.issuer,
      aud: target.parties.audience,
      sub: String(user_id),
      sid: session_id,
      company_id,
      email,
      jti,
      iat: nowSeconds,
      exp,
    },
  };
}

export const randomHex = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex');
