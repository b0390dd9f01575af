/** The publication of the signing key. In memory; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { publishingSigner } from '../../functions/auth/signing-keys.ts';
import { ACCESS_TOKEN } from '../../functions/auth/tokens.ts';
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

  it('the publication is written only when the published time runs out', async () => {
    let writes = 0;
    const keys = { publish: async () => void (writes += 1) };
    const fresh = publishingSigner(localSigner());
    for (let hour = 0; hour < 24; hour += 1) await fresh.publish(keys, NOW + hour * 3600);
    expect(writes).toBe(1);
  });

  it('a publication that failed is forgotten, and the key is published the next time', async () => {
    const signer = publishingSigner(localSigner());
    const { signingKeys } = createWorld().stores;
    const down = { publish: () => Promise.reject(new Error('down')) };
    await expect(signer.publish(down, NOW)).rejects.toThrow('down');
    const kid = await signer.publish(signingKeys, NOW);
    expect(await signingKeys.list()).toEqual([expect.objectContaining({ kid })]);
  });
});
