/** Token pairs as a client keeps them: the texts that it presents, and what they say (§5 point 1). */
import type { TokenClaims, TokenPair } from '../../../functions/auth/tokens.ts';

export interface Token extends TokenClaims {
  readonly text: string;
  readonly kid: string;
  readonly typ: string;
}

/** What a client keeps of a login or a refresh. */
export interface Held {
  readonly access: Token;
  readonly refresh: Token;
}

export const heldOf = ({ access_token, refresh_token }: TokenPair): Held => ({
  access: readToken(access_token),
  refresh: readToken(refresh_token),
});

/** The same few texts are read again and again. */
const known = new Map<string, Token>();
const MOST_KNOWN = 10_000;

/** Reads without verifying. */
export function readToken(text: string): Token {
  const token = known.get(text) ?? decodedToken(text);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, token);
  return token;
}

function decodedToken(text: string): Token {
  const [header = '', payload = ''] = text.split('.');
  const { kid, typ } = decoded(header);
  const { sub, sid: session_id, company_id, email, jti, iat, exp } = decoded(payload);
  const claims = { user_id: Number(sub), session_id, company_id, email, jti, iat, exp };
  return { text, kid, typ, ...claims } as unknown as Token;
}

const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
