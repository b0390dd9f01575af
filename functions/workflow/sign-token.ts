/** Issues tokens: the claims signed with ES256 by whoever holds the private key. */
import type { RefreshTokenId, Session, Signer } from './ports.ts';
import { ACCESS_TOKEN, REFRESH_TOKEN, type TokenKind, type TokenParties } from './tokens.ts';

export interface TokenIssuer extends TokenParties {
  readonly signer: Signer;
  /** Id of the published key the signer signs with. */
  readonly kid: string;
}

type Bearer = Pick<Session, 'session_id' | 'company_id' | 'user_id' | 'email'>;

export function signAccessToken(issuer: TokenIssuer, bearer: Bearer, jti: string, iat: number): Promise<string> {
  return signToken(issuer, ACCESS_TOKEN, bearer, { jti, iat, exp: iat + ACCESS_TOKEN.lifetimeSeconds });
}

/** Signing the same refresh token again gives the same claims under another signature. */
export function signRefreshToken(issuer: TokenIssuer, bearer: Bearer, token: RefreshTokenId): Promise<string> {
  return signToken(issuer, REFRESH_TOKEN, bearer, token);
}

async function signToken(issuer: TokenIssuer, kind: TokenKind, bearer: Bearer, times: RefreshTokenId): Promise<string> {
  const header = { alg: 'ES256', kid: issuer.kid, typ: kind.typ };
  const claims = {
    iss: issuer.issuer,
    aud: issuer.audience,
    sub: String(bearer.user_id),
    sid: bearer.session_id,
    company_id: bearer.company_id,
    email: bearer.email,
    jti: times.jti,
    iat: times.iat,
    exp: times.exp,
  };
  const signingInput = `${encoded(header)}.${encoded(claims)}`;
  const signature = await issuer.signer.sign(Buffer.from(signingInput, 'ascii'));
  return `${signingInput}.${Buffer.from(signature).toString('base64url')}`;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');
