/** Ways of breaking the services that sessions run on, above the real stores; each must be caught. */
import type { Services } from '../../kit/world.ts';
import { USER } from './clients.ts';

export type Variant = (services: Services) => Services;

type Stores = Services['stores'];
const withStores =
  (change: (stores: Stores) => Partial<Stores>): Variant =>
  (services) => ({ ...services, stores: { ...services.stores, ...change(services.stores) } });

export const BROKEN: Readonly<Record<string, Variant>> = {
  /** The last refresh replaces the session without a condition. */
  'no rotation check': withStores(({ sessions }) => ({
    sessions: {
      ...sessions,
      rotate: async (session) => {
        await sessions.create(session);
        return true;
      },
    },
  })),
  /** A spent token counts as stolen at once. */
  'no window': withStores(({ access }) => ({
    access: {
      ...access,
      readAccess: async (key) => {
        const found = await access.readAccess(key);
        return found.session === undefined ? found : { ...found, session: { ...found.session, spent: [] } };
      },
    },
  })),
  /** A token presented again is refused, but its session continues; so does the session after a logout. */
  'no revocation': withStores(({ sessions }) => ({ sessions: { ...sessions, revoke: async () => {} } })),
  /** Any number of sessions may be open. */
  'no bound on sessions': withStores(({ sessions }) => ({ sessions: { ...sessions, keepNewest: async () => 0 } })),
  /** A session that is refreshed never expires. */
  'no absolute lifetime': (services) =>
    withStores(({ sessions }) => ({
      sessions: {
        ...sessions,
        rotate: (session, jti) =>
          sessions.rotate({ ...session, began_at: new Date(services.clock.nowMs()).toISOString() }, jti),
      },
    }))(services),
  /** An active license revives the sessions that an inactive one ended. */
  'sessions revive with the license': withStores(({ platform }) => ({
    platform: {
      ...platform,
      saveUser: async (id, before, next) => {
        const { sessions_valid_from: _, ...user } = next.user ?? USER;
        return platform.saveUser(id, before, before?.user?.license === 'inactive' ? { ...next, user } : next);
      },
    },
  })),
  /** A new password is stored, and sessions of the former one continue. */
  'a new password ends nothing': withStores(({ platform }) => ({
    platform: {
      ...platform,
      saveUser: async (id, before, next) => {
        const { sessions_valid_from: _, ...user } = next.user ?? USER;
        const isNew = user.password_hash !== before?.user?.password_hash;
        return platform.saveUser(id, before, isNew ? { ...next, user } : next);
      },
    },
  })),
  /** A fact writes the item that it read before an operator ended the sessions. */
  'an end of sessions is overwritten': withStores(({ platform }) => ({
    platform: {
      ...platform,
      saveUser: async (id, before, next) => {
        const [now] = await platform.knownUsers([id]);
        const { sessions_ended_at: _, ...read } = before ?? { version: 0 };
        const current = now?.sessions_ended_at === undefined ? {} : { sessions_ended_at: now.sessions_ended_at };
        return platform.saveUser(id, { ...read, ...current }, next);
      },
    },
  })),
  /** A new key replaces the previous one, whose tokens are still valid. */
  'one key in the set': withStores(({ signingKeys }) => ({
    signingKeys: {
      ...signingKeys,
      read: async (kid) => {
        const published = await signingKeys.list();
        const last = Math.max(...published.map(({ valid_until_seconds }) => valid_until_seconds));
        return published.find((key) => key.kid === kid && key.valid_until_seconds === last);
      },
    },
  })),
  /** A key stays only for its first period of publication, even if it signs longer. */
  'no key published longer': withStores(({ signingKeys }) => ({
    signingKeys: {
      ...signingKeys,
      publish: async (key) => {
        if ((await signingKeys.read(key.kid)) === undefined) await signingKeys.publish(key);
      },
    },
  })),
  /** An expired key still verifies. */
  'no key validity': withStores(({ signingKeys }) => ({
    signingKeys: {
      ...signingKeys,
      read: async (kid) => {
        const key = await signingKeys.read(kid);
        return key && { ...key, valid_until_seconds: Infinity };
      },
    },
  })),
};
