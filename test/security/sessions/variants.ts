/** The services that sessions run on, and three ways of breaking them; each must be caught. */
import type { SessionServices } from '../../../functions/workflow/sessions.ts';

export type Variant = (services: SessionServices) => SessionServices;

export const SOUND: Variant = (services) => services;

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
};
