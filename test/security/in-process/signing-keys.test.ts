/** A signing key a day, for 45 days: tokens are valid all their life, and no key outlives them. Costs seconds. */
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { openSession } from '../../../functions/auth/sessions.ts';
import { publishingSigner } from '../../../functions/auth/signing-keys.ts';
import type { TokenPair } from '../../../functions/auth/tokens.ts';
import { tokenVerifier } from '../../../functions/auth/verify-token.ts';
import type { User } from '../../../functions/shared/model.ts';
import { localSigner } from '../../kit/local-signer.ts';
import { ADMIN, OWN } from '../support/data.ts';
import { routeOf } from '../support/target.ts';
import { createService, sendingTo, type Service } from '../support/world.ts';

const DAYS = 45;
const DAY_MS = 86_400_000;

async function adminOf(world: Service): Promise<User> {
  const users = await world.stores.directory.users(OWN, [ADMIN], true);
  return users.get(ADMIN) as User;
}

/** From the next login on, a new key signs tokens. */
async function rotate(world: Service): Promise<void> {
  world.services = { ...world.services, signer: publishingSigner(localSigner()) };
  world.send = sendingTo(world.services);
}

const logIn = async (world: Service): Promise<TokenPair> =>
  openSession(world.services, await adminOf(world), world.clock.now);

async function publishedKeys(world: Service): Promise<string[]> {
  const { text } = await world.send({ route: routeOf('get-jwks') });
  return (JSON.parse(text) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
}

const kidOf = (token: string) => decodeProtectedHeader(token).kid ?? '';
const lives = (token: string, nowMs: number) => (decodeJwt(token).exp ?? 0) * 1000 > nowMs;

/** Tokens that are accepted or refused for another reason than their expiry. */
async function misjudged(
  verifier: Service['services']['verifier'],
  issued: readonly { access: string; refresh: string }[],
  nowMs: number,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const { access, refresh } of issued) {
    if (((await verifier.verifyAccess(access, nowMs)) !== undefined) !== lives(access, nowMs)) wrong.push(access);
    // One that has expired is authentic still: it ends its session if it was spent.
    if (lives(refresh, nowMs) && (await verifier.verifyRefresh(refresh, nowMs)) === undefined) wrong.push(refresh);
  }
  return wrong;
}

describe(`a key a day for ${DAYS} days`, () => {
  it('every token verifies for its whole life, by verifiers that remember keys and by those that do not', async () => {
    const world = await createService();
    const remembering = world.services.verifier;
    const issued: { access: string; refresh: string }[] = [];
    for (let day = 0; day < DAYS; day += 1) {
      await rotate(world);
      const { access_token, refresh_token } = await logIn(world);
      issued.push({ access: access_token, refresh: refresh_token });
      // Just before and just after each hour of expiry: tokens live 20 days or 10 hours to the second.
      for (const hours of [9.999, 0.002, 13.999]) {
        world.clock.now += hours * 3_600_000;
        const fresh = tokenVerifier({ ...world.parties, keys: world.stores.signingKeys });
        for (const verifier of [remembering, fresh])
          expect(await misjudged(verifier, issued, world.clock.now)).toEqual([]);
      }
    }
  });

  it('the JWK set has every needed key, and no key for more than two days longer', async () => {
    const world = await createService();
    const issued: { kid: string; expiresMs: number }[] = [];
    let largest = 0;
    for (let day = 0; day < DAYS; day += 1) {
      await rotate(world);
      const { access_token } = await logIn(world);
      issued.push({ kid: kidOf(access_token), expiresMs: (decodeJwt(access_token).exp ?? 0) * 1000 });
      const keys = await publishedKeys(world);
      largest = Math.max(largest, keys.length);
      const needed = issued.filter(({ expiresMs }) => expiresMs > world.clock.now).map(({ kid }) => kid);
      const overdue = issued.filter(({ expiresMs }) => expiresMs + 2 * DAY_MS <= world.clock.now);
      expect(needed.filter((kid) => !keys.includes(kid))).toEqual([]);
      expect(overdue.filter(({ kid }) => keys.includes(kid))).toEqual([]);
      world.clock.now += DAY_MS;
    }
    expect(largest).toBeLessThanOrEqual(22);
  });
});
