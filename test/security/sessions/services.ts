/** The ports of sessions and keys (§5) on a store that is replaced, never changed. */
import type { Session } from '../../../functions/auth/access-store.ts';
import type { SessionServices } from '../../../functions/auth/sessions.ts';
import type { SigningKeyStore } from '../../../functions/auth/signing-keys.ts';
import { secondsOf } from '../../../functions/auth/tokens.ts';
import type { User } from '../../../functions/shared/model.ts';
import type { Stored } from './stored.ts';

export const USER: User = {
  company_id: 'acme',
  user_id: 1,
  email: 'a@acme.test',
  name: 'A',
  role: 'admin',
  avatar: '',
  license: 'active',
};

export type StoredServices = Pick<SessionServices, 'access' | 'sessions' | 'random'> & {
  readonly signingKeys: SigningKeyStore;
};

/** What functions that sign with the key of this number find in the store. */
export function servicesOn(bench: { stored: Stored }, signing: number): StoredServices {
  const change = (part: Partial<Stored>) => void (bench.stored = { ...bench.stored, ...part });
  return {
    random: {
      hex: () => {
        change({ ids: bench.stored.ids + 1 });
        return String(bench.stored.ids);
      },
    },
    access: {
      readAccess: async ({ session_id }) => {
        const session = standing(bench.stored, session_id);
        const user: User = { ...USER, license: bench.stored.isActive ? 'active' : 'inactive' };
        return session === undefined ? { user } : { session, user };
      },
    },
    sessions: {
      create: async (session) => change(withSession(bench.stored, session)),
      rotate: async (session, expected_jti) => {
        const before = standing(bench.stored, session.session_id);
        if (before === undefined || before.revoked || before.current.jti !== expected_jti) return false;
        change({ ...withSession(bench.stored, session), rotations: bench.stored.rotations + 1 });
        return true;
      },
      revoke: async (session_id) => {
        const before = standing(bench.stored, session_id);
        if (before !== undefined) change(withSession(bench.stored, { ...before, revoked: true }));
      },
    },
    signingKeys: {
      publish: async (key) => {
        const { keys, nowMs } = bench.stored;
        if (key.valid_until_seconds > (keys[key.kid]?.valid_until_seconds ?? 0))
          change({ keys: { ...keys, [key.kid]: key } });
        if (signing === bench.stored.signing) change({ publishedAtSeconds: secondsOf(nowMs) });
      },
      read: async (kid) => bench.stored.keys[kid],
      list: async () => Object.values(bench.stored.keys),
    },
  };
}

/** A table deletes what has expired at once or much later. Here it does what is worse: sessions at once, keys never. */
function standing({ sessions, nowMs }: Stored, session_id: string): Session | undefined {
  const session = sessions[session_id];
  return session !== undefined && session.expires_at_seconds > secondsOf(nowMs) ? session : undefined;
}

const withSession = ({ sessions }: Stored, session: Session) => ({
  sessions: { ...sessions, [session.session_id]: session },
});
