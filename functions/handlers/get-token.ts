import { authenticateClient, usedAssertions } from '../auth/assertions.ts';
import { clientStore, type Client } from '../auth/clients.ts';
import { CLIENT_TOKEN_SECONDS, signClientToken } from '../auth/tokens.ts';
import { addressOf } from '../http/addresses.ts';
import { issuingOperation } from '../http/issuing.ts';
import { formBody } from '../http/json-body.ts';
import { checkAll } from '../http/request.ts';
import { RequestRejected, type ApiRequest, type ApiResponse } from '../http/types.ts';
import { countWithPoints, type MetricName } from '../runtime/metrics.ts';
import { secondsOf } from '../runtime/system.ts';
import type { Scope } from '../shared/codes.ts';
import { MAX_LOGIN_BODY_BYTES } from '../shared/limits.ts';
import { getToken } from '../shared/routes.ts';

/** `POST /api/v1/auth/token` (§5.3): the assertion of a client for a token of 15 minutes. Its errors are those of RFC 6749, section 5.2. */
export const handler = issuingOperation(
  (database) => ({ stores: { clients: clientStore(database), assertions: usedAssertions(database) } }),
  async (request, services): Promise<ApiResponse> => {
    const { refused, form = {} } = formOf(request);
    if (refused) return refused;
    const { parties, clock, random, signer, stores } = services;
    const nowMs = clock.nowMs();
    const endpoint = addressOf(getToken, request);
    const assertion = form['client_assertion_type'] === ASSERTION_TYPE ? form['client_assertion'] : undefined;
    const found = assertion && (await authenticateClient(assertion, [parties.issuer, endpoint], services, nowMs));
    if (!found || found.isReused || !isNamed(found.client, form)) return invalidClient(found || undefined, services);
    const { client, key } = found;
    const { client_id, company_id } = client;
    const scopes = scopesIn(form['scope'], client.scopes);
    if (scopes === undefined) return refusal(400, 'invalid_scope', 'The client does not have all of these scopes.');
    const iat = secondsOf(nowMs);
    const kid = await signer.publish(stores.signingKeys, iat);
    const dates = { jti: random.hex(16), iat, exp: iat + CLIENT_TOKEN_SECONDS };
    const claims = { client_id, company_id, scopes, key: key.thumbprint, ...dates };
    const access_token = await signClientToken({ ...parties, signer, kid }, claims);
    const body = { access_token, token_type: 'Bearer', expires_in: CLIENT_TOKEN_SECONDS, scope: scopes.join(' ') };
    return { statusCode: 200, body, subject: subjectOf(client) };
  },
);

function invalidClient(
  found: Awaited<ReturnType<typeof authenticateClient>> | undefined,
  { telemetry }: { readonly telemetry: { readonly count: (metric: MetricName, value?: number) => void } },
): ApiResponse {
  telemetry.count('TokensRefused');
  countWithPoints(telemetry, 'LoginsRefused', found?.isReused ? REUSED : 1);
  const refused = refusal(401, 'invalid_client', 'A valid, new assertion of a registered client is required.');
  return { ...refused, ...(found && { subject: subjectOf(found.client) }) };
}

/** An assertion that is used again counts as so many failed logins: it is authentic, and may be a copy. */
const REUSED = 10;

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const NAMES = ['grant_type', 'client_assertion_type', 'client_assertion', 'client_id', 'scope'];

type Form = Readonly<Record<string, string>>;

/** Each parameter once; an empty one counts as absent (RFC 6749, section 3.2). */
function formOf(request: ApiRequest): { readonly form?: Form; readonly refused?: ApiResponse } {
  try {
    const [form] = checkAll(request, () => formBody(request.body, MAX_LOGIN_BODY_BYTES));
    const names = [...form.keys()];
    if (names.some((name) => !NAMES.includes(name)))
      return { refused: refusal(400, 'invalid_request', `The parameters are ${NAMES.join(', ')}.`) };
    if (new Set(names).size < names.length)
      return { refused: refusal(400, 'invalid_request', 'A parameter must be sent once.') };
    const grant = form.get('grant_type');
    if (!grant) return { refused: refusal(400, 'invalid_request', 'grant_type is missing.') };
    if (grant !== 'client_credentials')
      return { refused: refusal(400, 'unsupported_grant_type', 'grant_type must be client_credentials.') };
    return { form: Object.fromEntries([...form].filter(([, value]) => value !== '')) };
  } catch (error) {
    if (!(error instanceof RequestRejected)) throw error;
    const status = error.problem.error_code === 'payload_too_large' ? 413 : 400;
    return { refused: refusal(status, 'invalid_request', error.message) };
  }
}

const subjectOf = ({ client_id, company_id }: Client) => ({ client_id, company_id });

const isNamed = ({ client_id }: Client, form: Form): boolean => (form['client_id'] ?? client_id) === client_id;

/** Default: all of the client's. */
function scopesIn(asked: string | undefined, allowed: readonly Scope[]): readonly Scope[] | undefined {
  const names = asked?.split(' ') ?? allowed;
  const isAllowed = (name: string): boolean => allowed.some((scope) => scope === name);
  return names.length > 0 && names.every(isAllowed) ? allowed.filter((scope) => names.includes(scope)) : undefined;
}

/** A description has no quotation mark and no backslash, and is ASCII (RFC 6749, section 5.2). */
const refusal = (statusCode: number, error: string, message: string) => ({
  statusCode,
  body: { error, error_description: message.replaceAll(/["\\]/g, "'").replaceAll(/[^ -~]/g, '?') },
});
