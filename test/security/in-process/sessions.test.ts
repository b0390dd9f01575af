/**
 * Login sessions and signing keys against a model of them (§5): every sequence of moves of a user, a thief, an administrator and
 * an operator to a stated depth, every interleaving of requests that overlap, and long random lives, also with real keys. Costs
 * half a minute of computing.
 */
import { describe, expect, it } from 'vitest';
import type { SigningKeyStore } from '../../../functions/auth/signing-keys.ts';
import type { PublishedKey } from '../../../functions/auth/tokens.ts';
import { tokenVerifier } from '../../../functions/auth/verify-token.ts';
import { type Keys, type System, ES256_KEYS, MARKED_KEYS } from '../sessions/bench.ts';
import { explore, liveAtRandom } from '../sessions/explore.ts';
import { KEY_MOVES, MOVES, SESSION_MOVES } from '../sessions/moves.ts';
import { everyOverlap } from '../sessions/interleave.ts';
import { BROKEN, SOUND_SERVICES } from '../sessions/variants.ts';
import { report, volume } from '../support/volume.ts';

const SOUND: System = { variant: SOUND_SERVICES, keys: MARKED_KEYS };
const SEED = 20_260_102;

describe('moves one after another', () => {
  it.each([
    ['one login and one key', volume(12, 16), SESSION_MOVES],
    ['logins and keys', volume(8, 9), MOVES],
  ] as const)('of %s hold to the model in every order, to a depth of %i', async (name, depth, moves) => {
    const { violation, ...walked } = await explore(SOUND, moves, depth);
    expect(violation).toBeUndefined();
    report(`sessions, ${name}: ${walked.positions} positions, ${walked.moves} moves, depth ${depth}, 0 violations`);
  });

  it('of what a running function remembers of keys hold to the model, with ES256 keys', async () => {
    const depth = volume(6, 8);
    const { violation, ...walked } = await explore({ ...SOUND, keys: ES256_KEYS }, KEY_MOVES, depth);
    expect(violation).toBeUndefined();
    report(
      `sessions, remembered keys: ${walked.positions} positions, ${walked.moves} moves, depth ${depth}, 0 violations`,
    );
  });

  it.each([
    ['marked keys', volume(2000, 20_000), MARKED_KEYS],
    ['ES256 keys', volume(300, 3000), ES256_KEYS],
  ] as const)('with %s hold to the model over %i long random lives', async (name, lives, keys) => {
    const { violation, moves } = await liveAtRandom({ ...SOUND, keys }, lives, SEED);
    expect(violation).toBeUndefined();
    report(`sessions, at random, ${name}: ${lives} lives, ${moves} moves, 0 violations, seed ${SEED}`);
  });
});

it('requests that overlap log nobody out and let no stolen session live, in every interleaving of their store calls', async () => {
  const { schedules, violation } = await everyOverlap(SOUND);
  expect(violation).toBeUndefined();
  report(`sessions, overlapping: ${schedules} interleavings of three and four requests, 0 violations`);
});

describe('a broken variant is caught', () => {
  it.each(Object.entries(BROKEN))('%s', async (name, variant) => {
    const caught = await caughtIn({ ...SOUND, variant });
    expect(caught).toBeDefined();
    report(`sessions, ${name}: caught by "${caught}"`);
  });

  it.each([
    ['a remembered key is never read again', Infinity],
    ['a key is remembered for six minutes', 360_000],
  ])('%s', async (name, rememberedMs) => {
    const verifier: Keys['verifier'] = ({ keys, ...parties }) => {
      const read = rememberedFor(rememberedMs, keys.read);
      const at = (nowMs: number) => tokenVerifier({ ...parties, keys: { read: (kid) => read(kid, nowMs) } });
      return {
        verifyAccess: (token, nowMs) => at(nowMs).verifyAccess(token, nowMs),
        verifyRefresh: (token, nowMs) => at(nowMs).verifyRefresh(token, nowMs),
      };
    };
    const caught = await explore({ ...SOUND, keys: { ...ES256_KEYS, verifier } }, KEY_MOVES, 5);
    expect(caught.violation).toContain('a running function lets pass what it must not');
    report(`sessions, ${name}: caught by "${caught.violation}"`);
  });

  it('expired tokens are not looked at', async () => {
    const verifier: Keys['verifier'] = (trust) => {
      const { verifyAccess, verifyRefresh } = MARKED_KEYS.verifier(trust);
      const unexpired: typeof verifyRefresh = async (token, nowMs) => {
        const claims = await verifyRefresh(token, nowMs);
        return claims !== undefined && claims.exp * 1000 > nowMs ? claims : undefined;
      };
      return { verifyAccess, verifyRefresh: unexpired };
    };
    const caught = await caughtIn({ ...SOUND, keys: { ...MARKED_KEYS, verifier } });
    expect(caught).toBeDefined();
    report(`sessions, expired tokens are not looked at: caught by "${caught}"`);
  });
});

async function caughtIn(broken: System): Promise<string | undefined> {
  return (await explore(broken, MOVES, 4)).violation ?? (await everyOverlap(broken)).violation;
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
