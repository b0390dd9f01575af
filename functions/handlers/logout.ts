import { sessionStore } from '../auth/access-store.ts';
import type { SessionStore } from '../auth/access-store.ts';
import { callerServices, sessionOperation } from '../http/operations.ts';
import type { SessionOperation, With } from '../http/types.ts';

/** `POST /api/v1/auth/logout`: ends the session of the access token, with all its tokens, from the next request on. */
export const logout: SessionOperation<With<{ sessions: SessionStore }>> = async ({ caller }, { stores }) => {
  await stores.sessions.revoke(caller.session.session_id);
  return { statusCode: 204 };
};

export const handler = sessionOperation(
  logout,
  callerServices((database) => ({ stores: { sessions: sessionStore(database) } })),
);
