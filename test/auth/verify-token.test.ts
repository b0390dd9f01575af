/** Verification of tokens (RFC 8725), against tokens made wrong in one way each. In memory; costs a second. */
import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { publishingSigner, type PublishingSigner } from '../../functions/auth/signing-keys.ts';
import { type Signer, ACCESS_TOKEN, REFRESH_TOKEN, signToken } from '../../functions/auth/tokens.ts';
import { secondsOf } from '../../functions/runtime/system.ts';
import { tokenVerifier } from '../../functions/auth/verify-token.ts';
import { TemporarilyUnavailable } from '../../functions/runtime/faults.ts';
import { PARTIES, START_MS } from '../kit/auth-services.ts';
import { INVALID_HEADERS, invalidClaims } from '../kit/invalid-tokens.ts';
import { localSigner } from '../kit/local-signer.ts';
import { createWorld, type World } from '../kit/world.ts';
import { cases } from '../kit/at-length.ts';

const NOW = secondsOf(START_MS);
const BEARER = { session_id: 'session-1', company_id: 'acme', user_id: 7, email: 'ada@acme.test' };
const CLAIMS = {
  iss: PARTIES.issuer,
  aud: PARTIES.audience,
  sub: '7',
  sid: 'session-1',
  company_id: 'acme',
  email: 'ada@acme.test',
  jti: 'jti-1',
  iat: NOW,
  exp: NOW + ACCESS_TOKEN.lifetimeSeconds,
};

let signer: PublishingSigner;
let kid: string;
let stores: World['stores'];
let verifier: ReturnType<typeof tokenVerifier>;

beforeEach(async () => {
  signer = publishingSigner(localSigner());
  stores = createWorld().stores;
  kid = await signer.publish(stores.signingKeys, NOW);
  verifier = tokenVerifier({ ...PARTIES, keys: stores.signingKeys });
});

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function token(header: object = {}, claims: object = {}, by: Signer = signer): Promise<string> {
  const input = `${encoded({ alg: 'ES256', kid, typ: 'at+jwt', ...header })}.${encoded({ ...CLAIMS, ...claims })}`;
  return `${input}.${Buffer.from(await by.sign(Buffer.from(input))).toString('base64url')}`;
}

describe('tokens of the service', () => {
  const pair = async () => {
    const issuer = { ...PARTIES, signer, kid };
    const id = { jti: 'jti-2', iat: NOW, exp: NOW + REFRESH_TOKEN.lifetimeSeconds };
    return {
      access: await signToken(issuer, ACCESS_TOKEN, BEARER, CLAIMS),
      refresh: await signToken(issuer, REFRESH_TOKEN, BEARER, id),
    };
  };

  it('a token verifies as its own kind, with its claims', async () => {
    const { access, refresh } = await pair();
    const accessClaims = { ...BEARER, jti: 'jti-1', iat: NOW, exp: NOW + 1_728_000 };
    const refreshClaims = { ...BEARER, jti: 'jti-2', iat: NOW, exp: NOW + 36_000 };
    expect(await verifier.verifyAccess(access, START_MS)).toEqual(accessClaims);
    expect(await verifier.verifyRefresh(refresh, START_MS)).toEqual(refreshClaims);
  });

  it('a token never verifies as the other kind', async () => {
    const { access, refresh } = await pair();
    expect(await verifier.verifyRefresh(access, START_MS)).toBeUndefined();
    expect(await verifier.verifyAccess(refresh, START_MS)).toBeUndefined();
  });

  it('a token expires to the second', async () => {
    const access = await token();
    expect(await verifier.verifyAccess(access, CLAIMS.exp * 1000 - 1)).toBeDefined();
    expect(await verifier.verifyAccess(access, CLAIMS.exp * 1000)).toBeUndefined();
  });

  it('a token from a machine whose clock is a little ahead verifies', async () => {
    const ahead = { iat: NOW + 5, exp: NOW + 5 + ACCESS_TOKEN.lifetimeSeconds };
    expect(await verifier.verifyAccess(await token({}, ahead), START_MS)).toBeDefined();
  });

  it('a token does not verify after any change of one character', async () => {
    const text = await token();
    const flipped = Array.from(
      text,
      (character, at) => text.slice(0, at) + (character === 'A' ? 'B' : 'A') + text.slice(at + 1),
    );
    // The last character of a signature has unused bits: none of its neighbours may pass either.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_='.split('');
    const neighbours = alphabet.map((character) => text.slice(0, -1) + character).filter((changed) => changed !== text);
    const verified = await Promise.all(
      [...flipped, ...neighbours].map((changed) => verifier.verifyAccess(changed, START_MS)),
    );
    expect(verified.filter((claims) => claims !== undefined)).toEqual([]);
  });
});

describe('refused tokens', () => {
  it.each<readonly [string, object, object]>([
    ...Object.entries(INVALID_HEADERS).map(([name, header]) => [name, header, {}] as const),
    ...Object.entries(invalidClaims(NOW, PARTIES.audience)).map(([name, claims]) => [name, {}, claims] as const),
    ['an encoded payload as a critical extension', { crit: ['b64'], b64: true }, {}],
    ['another algorithm', { alg: 'ES384' }, {}],
    ['a subject that is a word', {}, { sub: 'admin' }],
    ['an expiry with a fraction', {}, { exp: NOW + 0.5 }],
    ['issued six seconds in the future', {}, { iat: NOW + 6, exp: NOW + 60 }],
  ])('a token is refused: %s', async (_, header, claims) => {
    expect(await verifier.verifyAccess(await token(header, claims), START_MS)).toBeUndefined();
  });

  it('a token signed by another key under the published key id is refused', async () => {
    expect(await verifier.verifyAccess(await token({}, {}, localSigner()), START_MS)).toBeUndefined();
  });

  it('a token that contains its own key is refused', async () => {
    const stranger = localSigner();
    const { jwk, kid: strangeKid } = await stranger.publicKey();
    expect(await verifier.verifyAccess(await token({ jwk, kid: strangeKid }, {}, stranger), START_MS)).toBeUndefined();
  });

  it('a token signed with the public key as a shared secret is refused', async () => {
    const { jwk } = await signer.publicKey();
    const input = `${encoded({ alg: 'HS256', kid, typ: 'at+jwt' })}.${encoded(CLAIMS)}`;
    const forged = `${input}.${createHmac('sha256', JSON.stringify(jwk)).update(input).digest('base64url')}`;
    expect(await verifier.verifyAccess(forged, START_MS)).toBeUndefined();
  });

  it('a token that is unsigned is refused', async () => {
    const unsigned = `${encoded({ alg: 'none', kid, typ: 'at+jwt' })}.${encoded(CLAIMS)}.`;
    expect(await verifier.verifyAccess(unsigned, START_MS)).toBeUndefined();
  });

  it.each(['', '.', '..', 'a.b.c', 'a.b', 'a.b.c.d.e', '😀', 'bnVsbA.bnVsbA.bnVsbA'])(
    'a token that is %j is refused',
    async (text) => {
      expect(await verifier.verifyAccess(text, START_MS)).toBeUndefined();
    },
  );

  it('a token that is longer than any of the service is refused', async () => {
    expect(await verifier.verifyAccess(await token({}, { padding: 'x'.repeat(4096) }), START_MS)).toBeUndefined();
  });

  it('a token is refused once its key is no longer published', async () => {
    const access = await token();
    const { jwk } = await signer.publicKey();
    const over = tokenVerifier({ ...PARTIES, keys: { read: async () => ({ kid, jwk, valid_until_seconds: NOW }) } });
    expect(await over.verifyAccess(access, START_MS)).toBeUndefined();
  });
});

describe('a refresh token that has expired', () => {
  it('an expired refresh token is still authentic, and may have been spent', async () => {
    const old = { iat: NOW - 72_000, exp: NOW - 36_000 };
    expect(await verifier.verifyRefresh(await token({ typ: 'rt+jwt' }, old), START_MS)).toMatchObject(old);
  });

  it.each<[string, object, object]>([
    ['of another issuer', {}, { iss: 'urn:else' }],
    ['without a session', {}, { sid: undefined }],
    ['that is not valid yet', {}, { nbf: NOW + 60 }],
    ['that lived longer than its kind', {}, { iat: NOW - 72_001 }],
    ['that is an access token', { typ: 'at+jwt' }, {}],
  ])('an expired refresh token is refused: %s', async (_, header, claims) => {
    const old = { iat: NOW - 72_000, exp: NOW - 36_000, ...claims };
    expect(await verifier.verifyRefresh(await token({ typ: 'rt+jwt', ...header }, old), START_MS)).toBeUndefined();
  });

  it('an expired refresh token signed by another key is refused', async () => {
    const old = { iat: NOW - 72_000, exp: NOW - 36_000 };
    const forged = await token({ typ: 'rt+jwt' }, old, localSigner());
    expect(await verifier.verifyRefresh(forged, START_MS)).toBeUndefined();
  });
});

describe('a withdrawn key', () => {
  const life = fc.array(fc.record({ seconds: fc.integer({ min: 0, max: 400 }), isPublished: fc.boolean() }));

  it('a withdrawn key is refused within five minutes by a function that remembers it', async () => {
    const access = await token();
    const published = { kid, jwk: (await signer.publicKey()).jwk, valid_until_seconds: NOW + 1_728_000 };
    const holds = fc.asyncProperty(life, async (steps) => {
      const now = { at: NOW, isPublished: true, lastPublishedAt: NOW };
      const read = async () => (now.isPublished ? published : undefined);
      const remembering = tokenVerifier({ ...PARTIES, keys: { read } });
      for (const { seconds, isPublished } of steps) {
        now.at += seconds;
        if (now.isPublished || isPublished) now.lastPublishedAt = now.at;
        now.isPublished = isPublished;
        const isAccepted = (await remembering.verifyAccess(access, now.at * 1000)) !== undefined;
        // In between, both outcomes are right: they depend on when the key was read.
        const [mayPass, mustPass] = [now.at - now.lastPublishedAt < 300, isPublished];
        expect([mustPass, isAccepted, mayPass]).toEqual([mustPass, mustPass || (isAccepted && mayPass), mayPass]);
      }
    });
    await fc.assert(holds, { numRuns: cases(200, 50) });
  });
});

describe('the key store', () => {
  it('a function reads a remembered key again once its published time is over', async () => {
    const { jwk } = await signer.publicKey();
    const keys = createWorld().stores.signingKeys;
    const remembering = tokenVerifier({ ...PARTIES, keys });
    await keys.publish({ kid, jwk, valid_until_seconds: NOW + 10 });
    const access = await token();
    expect(await remembering.verifyAccess(access, START_MS)).toBeDefined();
    expect(await remembering.verifyAccess(access, START_MS + 10_000)).toBeUndefined();
    await keys.publish({ kid, jwk, valid_until_seconds: NOW + 20 });
    expect(await remembering.verifyAccess(access, START_MS + 10_000)).toBeDefined();
  });

  const A42 = 'a'.repeat(42);
  it.each(['', A42, `${A42}aa`, `${A42}#`, `${A42}=`, `${A42}a\n`, 7, [[`${A42}a`]]])(
    'a key id has 43 characters of base64url, and none of another form is looked up: %j',
    async (odd) => {
      const asked: string[] = [];
      const keys = { read: async (id: string) => void asked.push(id) };
      await tokenVerifier({ ...PARTIES, keys }).verifyAccess(await token({ kid: odd }), START_MS);
      expect(asked).toEqual([]);
    },
  );

  it('a function reads a valid key once in five minutes', async () => {
    let reads = 0;
    const keys = { read: (id: string) => ((reads += 1), stores.signingKeys.read(id)) };
    const remembering = tokenVerifier({ ...PARTIES, keys });
    const access = await token();
    const after: number[] = [];
    for (const seconds of [0, 0, 299, 300, 599, 600]) {
      await remembering.verifyAccess(access, START_MS + seconds * 1000);
      after.push(reads);
    }
    expect(after).toEqual([1, 1, 1, 2, 2, 3]);
  });

  it('a key store that is down is a fault, not a refused token', async () => {
    const down = tokenVerifier({
      ...PARTIES,
      keys: { read: () => Promise.reject(new TemporarilyUnavailable('down')) },
    });
    await expect(down.verifyAccess(await token(), START_MS)).rejects.toThrow(TemporarilyUnavailable);
  });
});
