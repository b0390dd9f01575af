import { describe, expect, it } from 'vitest';
import type { EveryStore } from '../../kit/services.ts';
import { freshCompany, session } from '../samples.ts';

const NOW = 1_800_000_000_000;
const WINDOW = 300_000;

const next = (session_id: string, jti: string) => session(session_id, { current: { jti, iat: 2, exp: 3 } });

export function authenticationStoresContract(stores: () => EveryStore): void {
  const freshId = freshCompany;
  const fail = (key: string, now = NOW) => stores().throttle.recordFailure(key, 10, WINDOW, now);
  const failures = async (key: string, now: number) => (await stores().throttle.failures([key], now)).get(key);

  describe('sessions', () => {
    it('a session is read as created; an unknown one is absent', async () => {
      const id = freshId();
      await stores().sessions.create(session(id));
      expect(await stores().sessions.read(id)).toEqual(session(id));
      expect(await stores().sessions.read(freshId())).toBeUndefined();
    });

    it('a session rotates only from the token that is current', async () => {
      const id = freshId();
      await stores().sessions.create(session(id));
      expect(await stores().sessions.rotate(next(id, 'second'), 'zeroth')).toBe(false);
      expect(await stores().sessions.rotate(next(id, 'second'), 'first')).toBe(true);
      expect(await stores().sessions.read(id)).toEqual(next(id, 'second'));
    });

    it('a session rotates once when many calls race', async () => {
      const id = freshId();
      await stores().sessions.create(session(id));
      const rotated = await Promise.all(
        Array.from({ length: 10 }, (_, i) => stores().sessions.rotate(next(id, `n${i}`), 'first')),
      );
      expect(rotated.filter(Boolean)).toHaveLength(1);
    });

    it('a revoked session stays revoked', async () => {
      const id = freshId();
      await stores().sessions.create(session(id));
      await stores().sessions.revoke(id);
      expect(await stores().sessions.rotate(next(id, 'second'), 'first')).toBe(false);
      expect(await stores().sessions.read(id)).toEqual(session(id, { revoked: true }));
    });

    it('a session is not created by revoking or rotating', async () => {
      const id = freshId();
      await stores().sessions.revoke(id);
      expect(await stores().sessions.rotate(session(id), 'first')).toBe(false);
      expect(await stores().sessions.read(id)).toBeUndefined();
    });
  });

  describe('the login throttle', () => {
    it('failures are counted in a window that starts with the first one and is not moved by later ones', async () => {
      const key = freshId();
      await fail(key);
      await fail(key, NOW + 1000);
      expect(await failures(key, NOW + WINDOW - 1)).toEqual({ count: 2, window_ends_ms: NOW + WINDOW });
      expect(await failures(key, NOW + WINDOW)).toBeUndefined();
    });

    it('a failure opens a fresh window once the old one is over', async () => {
      const key = freshId();
      for (let i = 0; i < 11; i += 1) await fail(key);
      expect(await fail(key, NOW + WINDOW - 1)).toBe(false);
      expect(await fail(key, NOW + WINDOW)).toBe(true);
      expect(await failures(key, NOW + WINDOW)).toEqual({ count: 1, window_ends_ms: NOW + 2 * WINDOW });
    });

    it('a cleared key is forgotten, and an unknown one may be cleared', async () => {
      const key = freshId();
      expect(await stores().throttle.clear(key, 10, NOW)).toBe(true);
      await fail(key);
      expect(await stores().throttle.clear(key, 10, NOW)).toBe(true);
      expect(await failures(key, NOW)).toBeUndefined();
    });

    it('a key that has reached the limit is not forgotten until its window is over', async () => {
      const key = freshId();
      for (let i = 0; i < 10; i += 1) await fail(key);
      expect(await stores().throttle.clear(key, 10, NOW)).toBe(false);
      expect(await stores().throttle.clear(key, 10, NOW + WINDOW)).toBe(true);
    });
  });

  describe('signing keys', () => {
    const jwk = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' } as const;

    it('signing keys are read by id and listed', async () => {
      const key = { kid: freshId(), jwk, valid_until_seconds: 2_000_000_000 };
      await stores().signingKeys.publish(key);
      expect(await stores().signingKeys.read(key.kid)).toEqual(key);
      expect(await stores().signingKeys.list()).toContainEqual(key);
      expect(await stores().signingKeys.read(freshId())).toBeUndefined();
    });

    it('a signing key is valid for the longest time that was ever published', async () => {
      const kid = freshId();
      for (const valid_until_seconds of [10, 30, 20])
        await stores().signingKeys.publish({ kid, jwk, valid_until_seconds });
      expect((await stores().signingKeys.read(kid))?.valid_until_seconds).toBe(30);
    });
  });
}
