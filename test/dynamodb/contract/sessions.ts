import { describe, expect, it } from 'vitest';
import type { EveryStore } from '../../kit/services.ts';
import { freshCompany, session } from '../samples.ts';

const NOW = 1_800_000_000_000;
const WINDOW = 300_000;

export function authenticationStoresContract(stores: () => EveryStore): void {
  const freshId = freshCompany;
  const fail = (key: string, now = NOW) => stores().throttle.recordFailure(key, 10, WINDOW, now);
  const failures = async (key: string, now: number) => (await stores().throttle.windows([key], now))[0];

  describe('sessions', () => {
    it('a session is read as created; an unknown one is absent', async () => {
      const id = freshId();
      await stores().sessions.create(session(id));
      expect(await stores().sessions.read(id)).toEqual(session(id));
      expect(await stores().sessions.read(freshId())).toBeUndefined();
    });

    it('a session rotates once when many calls race', async () => {
      const id = freshId();
      await stores().sessions.create(session(id));
      const next = (jti: string) => session(id, { current: { jti, iat: 2, exp: 3 } });
      const rotated = await Promise.all(
        Array.from({ length: 10 }, (_, i) => stores().sessions.rotate(next(`n${i}`), 'first')),
      );
      expect(rotated.filter(Boolean)).toHaveLength(1);
    });

    it('a revoked session stays revoked', async () => {
      const id = freshId();
      await stores().sessions.create(session(id));
      for (const isEnded of [true, false]) expect(await stores().sessions.revoke(id)).toBe(isEnded);
      expect(await stores().sessions.rotate(session(id), 'first')).toBe(false);
      expect(await stores().sessions.read(id)).toEqual(session(id, { revoked: true }));
    });

    it('a session is not created by revoking or rotating', async () => {
      const id = freshId();
      expect(await stores().sessions.revoke(id)).toBe(false);
      expect(await stores().sessions.rotate(session(id), 'first')).toBe(false);
      expect(await stores().sessions.read(id)).toBeUndefined();
    });
  });

  describe('the login throttle', () => {
    it('a failure opens a fresh window once the old one is over', async () => {
      for (const count of [2, 11]) {
        const key = freshId();
        for (let i = 0; i < count; i += 1) await fail(key);
        expect(await fail(key, NOW + WINDOW - 1)).toBe(count < 10);
        expect(await fail(key, NOW + WINDOW)).toBe(true);
        expect(await failures(key, NOW + WINDOW)).toEqual({ failures: 1, window_ends_ms: NOW + 2 * WINDOW });
      }
    });
  });

  describe('signing keys', () => {
    const jwk = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' } as const;

    it('a signing key is valid for the longest time that was ever published', async () => {
      const kid = freshId();
      for (const valid_until_seconds of [10, 30, 20])
        await stores().signingKeys.publish({ kid, jwk, valid_until_seconds });
      expect((await stores().signingKeys.read(kid))?.valid_until_seconds).toBe(30);
    });
  });
}
