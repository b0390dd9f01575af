/** The user, and the state that clients keep of a login or a refresh. */
import type { TokenClaims, TokenPair } from '../../../functions/auth/tokens.ts';
import type { User } from '../../../functions/shared/model.ts';

export const USER: User = {
  company_id: 'acme',
  user_id: 1,
  email: 'a@acme.test',
  name: 'A',
  role: 'admin',
  avatar: '',
  license: 'active',
};
/** A token as a client keeps it: its text and its claims (§5 point 1). */
export interface Token extends TokenClaims {
  readonly text: string;
  readonly kid: string;
}

/** The state that a client keeps of a login or a refresh. */
export interface ClientTokens {
  readonly access: Token;
  readonly refresh: Token;
}

export const clientTokensOf = ({ access_token, refresh_token }: TokenPair): ClientTokens => ({
  access: readToken(access_token),
  refresh: readToken(refresh_token),
});

/** Reads without verifying. */
function readToken(text: string): Token {
  const [header = '', payload = ''] = text.split('.');
  const { kid } = decoded(header);
  const { sub, sid: session_id, company_id, email, jti, iat, exp } = decoded(payload);
  return { text, kid, user_id: Number(sub), session_id, company_id, email, jti, iat, exp };
}

// oxlint-disable-next-line typescript/no-explicit-any -- read member by member
const decoded = (part: string): any => JSON.parse(Buffer.from(part, 'base64url').toString());
