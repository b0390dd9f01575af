/** Sign-in by the identity provider of the company (§5.4): what a client makes before the person goes there, and checks afterwards. */
import type { SignInRequest, SignInWays } from '../wire/types.ts';

type Provider = NonNullable<SignInWays['provider']>;

/** What belongs to one sign-in, and is kept until the person is back. It is no token. */
export interface SignInAttempt {
  readonly issuer: string;
  readonly state: string;
  readonly nonce: string;
  readonly code_verifier: string;
  readonly redirect_uri: string;
}

const BYTES = 32;

/** 256 random bits as base64url. */
function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(BYTES)));
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '');

/**
 * The address to which the person goes, and what is kept meanwhile.
 *
 * @example
 * const provider = { issuer: 'https://idp.example', authorization_endpoint: 'https://idp.example/auth', client_id: 'us', scope: 'openid email' };
 * const { address, attempt } = await startSignIn(provider, 'http://127.0.0.1:8765/');
 * new URL(address).searchParams.get('state') === attempt.state; // => true
 */
export async function startSignIn(
  { issuer, authorization_endpoint, client_id, scope }: Provider,
  redirect_uri: string,
): Promise<{ readonly address: string; readonly attempt: SignInAttempt }> {
  const [state, nonce, code_verifier] = [randomText(), randomText(), randomText()];
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code_verifier));
  const code_challenge = base64url(new Uint8Array(hash));
  const address = new URL(authorization_endpoint);
  const asked = { response_type: 'code', client_id, redirect_uri, scope, state, nonce, code_challenge };
  for (const [name, value] of Object.entries({ ...asked, code_challenge_method: 'S256' }))
    address.searchParams.set(name, value);
  return { address: address.href, attempt: { issuer, state, nonce, code_verifier, redirect_uri } };
}

/** What the provider sent the person back with. */
export type SentBack = Readonly<Partial<Record<(typeof SENT_BACK)[number], string>>>;

const SENT_BACK = ['code', 'state', 'iss', 'error'] as const;

/**
 * `undefined` where the query is of no sign-in.
 *
 * @example
 * sentBackIn(new URLSearchParams('code=c&state=s')); // => { code: 'c', state: 's' }
 * sentBackIn(new URLSearchParams('page=2')); // => undefined
 */
export function sentBackIn(query: URLSearchParams): SentBack | undefined {
  const sent = SENT_BACK.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : []));
  return query.has('state') && (query.has('code') || query.has('error')) ? Object.fromEntries(sent) : undefined;
}

/**
 * What to send to the service. `undefined` if it is not of this attempt: nobody knows the state but this client and the provider;
 * the issuer is another one where a provider was mixed up (RFC 9207); or the provider refused the person.
 *
 * @example
 * const attempt = { issuer: 'https://idp.example', state: 's', nonce: 'n', code_verifier: 'v', redirect_uri: 'http://127.0.0.1:8765/' };
 * signInRequestOf(attempt, { code: 'c', state: 's' }); // => { code: 'c', code_verifier: 'v', nonce: 'n', redirect_uri: 'http://127.0.0.1:8765/' }
 * signInRequestOf(attempt, { code: 'c', state: 'of another' }); // => undefined
 */
export function signInRequestOf(attempt: SignInAttempt, { code, state, iss }: SentBack): SignInRequest | undefined {
  const { issuer, nonce, code_verifier, redirect_uri } = attempt;
  if (state !== attempt.state || (iss !== undefined && iss !== issuer) || !code) return undefined;
  return { code, code_verifier, nonce, redirect_uri };
}
