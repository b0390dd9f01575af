import { kmsSigner } from '../auth/kms-signer.ts';
import { login as logIn } from '../auth/login.ts';
import { loggedAddress } from '../auth/throttle.ts';
import { publicOperation } from '../http/chain.ts';
import { credentials as credentialsBody } from '../http/bodies.ts';
import { membersOf } from '../http/request.ts';
import { RequestRejected } from '../http/types.ts';
import type { LogSubject, PublicOperation } from '../http/types.ts';
import { isEmailAddress } from '../records/identifiers.ts';
import { METRIC } from '../runtime/metric-names.ts';
import { liveServices } from '../services/services.ts';
import type { ServicesWith } from '../services/services.ts';

const COUNTED = {
  success: METRIC.loginsSucceeded,
  unauthorized: METRIC.loginsRefused,
  throttled: METRIC.loginsThrottled,
} as const;

/** `POST /api/v1/auth/login` (§4.1): e-mail and password for a token pair. */
export const login: PublicOperation<ServicesWith<'signer'>> = async (request, services) => {
  const credentials = membersOf(credentialsBody, request.json());
  const outcome = await logIn(services, { ...credentials, sourceIp: request.sourceIp }, services.clock.nowMs());
  services.telemetry.count(COUNTED[outcome.kind]);
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
};

/** Any other text than an address may be a password. */
async function attemptedBy(email: string, { stores, random }: ServicesWith<'signer'>): Promise<LogSubject> {
  return isEmailAddress(email) ? { email_hash: await loggedAddress(stores.throttle, email, random) } : {};
}

export const handler = publicOperation(
  login,
  liveServices((environment, core) => ({ signer: kmsSigner(environment, core) })),
);
