import { accessStore, sessionStore } from '../auth/access-store.ts';
import { refreshSession } from '../auth/sessions.ts';
import { deployedVerifier } from '../auth/verify-token.ts';
import { subjectOf } from '../http/authorise.ts';
import { refreshRequest } from '../http/auth-bodies.ts';
import { issuingOperation } from '../http/issuing.ts';
import { bodyOf } from '../http/json-body.ts';
import { countWithPoints } from '../runtime/metrics.ts';
import { takesPasswords } from '../runtime/variables.ts';
import { RequestRejected } from '../http/types.ts';
import { MAX_LOGIN_BODY_BYTES } from '../shared/limits.ts';

const SPENT = 'This refresh token was spent earlier, so its session has been ended. Log in again.';

/** `POST /api/v1/auth/refresh-token` (§5 point 4): a refresh token for a new token pair. */
export const handler = issuingOperation(
  (database, environment) => ({
    verifier: deployedVerifier(database, environment),
    stores: {
      access: accessStore(database, { passwords: takesPasswords(environment) }),
      sessions: sessionStore(database),
    },
  }),
  async (request, services) => {
    const { refreshToken: presented } = bodyOf(refreshRequest, request, MAX_LOGIN_BODY_BYTES);
    const nowMs = services.clock.nowMs();
    const claims = await services.verifier.verifyRefresh(presented, nowMs);
    const subject = claims && subjectOf(claims);
    const tokens = claims && (await refreshSession(services, claims, nowMs));
    if (tokens === 'theft' || tokens === 'spent') {
      // Once a session: the second tab of somebody who logged out has a spent token, too.
      if (tokens === 'theft') countWithPoints(services.telemetry, 'SpentTokensUsed');
      throw new RequestRejected('unauthorized', SPENT, { subject });
    }
    if (tokens === undefined)
      throw new RequestRejected('unauthorized', 'A valid refresh token is required.', { subject });
    return { statusCode: 201, body: tokens, ...(subject && { subject }) };
  },
);
