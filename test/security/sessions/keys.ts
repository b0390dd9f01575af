/**
 * Signing keys by their number, and what verifies with them. The marked ones stand in where every position is tried: a
 * signature is the key's mark, and verification looks the key up by its `kid` among the published ones, as the real one does.
 */
import type { Signer } from '../../../functions/auth/tokens.ts';
import { ACCESS_TOKEN, REFRESH_TOKEN, secondsOf } from '../../../functions/auth/tokens.ts';
import type { TokenKind } from '../../../functions/auth/tokens.ts';
import type { tokenVerifier } from '../../../functions/auth/verify-token.ts';
import { readToken } from './token.ts';

export interface Keys {
  /** A function started just now, which signs with the key of this number and has yet to publish it. */
  readonly signer: (number: number) => Signer;
  readonly verifier: typeof tokenVerifier;
}

export const MARKED_KEYS: Keys = {
  signer: (number) => {
    const mark = String(number);
    const kid = mark.padStart(43, 'k');
    return {
      publicKey: async () => ({ kid, jwk: { kty: 'EC', crv: 'P-256', x: mark, y: '' } }),
      sign: async () => Buffer.from(mark),
    };
  },
  verifier: ({ keys }) => {
    const verify = (kind: TokenKind) => async (text: string, nowMs: number) => {
      const token = readToken(text);
      const key = await keys.read(token.kid);
      const isPublished = key !== undefined && key.valid_until_seconds > secondsOf(nowMs);
      const isSound = token.typ === kind.typ && token.exp > secondsOf(nowMs);
      return isPublished && isSound && key.jwk.x === markOf(text) ? token : undefined;
    };
    return { verifyAccess: verify(ACCESS_TOKEN), verifyRefresh: verify(REFRESH_TOKEN) };
  },
};

const markOf = (text: string): string => Buffer.from(text.split('.')[2] ?? '', 'base64url').toString();
