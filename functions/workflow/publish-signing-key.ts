/** No token leaves before everyone can verify it for all of its life. */
import type { Signer, SigningKeyStore } from './ports.ts';
import { ACCESS_TOKEN } from './tokens.ts';

const DAY_SECONDS = 86_400;
/** Renewed while there is still more than a token's life left, so that clocks and retries never matter. */
const MARGIN_SECONDS = DAY_SECONDS;
/** A retired key leaves the set at most two days after the last token it signed. */
const PUBLISHED_FOR_SECONDS = ACCESS_TOKEN.lifetimeSeconds + MARGIN_SECONDS + DAY_SECONDS;

const published = new WeakMap<Signer, { kid: string; validUntilSeconds: number }>();

/** Makes sure the signer's public key is published for longer than any token issued now can live; answers its `kid`. */
export async function publishSigningKey(
  signer: Signer,
  keys: Pick<SigningKeyStore, 'publish'>,
  nowSeconds: number,
): Promise<string> {
  const needed = nowSeconds + ACCESS_TOKEN.lifetimeSeconds + MARGIN_SECONDS;
  const known = published.get(signer);
  if (known && known.validUntilSeconds >= needed) return known.kid;
  const { kid, jwk } = await signer.publicKey();
  const validUntilSeconds = nowSeconds + PUBLISHED_FOR_SECONDS;
  await keys.publish({ kid, jwk, valid_until_seconds: validUntilSeconds });
  published.set(signer, { kid, validUntilSeconds });
  return kid;
}
