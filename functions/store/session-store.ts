import type { Session, SessionStore } from '../workflow/ports.ts';
import { allOf, equals, isPresent } from './conditions.ts';
import type { Database, Item } from './database.ts';
import { type Key, sessionKey } from './keys.ts';
import { getItem, putItem, updateItem } from './single-item.ts';
import { TABLE } from '../runtime/environment.ts';

/** Login sessions (§5). A session changes only by compare-and-set on its current refresh token, so no rotation is lost. */
export function sessionStore(database: Database): SessionStore {
  return {
    async read(session_id) {
      const item = await getItem(database, sessionKey(session_id));
      return item && unpackSession(item);
    },

    async create(session) {
      await putItem(database, packSession(session));
    },

    rotate(session, expected_jti) {
      const stillCurrent = equals('current.jti', expected_jti);
      const notRevoked = equals('revoked', false);
      return putItem(database, packSession(session), allOf(stillCurrent, notRevoked));
    },

    async revoke(session_id) {
      const stillKept = isPresent(TABLE.partitionKey);
      await updateItem(database, sessionKey(session_id), { set: { revoked: true }, when: stillKept });
    },
  };
}

export function unpackSession(item: Item): Session {
  const { session_id, company_id, user_id, email, revoked, current, spent, expires_at_seconds } =
    item as unknown as Session;
  return { session_id, company_id, user_id, email, revoked, current, spent, expires_at_seconds };
}

/** `expires_at_seconds` is the table's expiry attribute as well. */
function packSession(session: Session): Key & Item {
  return { ...sessionKey(session.session_id), ...session };
}
