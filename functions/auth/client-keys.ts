/** The public keys of clients (§5.3): what a key must be, and the algorithm that follows from it. */
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { codesOf } from '../shared/codes.ts';

/** A public key, and its RFC 7638 thumbprint: a key that is replaced under the same `kid` is another one. */
export interface ClientKey {
  readonly kid: string;
  readonly thumbprint: string;
  readonly jwk: JsonWebKey;
}

const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 8192;

const SHAPES = {
  ES256: ['kty', 'crv', 'x', 'y'],
  EdDSA: ['kty', 'crv', 'x'],
  RS256: ['kty', 'n', 'e'],
} as const;
export type ClientAlgorithm = keyof typeof SHAPES;
export const CLIENT_ALGORITHMS: readonly ClientAlgorithm[] = /* @__PURE__ */ codesOf(SHAPES);

/** The algorithm follows from the key, never from a header. */
export function algorithmOf({ kty, crv }: JsonWebKey): ClientAlgorithm | undefined {
  if (kty === 'EC' && crv === 'P-256') return 'ES256';
  if (kty === 'OKP' && crv === 'Ed25519') return 'EdDSA';
  return kty === 'RSA' ? 'RS256' : undefined;
}

const PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
/** Whether a JWK has a private member: it is never stored. */
export const isPrivate = (jwk: Readonly<Record<string, unknown>>): boolean =>
  PRIVATE.some((name) => (jwk[name] ?? null) !== null);

/** The members of a public key that make it; `undefined` for a key that a client may not have. */
export function publicMembers(jwk: JsonWebKey): JsonWebKey | undefined {
  const algorithm = algorithmOf(jwk);
  if (algorithm === undefined || isPrivate(jwk)) return undefined;
  if ((jwk['use'] ?? 'sig') !== 'sig' || (jwk['alg'] ?? algorithm) !== algorithm) return undefined;
  const plain: JsonWebKey = Object.fromEntries(SHAPES[algorithm].map((name) => [name, jwk[name]]));
  return isStrong(plain) ? plain : undefined;
}

function isStrong(key: JsonWebKey): boolean {
  try {
    const { asymmetricKeyDetails = {} } = createPublicKey({ key, format: 'jwk' });
    const { modulusLength = MIN_RSA_BITS, publicExponent = 3n } = asymmetricKeyDetails;
    return modulusLength >= MIN_RSA_BITS && modulusLength <= MAX_RSA_BITS && publicExponent >= 3n;
  } catch {
    // A point that is not on the curve, or a member that is no base64url.
    return false;
  }
}

export const withThumbprint = async ({ kid, ...jwk }: JsonWebKey & { readonly kid: string }): Promise<ClientKey> => ({
  kid,
  thumbprint: await calculateJwkThumbprint(jwk),
  jwk,
});
