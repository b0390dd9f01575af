/** Tokens of our own key with a header or claims that we do not issue: each missing, wrong, of another type, early or late. */
import { localSigner } from '../../kit/local-signer.ts';
import { secondsOf } from '../../../functions/runtime/system.ts';
import { signed, sessionDraft } from '../support/forge.ts';
import { OTHER } from '../support/data.ts';
import type { Target } from '../support/target.ts';
import { ADMIN_OF_OWN, drafted, type TokenClass, withClaims, withHeader } from './token-class.ts';

const CLAIMS = ['iss', 'aud', 'sub', 'sid', 'company_id', 'email', 'jti', 'iat', 'exp'] as const;

/** Times relative to now, in seconds. */
function timed(name: string, times: { iat?: number; exp?: number; nbf?: number }): TokenClass {
  return drafted(name, ({ header, claims }, target) => {
    const now = secondsOf(target.nowMs());
    const moved = Object.entries(times).map(([claim, offset]) => [claim, now + offset]);
    return { header, claims: { ...claims, ...Object.fromEntries(moved) } };
  });
}

/** Signed by a former key of ours that is published no longer. */
const retiredKey: TokenClass = {
  name: 'a retired key',
  outcome: 'refused',
  async make(target, kind) {
    const retired = localSigner();
    const { kid, jwk } = await retired.publicKey();
    await target.stores.signingKeys.publish({ kid, jwk, valid_until_seconds: secondsOf(target.nowMs()) });
    const { header, claims } = await sessionDraft(target, ADMIN_OF_OWN, kind);
    return signed({ header: { ...header, kid }, claims }, retired);
  },
};

const audience = (name: string, wrap: (audience: string) => unknown): TokenClass =>
  drafted(name, ({ header, claims }, { parties }: Target) => ({
    header,
    claims: { ...claims, aud: wrap(parties.audience) },
  }));

/** KMS signs 4,096 bytes at most: only a key in this process signs such a token. */
function tooLongForKms(tokenClass: TokenClass): TokenClass {
  return { ...tokenClass, inProcessOnly: true };
}

export const CLAIM_CLASSES: readonly TokenClass[] = [
  ...CLAIMS.map((claim) => withClaims(`no ${claim}`, { [claim]: undefined })),
  ...CLAIMS.map((claim) => withClaims(`${claim} null`, { [claim]: null })),
  withClaims('another issuer', { iss: 'https://evil.example' }),
  withClaims('another audience', { aud: 'urn:else' }),
  audience('a list of our audience', (aud) => [aud]),
  audience('our audience and another', (aud) => [aud, 'urn:else']),
  audience('our audience in upper case', (aud) => aud.toUpperCase()),
  withClaims("another user's id", { sub: '2' }),
  withClaims('a subject that is a number', { sub: 1 }),
  withClaims('a subject with a sign', { sub: '+1' }),
  withClaims('a subject that is no id', { sub: '1 OR 1=1' }),
  withClaims('an unknown session', { sid: 'f'.repeat(32) }),
  withClaims('a session that is an object', { sid: { toString: 'x' } }),
  withClaims('a hostile session', { sid: '__proto__' }),
  withClaims('an empty session', { sid: '' }),
  withClaims('another company', { company_id: OTHER }),
  withClaims('a company that breaks out of a key', { company_id: 'acme#user' }),
  withClaims("another user's e-mail", { email: 'ben.castillo@acme.test' }),
  withClaims('an e-mail that no user has', { email: 'nobody@acme.test' }),
  withClaims('an expiry in words', { exp: 'tomorrow' }),
  withClaims('an expiry as text', { exp: '99999999999' }),
  withClaims('an issue date with a fraction', { iat: 1.5 }),
  timed('expired by a second', { iat: -100, exp: -1 }),
  timed('expired this second', { iat: -100, exp: 0 }),
  timed('not valid yet', { nbf: 60 }),
  timed('issued in the future', { iat: 60, exp: 120 }),
  timed('living longer than its kind', { iat: -1, exp: 1_728_001 }),
  withHeader('no typ', { typ: undefined }),
  withHeader('typ JWT', { typ: 'JWT' }),
  withHeader('typ in upper case', { typ: 'AT+JWT' }),
  withHeader('typ with its media type', { typ: 'application/at+jwt' }),
  withHeader('a critical extension', { crit: ['exp'] }),
  withHeader('an unknown critical extension', { crit: ['x-admin'], 'x-admin': true }),
  withHeader('an unencoded payload', { crit: ['b64'], b64: false }),
  withHeader('an empty crit', { crit: [] }),
  withHeader('no kid', { kid: undefined }),
  withHeader('a kid that is a number', { kid: 7 }),
  withHeader('an unknown kid', { kid: 'A'.repeat(43) }),
  withHeader('a kid that climbs', { kid: '../../../../dev/null' }),
  withHeader('a kid that injects', { kid: "' OR '1'='1" }),
  withHeader('a kid with a NUL', { kid: `${'A'.repeat(42)}\0` }),
  withHeader('a kid that reaches the prototype', { kid: '__proto__' }),
  tooLongForKms(withHeader('a kid of 3 KB', { kid: 'A'.repeat(3000) })),
  retiredKey,
  tooLongForKms(withClaims('a token longer than any of ours', { padding: 'x'.repeat(4096) })),
];
