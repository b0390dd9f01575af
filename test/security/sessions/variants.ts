/** The services that sessions run on, and ways of breaking them; each must be caught. */
import type { SessionServices } from '../../../functions/auth/sessions.ts';
import type { StoredServices } from './services.ts';

export type BenchServices = SessionServices & StoredServices;

export type Variant = (services: BenchServices) => BenchServices;

type BenchStores = BenchServices['stores'];
const withStores =
  (change: (stores: BenchStores) => Partial<BenchStores>): Variant =>
  (services) => ({ ...services, stores: { ...services.stores, ...change(services.stores) } });

export const SOUND_SERVICES: Variant = (services) => services;

export const BROKEN: Readonly<Record<string, Variant>> = {
  /** Whoever comes last replaces the session, whatever is stored. */
  'no rotation check': withStores(({ sessions }) => ({
    sessions: {
      ...sessions,
      rotate: async (session) => {
        await sessions.create(session);
        return true;
      },
    },
  })),
  /** A spent token counts as stolen from the first moment on. */
  'no window': withStores(({ access }) => ({
    access: {
      readAccess: async (key) => {
        const found = await access.readAccess(key);
        return found.session === undefined ? found : { ...found, session: { ...found.session, spent: [] } };
      },
    },
  })),
  /** A token that comes back is refused, and the thief keeps what he has. */
  'no family revocation': withStores(({ sessions }) => ({ sessions: { ...sessions, revoke: async () => {} } })),
  /** The next key takes the place of the one before, whose tokens are still out. */
  'one key in the set': withStores(({ signingKeys }) => ({
    signingKeys: {
      ...signingKeys,
      read: async (kid) => (await signingKeys.list()).slice(-1).find((key) => key.kid === kid),
    },
  })),
  /** A key stays for as long as it was first published for, however long it signs. */
  'no key published longer': withStores(({ signingKeys }) => ({
    signingKeys: {
      ...signingKeys,
      publish: async (key) => {
        if ((await signingKeys.read(key.kid)) === undefined) await signingKeys.publish(key);
      },
    },
  })),
  /** A key that is past its time still verifies. */
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
