import { accessStore, sessionStore } from '../auth/access-store.ts';
import { login as logIn, type LoginServices } from '../auth/login.ts';
import { scryptPasswords } from '../auth/passwords.ts';
import { loggedAddress, loginThrottleStore } from '../auth/throttle.ts';
import { directoryStore } from '../catalog/directory-store.ts';
import { credentials as credentialsBody } from '../http/auth-bodies.ts';
import { issuingOperation, loginResponse } from '../http/issuing.ts';
import { bodyOf } from '../http/json-body.ts';
import type { LogSubject } from '../http/types.ts';
import { isEmailAddress } from '../records/identifiers.ts';
import { takesPasswords } from '../runtime/variables.ts';
import { MAX_LOGIN_BODY_BYTES } from '../shared/limits.ts';

const WRONG = 'The e-mail address or the password is wrong.';
const PASSWORDS_OFF = 'This service takes no passwords: sign in by the identity provider of your company.';

/** `POST /api/v1/auth/login` (§4.1): e-mail and password for a token pair. */
export const handler = issuingOperation(
  (database, environment, { random }) => ({
    takesPasswords: takesPasswords(environment),
    passwords: scryptPasswords(random),
    stores: {
      access: accessStore(database),
      directory: directoryStore(database),
      sessions: sessionStore(database),
      throttle: loginThrottleStore(database),
    },
  }),
  async (request, services) => {
    const credentials = bodyOf(credentialsBody, request, MAX_LOGIN_BODY_BYTES);
    const attempt = { ...credentials, sourceIp: request.sourceIp };
    const outcome = services.takesPasswords
      ? await logIn(services, attempt, services.clock.nowMs())
      : ({ kind: 'unauthorized' } as const);
    return loginResponse(outcome, services.telemetry, async () => ({
      unauthorized: services.takesPasswords ? WRONG : PASSWORDS_OFF,
      throttled: 'Too many failed logins. Try again later.',
      subject: await attemptedBy(credentials.email, services),
    }));
  },
);

/** Any other text than an address may be a password. */
async function attemptedBy(email: string, { stores, random }: LoginServices): Promise<LogSubject> {
  return isEmailAddress(email) ? { email_hash: await loggedAddress(stores.throttle, email, random) } : {};
}
