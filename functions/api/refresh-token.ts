import { RequestRejected, type ApiRequest, type ApiResponse } from '../runtime/http.ts';
import { kmsSigner } from '../runtime/kms-signer.ts';
import { liveServices } from '../runtime/live-services.ts';
import { publicOperation } from '../runtime/operation.ts';
import type { Services } from '../runtime/services.ts';
import { textMember } from '../runtime/text-member.ts';
import { refreshSession } from '../workflow/sessions.ts';
import { tokenVerifier } from '../workflow/verify-token.ts';

/** `POST /api/v1/auth/refresh-token` (§5 point 4): a refresh token for a new token pair. */
export async function refreshToken(request: ApiRequest, services: Services): Promise<ApiResponse> {
  const presented = textMember(request.json(), 'refreshToken');
  const nowMs = services.clock.nowMs();
  const claims = await services.verifier.verifyRefresh(presented, nowMs);
  const tokens = claims && (await refreshSession({ ...services, ...services.stores }, claims, nowMs));
  if (!tokens) throw new RequestRejected('unauthorized', 'A valid refresh token is required.');
  return { statusCode: 201, body: tokens };
}

export const handler = publicOperation(refreshToken, liveServices({ signer: kmsSigner, verifier: tokenVerifier }));
