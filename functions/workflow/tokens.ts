/** The two kinds of token (§2.2, §5) and what they say. Lifetimes are the interface's, in seconds. */

export interface TokenKind {
  /** The `typ` header: a token of one kind is never taken for the other (RFC 8725, section 3.11). */
  readonly typ: 'at+jwt' | 'rt+jwt';
  readonly lifetimeSeconds: number;
}

/** 20 days. */
export const ACCESS_TOKEN: TokenKind = { typ: 'at+jwt', lifetimeSeconds: 1_728_000 };
/** 10 hours. */
export const REFRESH_TOKEN: TokenKind = { typ: 'rt+jwt', lifetimeSeconds: 36_000 };

/** What the service reads out of a token it has verified; `iat` and `exp` are seconds since the epoch. */
export interface TokenClaims {
  readonly user_id: number;
  readonly session_id: string;
  readonly company_id: string;
  readonly email: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
}

/** Response of login and refresh (§2.2). */
export interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Who issues the tokens and for whom. */
export interface TokenParties {
  readonly issuer: string;
  readonly audience: string;
}

/** Answers the claims of a token that holds in every respect, else `undefined`: a caller is never told why. */
export interface TokenVerifier {
  verifyAccess(token: string, nowMs: number): Promise<TokenClaims | undefined>;
  verifyRefresh(token: string, nowMs: number): Promise<TokenClaims | undefined>;
}

export const secondsOf = (ms: number): number => Math.floor(ms / 1000);
