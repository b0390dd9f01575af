/** Real keys, really signed and verified with; each verifier is new and remembers no key. */
import type { Signer } from '../../../functions/auth/tokens.ts';
import { tokenVerifier } from '../../../functions/auth/verify-token.ts';
import { localSigner } from '../../kit/local-signer.ts';
import type { Keys } from './keys.ts';

const made = new Map<number, Signer>();

export const ES256_KEYS: Keys = {
  signer: (number) => ({ ...keyOf(number) }),
  verifier: tokenVerifier,
};

/** Made when it is first used: the key of a number is the same in every life. */
function keyOf(number: number): Signer {
  const key = made.get(number) ?? localSigner();
  made.set(number, key);
  return key;
}
