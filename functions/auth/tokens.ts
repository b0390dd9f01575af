/** The two kinds of token (§2.2, §5), their claims, and how they are signed (ES256). Lifetimes are the interface's, in seconds. */
import type { RefreshTokenId, Session } from './access-store.ts';
import { jsonText } from '../records/json.ts';
import * as ENV from '../runtime/variables.ts';

/** Access or refresh. Nothing but `typ` and the lifetime differs between them. */
export interface TokenKind {
  /** The `typ` header: a token of one kind is never taken for the other (RFC 8725, section 3.11). */
  readonly typ: 'at+jwt' | 'rt+jwt';
  readonly lifetimeSeconds: number;
}

/** Valid for 20 days (§2.2). */
export const ACCESS_TOKEN: TokenKind = { typ: 'at+jwt', lifetimeSeconds: 1_728_000 };
/** Valid for 10 hours, and used up by its first use (§2.2). */
export const REFRESH_TOKEN: TokenKind = { typ: 'rt+jwt', lifetimeSeconds: 36_000 };

/** The claims of a verified token. `iat` and `exp` are seconds since 1970. */
export interface TokenClaims {
  readonly user_id: number;
  readonly session_id: string;
  readonly company_id: string;
  readonly email: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
}

/** Of a client, for 15 minutes (§5.3). Whose token it is follows from `client_id`, never from `sub`. */
export const CLIENT_TOKEN_SECONDS = 900;

/** The claims of a verified token of a client. `key` is the thumbprint of the key by which it authenticated. */
export interface ClientClaims {
  readonly client_id: string;
  readonly company_id: string;
  readonly scopes: readonly string[];
  readonly key: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
}

export type { TokenPair } from '../shared/model.ts';

export type TokenParties = Readonly<ReturnType<typeof partiesOf>>;

/** Issuer and audience of this stack: no token of another stack is valid here. @throws Error if one is not set */
export const partiesOf = (environment: ENV.Environment) => ({
  issuer: ENV.variable(environment, ENV.issuer),
  audience: ENV.variable(environment, ENV.audience),
});

/** A public key, and for how long tokens that it signed can be verified. */
export interface PublishedKey {
  readonly kid: string;
  readonly jwk: { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string };
  readonly valid_until_seconds: number;
}

/** A private key that signs and never leaves its place: KMS, or a test. */
export interface Signer {
  /** Public half of the key that signs now. `kid` is its RFC 7638 thumbprint. */
  publicKey(): Promise<Pick<PublishedKey, 'kid' | 'jwk'>>;
  /** Raw 64-byte ES256 signature (r‖s) of the message. */
  sign(message: Uint8Array): Promise<Uint8Array>;
}

/** All that signing a token takes beside its claims. The key of `kid` is published already. */
export interface TokenIssuer extends TokenParties {
  readonly signer: Signer;
  readonly kid: string;
}

type Bearer = Pick<Session, 'session_id' | 'company_id' | 'user_id' | 'email'>;

/** Signing the same token again gives the same claims under another signature. */
export function signToken(
  { issuer: iss, audience: aud, kid, signer }: TokenIssuer,
  { typ }: TokenKind,
  { user_id, session_id: sid, company_id, email }: Bearer,
  { jti, iat, exp }: RefreshTokenId,
): Promise<string> {
  const claims = { iss, aud, sub: String(user_id), sid, company_id, email, jti, iat, exp };
  return signJws({ kid, typ }, claims, signer);
}

/** An access token of a client (RFC 9068). */
export function signClientToken(
  { issuer: iss, audience: aud, kid, signer }: TokenIssuer,
  { client_id, company_id, scopes, key, jti, iat, exp }: ClientClaims,
): Promise<string> {
  const claims = { iss, aud, sub: client_id, client_id, company_id, scope: scopes.join(' '), key, jti, iat, exp };
  return signJws({ kid, typ: ACCESS_TOKEN.typ }, claims, signer);
}

/** A compact JWS (RFC 7515). */
export async function signJws(
  header: { readonly kid: string; readonly typ: string },
  payload: object,
  signer: Pick<Signer, 'sign'>,
): Promise<string> {
  const input = `${encoded({ alg: 'ES256', ...header })}.${encoded(payload)}`;
  const signature = await signer.sign(Buffer.from(input, 'ascii'));
  return `${input}.${Buffer.from(signature).toString('base64url')}`;
}

const encoded = (value: object): string => Buffer.from(jsonText(value), 'utf8').toString('base64url');
