import { sessionStore } from '../auth/access-store.ts';
import type { SessionStore } from '../auth/access-store.ts';
import { jsonBody } from '../http/json-body.ts';
import { expectNoBody } from '../http/known-names.ts';
import { callerServices, sessionOperation } from '../http/operations.ts';
import type { ReadsBody, SessionOperation, With } from '../http/types.ts';

/** `POST /api/v1/auth/logout`: ends the session of the access token, with all its tokens, from the next request on. */
export const logout: SessionOperation<With<{ sessions: SessionStore }, ReadsBody>> = async (request, { stores }) => {
  expectNoBody(request);
  await stores.sessions.revoke(request.caller.session.session_id);
  return { statusCode: 204 };
};

export const handler = sessionOperation(
  logout,
  callerServices((database) => ({ readBody: jsonBody, stores: { sessions: sessionStore(database) } })),
);
