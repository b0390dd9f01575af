import { sessionOperation } from '../http/operations.ts';

/** The interface has the member; the store has only a hash, which never leaves it. */
const PASSWORD_MASK = '********';

/** `GET /api/v1/auth/profile` (§2.4): the caller's own profile. */
export const handler = sessionOperation(
  () => ({ stores: {} }),
  async ({ caller }) => {
    const { user_id, email, name, role, avatar } = caller.user;
    return { statusCode: 200, body: { id: user_id, email, password: PASSWORD_MASK, name, role, avatar } };
  },
);
