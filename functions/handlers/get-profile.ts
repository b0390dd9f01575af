import { sessionOperation } from '../http/handler.ts';
import type { ApiRequest, ApiResponse, SessionCaller } from '../http/types.ts';

/** The interface has the member; what the store holds is a hash and never leaves it. */
const PASSWORD_MASK = '********';

/** `GET /api/v1/auth/profile` (§2.4): the caller's own profile. */
export async function getProfile(request: ApiRequest & { readonly caller: SessionCaller }): Promise<ApiResponse> {
  const { user_id, email, name, role, avatar } = request.caller.user;
  return { statusCode: 200, body: { id: user_id, email, password: PASSWORD_MASK, name, role, avatar } };
}

export const handler = sessionOperation(getProfile);
