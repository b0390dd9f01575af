import { sessionStore } from '../auth/access-store.ts';
import { expectNoBody } from '../http/json-body.ts';
import { sessionOperation } from '../http/operations.ts';

/** `POST /api/v1/auth/logout`: ends the session of the access token, with all its tokens, from the next request on. */
export const handler = sessionOperation(
  (database) => ({ stores: { sessions: sessionStore(database) } }),
  async (request, { stores }) => {
    expectNoBody(request);
    await stores.sessions.revoke(request.caller.session.session_id);
    return { statusCode: 204 };
  },
);
