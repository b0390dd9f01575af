import { accessStore, sessionStore } from '../auth/access-store.ts';
import { deployedProvider } from '../auth/provider.ts';
import { signInSettings } from '../auth/provider-document.ts';
import { bindingStore, signIn } from '../auth/sign-in.ts';
import { loginThrottleStore } from '../auth/throttle.ts';
import { directoryStore } from '../catalog/directory-store.ts';
import { pageAddress } from '../http/addresses.ts';
import { signInRequest } from '../http/auth-bodies.ts';
import { issuingOperation, loginResponse } from '../http/issuing.ts';
import { bodyOf } from '../http/json-body.ts';
import { malformed, type ApiRequest } from '../http/types.ts';
import { MAX_LOGIN_BODY_BYTES } from '../shared/limits.ts';
import type { User } from '../shared/model.ts';

/** `POST /api/v1/auth/sign-in` (§5.4): a code of the identity provider for a token pair. */
export const handler = issuingOperation(
  (database, environment, { clock }) => {
    const settings = signInSettings(environment);
    return {
      provider: settings && deployedProvider(settings, clock),
      stores: {
        access: accessStore(database),
        bindings: bindingStore(database),
        directory: directoryStore(database),
        sessions: sessionStore(database),
        throttle: loginThrottleStore(database),
      },
    };
  },
  async (request, services) => {
    const sent = bodyOf(signInRequest, request, MAX_LOGIN_BODY_BYTES);
    expectOwnAddress(sent.redirect_uri, request);
    const outcome = await signIn(services, { ...sent, sourceIp: request.sourceIp }, services.clock.nowMs());
    return loginResponse(outcome, services.telemetry, () => ({
      unauthorized: 'The sign-in was refused. Start it again.',
      throttled: 'Too many failed sign-ins. Try again later.',
      subject: 'user' in outcome ? subjectOf(outcome.user) : undefined,
    }));
  },
);

const subjectOf = ({ user_id, company_id }: User) => ({ user_id, company_id });

/** A loopback address without credentials and query, on any port (RFC 8252, section 7.3). */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]):\d{1,5}\/[\w./-]*$/;

/** A code that was meant for any other place is not taken. @throws RequestRejected 400 */
function expectOwnAddress(redirect_uri: string, request: ApiRequest): void {
  if (redirect_uri === pageAddress(request) || LOOPBACK.test(redirect_uri)) return;
  throw malformed('redirect_uri must be the address of the page, or http://127.0.0.1 with a port.', 'redirect_uri');
}
