/** The services that sessions run on, and ways of breaking them; each must be caught. */
import type { SessionServices } from '../../../functions/auth/sessions.ts';
import type { SigningKeyStore } from '../../../functions/auth/signing-keys.ts';

export interface BenchServices extends SessionServices {
  readonly signingKeys: SigningKeyStore;
}

export type Variant = (services: BenchServices) => BenchServices;

export const SOUND_SERVICES: Variant = (services) => services;

export const BROKEN: Readonly<Record<string, Variant>> = {
  /** Whoever comes last replaces the session, whatever stood there. */
  'no rotation check': (services) => ({
    ...services,
    sessions: {
      ...services.sessions,
      rotate: async (session) => {
        await services.sessions.create(session);
        return true;
      },
    },
  }),
  /** A spent token is stolen from the first moment on. */
  'no window': (services) => ({
    ...services,
    access: {
      readAccess: async (key) => {
        const access = await services.access.readAccess(key);
        return access.session === undefined ? access : { ...access, session: { ...access.session, spent: [] } };
      },
    },
  }),
  /** A token that comes back is refused, and the thief keeps what he has. */
  'no family revocation': (services) => ({
    ...services,
    sessions: { ...services.sessions, revoke: async () => {} },
  }),
  /** The next key takes the place of the one before, whose tokens are still out. */
  'one key in the set': (services) => ({
    ...services,
    signingKeys: {
      ...services.signingKeys,
      read: async (kid) => (await services.signingKeys.list()).slice(-1).find((key) => key.kid === kid),
    },
  }),
  /** A key stays for as long as it was first published for, however long it goes on signing. */
  'no key published longer': (services) => ({
    ...services,
    signingKeys: {
      ...services.signingKeys,
      publish: async (key) => {
        if ((await services.signingKeys.read(key.kid)) === undefined) await services.signingKeys.publish(key);
      },
    },
  }),
  /** A key that is past its time still verifies. */
  'no key validity': (services) => ({
    ...services,
    signingKeys: {
      ...services.signingKeys,
      read: async (kid) => {
        const key = await services.signingKeys.read(kid);
        return key && { ...key, valid_until_seconds: Infinity };
      },
    },
  }),
};
