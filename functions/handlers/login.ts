import { kmsSigner } from '../auth/kms-signer.ts';
import { login as logIn } from '../auth/login.ts';
import { publicOperation } from '../http/chain.ts';
import { readAll, textMember } from '../http/request.ts';
import { RequestRejected } from '../http/types.ts';
import type { PublicOperation } from '../http/types.ts';
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
  const body = request.json();
  const credentials = readAll({
    email: () => textMember(body, 'email'),
    password: () => textMember(body, 'password'),
  });
  const outcome = await logIn(services, { ...credentials, sourceIp: request.sourceIp }, services.clock.nowMs());
  services.telemetry.count(COUNTED[outcome.kind]);
  if (outcome.kind === 'success') return { statusCode: 201, body: outcome.tokens };
  if (outcome.kind === 'throttled') {
    throw new RequestRejected('too_many_requests', 'Too many failed logins. Try again later.', outcome);
  }
  throw new RequestRejected('unauthorized', 'The e-mail address or the password is wrong.');
};

export const handler = publicOperation(login, liveServices({ signer: kmsSigner }));
