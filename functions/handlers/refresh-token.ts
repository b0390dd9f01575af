import { kmsSigner } from '../auth/kms-signer.ts';
import { refreshSession } from '../auth/sessions.ts';
import { verifierOf } from '../auth/verify-token.ts';
import { subjectOf } from '../http/authorise.ts';
import { refreshRequest } from '../http/bodies.ts';
import { membersOf } from '../http/request.ts';
import { publicOperation } from '../http/chain.ts';
import { RequestRejected } from '../http/types.ts';
import type { PublicOperation } from '../http/types.ts';
import { liveServices } from '../services/services.ts';
import type { ServicesWith } from '../services/services.ts';

/** The message for the bearer of an authentic token. */
const SPENT = 'This refresh token was spent earlier, so its session has been ended. Log in again.';

/** `POST /api/v1/auth/refresh-token` (§5 point 4): a refresh token for a new token pair. */
export const refreshToken: PublicOperation<ServicesWith<'signer' | 'verifier'>> = async (request, services) => {
  const { refreshToken: presented } = membersOf(refreshRequest, request.json());
  const nowMs = services.clock.nowMs();
  const claims = await services.verifier.verifyRefresh(presented, nowMs);
  const subject = claims && subjectOf(claims);
  const tokens = claims && (await refreshSession(services, claims, nowMs));
  if (tokens === 'spent') throw new RequestRejected('unauthorized', SPENT, { subject });
  if (tokens === undefined)
    throw new RequestRejected('unauthorized', 'A valid refresh token is required.', { subject });
  return { statusCode: 201, body: tokens, ...(subject && { subject }) };
};

export const handler = publicOperation(
  refreshToken,
  liveServices((environment, core) => ({ signer: kmsSigner(environment, core), verifier: verifierOf(core) })),
);
