/** What clients send for tokens, and the responses (§5.3): the forms of RFC 6749 and RFC 8414. */
import * as v from 'valibot';

/** What a client sends for a token, as a form (§5.3). */
export const tokenRequest = v.object({
  grant_type: v.literal('client_credentials'),
  client_assertion_type: v.literal('urn:ietf:params:oauth:client-assertion-type:jwt-bearer'),
  client_assertion: v.pipe(
    v.string(),
    v.description(
      'A JWT (RFC 7523) that the client signed: `iss` and `sub` its id, `aud` the issuer or the address of this endpoint, `exp` at most 5 minutes ahead, a new `jti`, and the `kid` of its key.',
    ),
  ),
  client_id: v.optional(v.pipe(v.string(), v.description('If it is sent, the client of the assertion.'))),
  scope: v.optional(v.pipe(v.string(), v.description('Scopes, separated by blanks. Absent: all of the client’s.'))),
});
export const clientToken = v.object({
  access_token: v.pipe(v.string(), v.description('JWT (ES256, RFC 9068), valid 15 minutes.')),
  token_type: v.literal('Bearer'),
  expires_in: v.pipe(v.number(), v.integer(), v.description('Seconds.')),
  scope: v.string(),
});
export const oauthError = v.object({
  error: v.pipe(
    v.string(),
    v.description('`invalid_request`, `invalid_client`, `unsupported_grant_type` or `invalid_scope`.'),
  ),
  error_description: v.optional(v.string()),
});
/** How people sign in (§5.4). */
export const signInWays = v.object({
  password: v.pipe(v.boolean(), v.description('Whether a login by a password is possible.')),
  provider: v.pipe(
    v.nullable(
      v.object({
        issuer: v.pipe(
          v.string(),
          v.description('What `iss` must be, where the provider sends the person back with it.'),
        ),
        authorization_endpoint: v.pipe(v.string(), v.description('Where to send the person.')),
        client_id: v.string(),
        scope: v.string(),
      }),
    ),
    v.description('The identity provider of the company; null if there is none.'),
  ),
});
export const serverMetadata = v.object({
  issuer: v.string(),
  token_endpoint: v.string(),
  jwks_uri: v.string(),
  scopes_supported: v.array(v.string()),
  response_types_supported: v.array(v.string()),
  grant_types_supported: v.array(v.string()),
  token_endpoint_auth_methods_supported: v.array(v.string()),
  token_endpoint_auth_signing_alg_values_supported: v.array(v.string()),
});
