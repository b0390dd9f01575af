/** Login, refresh, profile and logout as their handlers respond to Acme's admin, held to the document. In memory. */
import { openSession } from '../../functions/auth/sessions.ts';
import { handler as getProfile } from '../../functions/handlers/get-profile.ts';
import { handler as login } from '../../functions/handlers/login.ts';
import { handler as logout } from '../../functions/handlers/logout.ts';
import { handler as refreshToken } from '../../functions/handlers/refresh-token.ts';
import { type Answered, posted } from '../kit/api-event.ts';
import { useAuthServices } from '../kit/auth-services.ts';
import { invokeAsDocumented as invoke } from '../kit/documented.ts';

export function useSessionCalls() {
  const setting = useAuthServices();
  const services = () => setting().services;
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  return {
    setting,
    /** The tokens of a new session, without a login. */
    openSession: () => openSession(services(), setting().admin, setting().clock.now),
    logIn: (body: unknown) => invoke(login.on(services()), { ...posted(body), rawPath: '/api/v1/auth/login' }),
    refresh: (body: unknown) =>
      invoke(refreshToken.on(services()), { ...posted(body), rawPath: '/api/v1/auth/refresh-token' }),
    profile: (token: string) =>
      invoke(getProfile.on(services()), { ...bearer(token), rawPath: '/api/v1/auth/profile' }),
    logOut: (token: string) =>
      invoke(logout.on(services()), { ...bearer(token), method: 'POST', rawPath: '/api/v1/auth/logout' }),
  };
}

/** The status and the first error code of a response. */
export const codeOf = ({ status, body }: Answered) => `${status} ${body.errors?.[0].error_code}`;
