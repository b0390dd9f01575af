/** The ports that authentication needs, in memory, with the conditions that the real stores hold to. */
import type { AccessStore, Session, SessionStore } from '../../functions/auth/access-store.ts';
import type { SigningKeyStore } from '../../functions/auth/signing-keys.ts';
import type { PublishedKey } from '../../functions/auth/tokens.ts';
import type { LoginThrottleStore } from '../../functions/auth/throttle.ts';
import type { DirectoryStore } from '../../functions/catalog/directory-store.ts';
import { emailKey } from '../../functions/records/identifiers.ts';
import type { Company, ImportItem, User } from '../../functions/shared/model.ts';

export interface MemoryAuthStores {
  readonly companies: Map<string, Company>;
  readonly users: Map<string, User>;
  readonly sessionItems: Map<string, Session>;
  readonly imports: Map<string, ImportItem>;
  readonly keyItems: Map<string, PublishedKey>;
  /** Every readAccess, as asked. */
  readonly reads: Parameters<AccessStore['readAccess']>[0][];
  readonly access: AccessStore;
  readonly sessions: SessionStore;
  readonly throttle: LoginThrottleStore;
  readonly signingKeys: SigningKeyStore;
  readonly directory: Pick<DirectoryStore, 'users'>;
}

export function memoryAuthStores(): MemoryAuthStores {
  const companies = new Map<string, Company>();
  const users = new Map<string, User>();
  const sessionItems = new Map<string, Session>();
  const imports = new Map<string, ImportItem>();
  const keyItems = new Map<string, PublishedKey>();
  const reads: MemoryAuthStores['reads'] = [];
  return {
    companies,
    users,
    sessionItems,
    imports,
    keyItems,
    reads,
    throttle: memoryThrottle(),
    directory: {
      users: async (company_id, emails) =>
        new Map(emails.flatMap((email) => found(users.get(emailKey(email)), company_id).map((user) => [email, user]))),
    },
    access: {
      findLogin: async (email) => users.get(emailKey(email)),
      async replacePasswordHash({ email, password_hash: standing }, password_hash) {
        const user = users.get(emailKey(email));
        if (user && user.password_hash === standing) users.set(emailKey(email), { ...user, password_hash });
      },
      async readAccess(key) {
        reads.push(key);
        const session = sessionItems.get(key.session_id);
        const [user] = found(users.get(emailKey(key.email)), key.company_id);
        const company = companies.get(key.company_id);
        const [item] = found(imports.get(key.import_id ?? ''), key.company_id);
        return {
          ...(session && { session }),
          ...(user && { user }),
          ...(company && { company }),
          ...(item && { import: item }),
        };
      },
    },
    sessions: {
      read: async (id) => sessionItems.get(id),
      create: async (session) => void sessionItems.set(session.session_id, session),
      async rotate(next, expected_jti) {
        const standing = sessionItems.get(next.session_id);
        if (!standing || standing.revoked || standing.current.jti !== expected_jti) return false;
        sessionItems.set(next.session_id, next);
        return true;
      },
      async revoke(id) {
        const standing = sessionItems.get(id);
        if (standing) sessionItems.set(id, { ...standing, revoked: true });
      },
    },
    signingKeys: {
      publish: async (key) => void keyItems.set(key.kid, key),
      read: async (kid) => keyItems.get(kid),
      list: async () => [...keyItems.values()],
    },
  };
}

function memoryThrottle(): LoginThrottleStore {
  const windows = new Map<string, { count: number; window_ends_ms: number }>();
  const open = (key: string, now_ms: number) => {
    const window = windows.get(key);
    return window && window.window_ends_ms > now_ms ? window : undefined;
  };
  return {
    failures: async (keys, now_ms) =>
      new Map(keys.flatMap((key) => [open(key, now_ms)].flatMap((window) => (window ? [[key, window] as const] : [])))),
    async recordFailure(key, limit, window_ms, now_ms) {
      const window = open(key, now_ms) ?? { count: 0, window_ends_ms: now_ms + window_ms };
      if (window.count >= limit) return false;
      windows.set(key, { ...window, count: window.count + 1 });
      return true;
    },
    async clear(key, limit, now_ms) {
      if ((open(key, now_ms)?.count ?? 0) >= limit) return false;
      windows.delete(key);
      return true;
    },
  };
}

/** Tenant first in every key: another company's item is not there. */
function found<T extends { readonly company_id: string }>(item: T | undefined, company_id: string): T[] {
  return item?.company_id === company_id ? [item] : [];
}
