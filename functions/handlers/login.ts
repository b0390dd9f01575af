import { accessStore, sessionStore } from '../auth/access-store.ts';
import { login as logIn, type LoginServices } from '../auth/login.ts';
import { scryptPasswords } from '../auth/passwords.ts';
import { loggedAddress, loginThrottleStore } from '../auth/throttle.ts';
import { directoryStore } from '../catalog/directory-store.ts';
import { credentials as credentialsBody } from '../http/bodies.ts';
import { issuingOperation } from '../http/issuing.ts';
import { bodyOf } from '../http/json-body.ts';
import { RequestRejected, type LogSubject } from '../http/types.ts';
import { isEmailAddress } from '../records/identifiers.ts';
import { countWithPoints } from '../runtime/metrics.ts';
import { MAX_LOGIN_BODY_BYTES } from '../shared/limits.ts';

const COUNTED = {
  success: 'LoginsSucceeded',
  unauthorized: 'LoginsRefused',
  throttled: 'LoginsThrottled',
} as const;

/** `POST /api/v1/auth/login` (§4.1): e-mail and password for a token pair. */
export const handler = issuingOperation(
  (database, _, { random }) => ({
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
    const outcome = await logIn(services, { ...credentials, sourceIp: request.sourceIp }, services.clock.nowMs());
    countWithPoints(services.telemetry, COUNTED[outcome.kind]);
    if (outcome.kind === 'success') {
      const { tokens, session_id, user } = outcome;
      const subject = { user_id: user.user_id, session_id, company_id: user.company_id };
      return { statusCode: 201, body: tokens, subject };
    }
    const subject = await attemptedBy(credentials.email, services);
    if (outcome.kind === 'throttled') {
      const { retryAfterSeconds } = outcome;
      throw new RequestRejected('too_many_requests', 'Too many failed logins. Try again later.', {
        retryAfterSeconds,
        subject,
      });
    }
    throw new RequestRejected('unauthorized', 'The e-mail address or the password is wrong.', { subject });
  },
);

/** Any other text than an address may be a password. */
async function attemptedBy(email: string, { stores, random }: LoginServices): Promise<LogSubject> {
  return isEmailAddress(email) ? { email_hash: await loggedAddress(stores.throttle, email, random) } : {};
}
