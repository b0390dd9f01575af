/**
 * Login sessions and signing keys against a model of them (§5), on the real stores over the table in memory: long random lives of
 * a user, a thief, an administrator and an operator, and requests that overlap in random orders of their store calls. Costs half a
 * minute of computing.
 */
import { describe, expect, it } from 'vitest';
import type { SigningKeyStore } from '../../../functions/auth/signing-keys.ts';
import type { PublishedKey } from '../../../functions/auth/tokens.ts';
import { tokenVerifier } from '../../../functions/auth/verify-token.ts';
import { overlapAtRandom } from '../sessions/interleave.ts';
import { SOUND, type System } from '../sessions/life.ts';
import { KEY_MOVES, liveAtRandom, MOVES, SESSION_MOVES } from '../sessions/moves.ts';
import { BROKEN } from '../sessions/variants.ts';
import { report, volume } from '../support/volume.ts';

const SEED = 20_260_102;

it.each([
  ['one login and one key', SESSION_MOVES],
  ['logins and keys', MOVES],
  ['keys that a running function remembers', KEY_MOVES],
] as const)('random lives with moves one after another match the model: %s', async (name, moves) => {
  const lives = volume(100, 5000);
  expect(await liveAtRandom(SOUND, moves, { lives, seed: SEED })).toBeUndefined();
  report(`sessions, ${name}: ${lives} random lives, 0 violations, seed ${SEED}`);
});

it('requests that overlap log no user out and keep no stolen session alive, in any order of their store calls', async () => {
  const schedules = volume(20, 2000);
  expect(await overlapAtRandom(SOUND, schedules, SEED)).toBeUndefined();
  report(`sessions, overlapping: ${schedules} schedules of each overlap, 0 violations, seed ${SEED}`);
});

describe('broken variants', () => {
  it.each(Object.entries(BROKEN))('a broken variant is caught: %s', async (name, variant) => {
    expect(await caughtIn(name, { ...SOUND, variant }, MOVES)).toBeDefined();
  });

  it.each([
    ['a remembered key is never read again', Infinity],
    ['a key is remembered for six minutes', 360_000],
  ])('a broken variant is caught: %s', async (name, rememberedMs) => {
    const verifier: typeof tokenVerifier = ({ keys, ...parties }) => {
      const read = rememberedFor(rememberedMs, keys.read);
      const at = (nowMs: number) => tokenVerifier({ ...parties, keys: { read: (kid) => read(kid, nowMs) } });
      return {
        verifyAccess: (token, nowMs) => at(nowMs).verifyAccess(token, nowMs),
        verifyRefresh: (token, nowMs) => at(nowMs).verifyRefresh(token, nowMs),
      };
    };
    const caught = await caughtIn(name, { ...SOUND, verifier }, KEY_MOVES);
    expect(caught).toContain('a running function lets pass what it must not');
  });

  it('a broken variant is caught: expired tokens are ignored', async () => {
    const verifier: typeof tokenVerifier = (trust) => {
      const { verifyAccess, verifyRefresh } = tokenVerifier(trust);
      const unexpired: typeof verifyRefresh = async (token, nowMs) => {
        const claims = await verifyRefresh(token, nowMs);
        return claims !== undefined && claims.exp * 1000 > nowMs ? claims : undefined;
      };
      return { verifyAccess, verifyRefresh: unexpired };
    };
    expect(await caughtIn('expired tokens are ignored', { ...SOUND, verifier }, MOVES)).toBeDefined();
  });
});

/** By a few lives, by overlaps, or by many lives: the cheapest search first. */
async function caughtIn(name: string, broken: System, moves: typeof MOVES): Promise<string | undefined> {
  const caught =
    (await liveAtRandom(broken, moves, { lives: 100, seed: SEED, shrink: false })) ??
    (await overlapAtRandom(broken, 20, SEED)) ??
    (await liveAtRandom(broken, moves, { lives: 3000, seed: SEED + 1, shrink: false }));
  report(`sessions, ${name}: caught by ${caught?.slice(0, 200)}`);
  return caught;
}

/** Asks again after this time, and not before. */
function rememberedFor(ms: number, read: SigningKeyStore['read']) {
  const known = new Map<string, { key: PublishedKey; readAtMs: number }>();
  return async (kid: string, nowMs: number) => {
    const found = known.get(kid);
    if (found && nowMs - found.readAtMs < ms) return found.key;
    const key = await read(kid);
    if (key) known.set(kid, { key, readAtMs: nowMs });
    return key;
  };
}
