/** Changes of header and claims, by name, for which a token is refused although the service's own key signs it. */
import { ACCESS_TOKEN } from '../../functions/auth/tokens.ts';

/** A member that is `undefined` is left out. */
type Changes = Readonly<Record<string, object>>;

const CLAIMS = ['iss', 'aud', 'sub', 'sid', 'company_id', 'email', 'jti', 'iat', 'exp'];

/** @param now in seconds @param audience of the service */
export const invalidClaims = (now: number, audience: string): Changes => ({
  ...Object.fromEntries(CLAIMS.map((claim) => [`no ${claim}`, { [claim]: undefined }])),
  ...Object.fromEntries(CLAIMS.map((claim) => [`${claim} null`, { [claim]: null }])),
  'another issuer': { iss: 'https://evil.example' },
  'another audience': { aud: 'urn:else' },
  'a list of our audience': { aud: [audience] },
  'our audience and another': { aud: [audience, 'urn:else'] },
  'our audience in upper case': { aud: audience.toUpperCase() },
  'a subject that is a number': { sub: 1 },
  'a subject with a sign': { sub: '+1' },
  'a subject that is no id': { sub: '1 OR 1=1' },
  'a session that is an object': { sid: { toString: 'x' } },
  'an empty session': { sid: '' },
  'an expiry in words': { exp: 'tomorrow' },
  'an expiry as text': { exp: '99999999999' },
  'an issue date with a fraction': { iat: 1.5 },
  'expired by a second': { iat: now - 100, exp: now - 1 },
  'expired this second': { iat: now - 100, exp: now },
  'not valid yet': { nbf: now + 60 },
  'issued in the future': { iat: now + 60, exp: now + 120 },
  'living longer than its kind': { iat: now - 1, exp: now + ACCESS_TOKEN.lifetimeSeconds + 1 },
});

export const INVALID_HEADERS: Changes = {
  'no typ': { typ: undefined },
  'typ JWT': { typ: 'JWT' },
  'typ in upper case': { typ: 'AT+JWT' },
  'typ with its media type': { typ: 'application/at+jwt' },
  'a critical extension': { crit: ['exp'] },
  'an unknown critical extension': { crit: ['x-admin'], 'x-admin': true },
  'an unencoded payload': { crit: ['b64'], b64: false },
  'an empty crit': { crit: [] },
  'no kid': { kid: undefined },
  'a kid that is a number': { kid: 7 },
  'an unknown kid': { kid: 'A'.repeat(43) },
  'a kid that climbs': { kid: '../../../../dev/null' },
  'a kid that injects': { kid: "' OR '1'='1" },
  'a kid with a NUL': { kid: `${'A'.repeat(42)}\0` },
  'a kid that reaches the prototype': { kid: '__proto__' },
};
