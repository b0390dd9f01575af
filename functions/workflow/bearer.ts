/** A token is no blank cheque: its user must still be there and active, and its session must still stand. */
import type { User } from '../domain/model.ts';
import type { Session } from './ports.ts';
import type { TokenClaims } from './tokens.ts';

/** Whether session and user, as stored now, are the very ones the token was issued for and may still act. */
export function isActiveBearer(claims: TokenClaims, session: Session, user: User | undefined): user is User {
  return (
    standsFor(claims, session) && user !== undefined && user.license === 'active' && user.user_id === claims.user_id
  );
}

function standsFor(claims: TokenClaims, session: Session): boolean {
  const sameBearer = session.user_id === claims.user_id && session.company_id === claims.company_id;
  return !session.revoked && session.session_id === claims.session_id && sameBearer;
}
