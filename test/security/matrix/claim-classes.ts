/** Tokens of our key with a header or claims that we do not issue: missing, wrong, of another type, early or late. */
import { INVALID_HEADERS, invalidClaims } from '../../kit/invalid-tokens.ts';
import { localSigner } from '../../kit/local-signer.ts';
import { secondsOf } from '../../../functions/runtime/system.ts';
import { signed, sessionDraft } from '../support/forge.ts';
import { OTHER } from '../support/data.ts';
import { ADMIN_OF_OWN, drafted, type TokenClass, withClaims, withHeader } from './token-class.ts';

/** Signed by a former key of ours that is published no longer. */
const retiredKey: TokenClass = {
  name: 'a retired key',
  outcome: 'refused',
  async make(target, kind) {
    const retired = localSigner();
    const { kid, jwk } = await retired.publicKey();
    await target.stores.signingKeys.publish({ kid, jwk, valid_until_seconds: secondsOf(target.nowMs()) });
    const { header, claims } = await sessionDraft(target, ADMIN_OF_OWN, kind);
    return signed({ header: { ...header, kid }, claims }, retired);
  },
};

const invalid = (name: string): TokenClass =>
  drafted(name, ({ header, claims }, target) => ({
    header,
    claims: { ...claims, ...invalidClaims(secondsOf(target.nowMs()), target.parties.audience)[name] },
  }));

/** KMS signs 4,096 bytes at most: only a key in this process signs such a token. */
function tooLongForKms(tokenClass: TokenClass): TokenClass {
  return { ...tokenClass, inProcessOnly: true };
}

export const CLAIM_CLASSES: readonly TokenClass[] = [
  ...Object.keys(invalidClaims(0, '')).map(invalid),
  ...Object.entries(INVALID_HEADERS).map(([name, members]) => withHeader(name, members)),
  withClaims("another user's id", { sub: '2' }),
  withClaims('an unknown session', { sid: 'f'.repeat(32) }),
  withClaims('a hostile session', { sid: '__proto__' }),
  withClaims('another company', { company_id: OTHER }),
  withClaims('a company that breaks out of a key', { company_id: 'acme#user' }),
  withClaims("another user's e-mail", { email: 'ben.castillo@acme.test' }),
  withClaims('an e-mail that no user has', { email: 'nobody@acme.test' }),
  tooLongForKms(withHeader('a kid of 3 KB', { kid: 'A'.repeat(3000) })),
  retiredKey,
  tooLongForKms(withClaims('a token longer than any of ours', { padding: 'x'.repeat(4096) })),
];
