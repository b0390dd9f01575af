/** The publication of the signing key. In memory; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { publishingSigner } from '../../functions/auth/signing-keys.ts';
import { ACCESS_TOKEN, type PublishedKey } from '../../functions/auth/tokens.ts';
import { signingKeyKey } from '../../functions/dynamodb/table.ts';
import { secondsOf } from '../../functions/runtime/system.ts';
import { localSigner } from '../kit/local-signer.ts';
import { createWorld, START_MS } from '../kit/world.ts';

const NOW = secondsOf(START_MS);

describe('the published key', () => {
  it('the key is published for longer than any token it signed can live', async () => {
    const signer = publishingSigner(localSigner());
    const { signingKeys } = createWorld().stores;
    const { kid } = await signer.publicKey();
    for (const days of [0, 10, 18, 19, 20, 40, 60]) {
      const now = NOW + days * 86_400;
      expect(await signer.publish(signingKeys, now)).toBe(kid);
      expect((await signingKeys.read(kid))?.valid_until_seconds).toBeGreaterThanOrEqual(
        now + ACCESS_TOKEN.lifetimeSeconds,
      );
    }
  });

  it('the publication is written once a day, and looked at every five minutes', async () => {
    const { signingKeys } = createWorld().stores;
    const calls = { publish: 0, read: 0 };
    const keys = {
      publish: (key: PublishedKey) => ((calls.publish += 1), signingKeys.publish(key)),
      read: (kid: string) => ((calls.read += 1), signingKeys.read(kid)),
    };
    const fresh = publishingSigner(localSigner());
    for (let minute = 0; minute < 24 * 60; minute += 1) await fresh.publish(keys, NOW + minute * 60);
    expect(calls).toEqual({ publish: 1, read: 287 });
  });

  it('a key whose item is deleted is published again within five minutes, and reported', async () => {
    let missing = 0;
    const signer = publishingSigner(localSigner(), () => (missing += 1));
    const { stores, table } = createWorld();
    const kid = await signer.publish(stores.signingKeys, NOW);
    table.write(signingKeyKey(kid), undefined);
    await signer.publish(stores.signingKeys, NOW + 299);
    expect([await stores.signingKeys.list(), missing]).toEqual([[], 0]);
    await signer.publish(stores.signingKeys, NOW + 300);
    expect([await stores.signingKeys.list(), missing]).toEqual([[expect.objectContaining({ kid })], 1]);
    await signer.publish(stores.signingKeys, NOW + 600);
    expect(missing).toBe(1);
  });

  it('a publication that failed is forgotten, and the key is published the next time', async () => {
    const signer = publishingSigner(localSigner());
    const { signingKeys } = createWorld().stores;
    const down = { ...signingKeys, publish: () => Promise.reject(new Error('down')) };
    await expect(signer.publish(down, NOW)).rejects.toThrow('down');
    const kid = await signer.publish(signingKeys, NOW);
    expect(await signingKeys.list()).toEqual([expect.objectContaining({ kid })]);
  });
});
