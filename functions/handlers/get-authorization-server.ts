import { CLIENT_ALGORITHMS } from '../auth/client-keys.ts';
import { partiesOf } from '../auth/tokens.ts';
import { addressOf } from '../http/addresses.ts';
import { chainServices, publicOperation } from '../http/chain.ts';
import { SCOPES } from '../shared/codes.ts';
import { getJwks, getToken } from '../shared/routes.ts';

/** `GET /api/v1/auth/.well-known/oauth-authorization-server` (§5.3): what a client needs to know to get a token (RFC 8414). */
const services = () => ({ ...chainServices(), parties: partiesOf(process.env) });
export const handler = publicOperation(services, async (request, { parties }) => ({
  statusCode: 200,
  body: {
    issuer: parties.issuer,
    token_endpoint: addressOf(getToken, request),
    jwks_uri: addressOf(getJwks, request),
    scopes_supported: SCOPES,
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: CLIENT_ALGORITHMS,
  },
}));
