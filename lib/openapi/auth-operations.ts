import { LOGIN_THROTTLE, MAX_EMAILS_PER_RESOLVE, MAX_MAPPINGS_PER_REQUEST } from '../../functions/shared/limits.ts';
import type { RouteName } from '../../functions/shared/routes.ts';
import { created, ok, type OperationSpec } from './operation.ts';

const JWK_SET = ok('A JWK set (RFC 7517). May be cached.', 'JwkSet', 'Cache-Control.public');

/** §4.1, and the public keys. */
export const AUTH_OPERATIONS = {
  login: {
    summary: 'Log in',
    description:
      'Exchanges credentials for a pair of tokens. A wrong password, an unknown address and an inactive user get the same response. ' +
      `After ${LOGIN_THROTTLE.perAccount} failures of an account from one address, or ${LOGIN_THROTTLE.perAddress} of an address, within ${LOGIN_THROTTLE.windowMs / 60_000} minutes, logins are throttled.`,
    request: { schema: 'Credentials', example: { email: 'admin@acme.test', password: 'changeme' } },
    success: [created('A new session.', 'TokenPair')],
    errors: ['unauthorized', 'too_many_requests'],
  },
  'get-sign-in': {
    summary: 'Read how people sign in',
    description:
      'By a password, by the identity provider of the company (OpenID Connect), or by either. For the provider, the client makes ' +
      '`state`, `nonce` and a PKCE verifier, and sends the person to `authorization_endpoint` with `response_type=code`.',
    success: [ok('The ways to sign in.', 'SignInWays')],
  },
  'sign-in': {
    summary: 'Sign in by the identity provider',
    description:
      'Exchanges the code that the provider sent the person back with for a pair of tokens, once the client has compared `state` and `iss`. ' +
      'An unknown or inactive user, a code that was used, and whatever the provider refuses get the same response. ' +
      'Failures are throttled as those of logins are, by source address.',
    request: {
      schema: 'SignInRequest',
      example: {
        code: 'SplxlOBeZQQYbYS6WxSbIA',
        code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        nonce: 'n-0S6_WzA2MjQ4ODU2',
        redirect_uri: 'http://127.0.0.1:8765/',
      },
    },
    success: [created('A new session.', 'TokenPair')],
    errors: ['unauthorized', 'too_many_requests'],
  },
  'get-profile': {
    summary: 'Read the profile of the user',
    description: 'Any user with a current session may read it. `password` is always the same eight asterisks.',
    success: [ok('The user that the access token belongs to.', 'UserProfile')],
  },
  'refresh-token': {
    summary: 'Get a new pair of tokens',
    description:
      'Uses up the refresh token. A token used up in the last 30 seconds returns the current refresh token of the session; ' +
      'a token used up earlier ends the session, even if it has expired. A session ends 90 days after its login.',
    request: { schema: 'RefreshRequest', example: { refreshToken: 'eyJhbGciOiJFUzI1NiIs…' } },
    success: [created('The session continues.', 'TokenPair')],
    errors: ['unauthorized'],
  },
  logout: {
    summary: 'End the session',
    description:
      'Ends the session of the access token at once: from the next request on, each of its tokens gets 401, here too.',
    success: [{ status: 204, description: 'The session is over.' }],
  },
  'get-token': {
    summary: 'Get a token for a machine',
    description:
      'OAuth 2.0 client credentials with `private_key_jwt` (RFC 6749, 7523). The platform registers a client with its public keys and scopes. Each assertion is used once.',
    request: {
      schema: 'TokenRequest',
      isForm: true,
      example: {
        grant_type: 'client_credentials',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: 'eyJhbGciOiJFUzI1NiIs…',
      },
    },
    success: [ok('A token for 15 minutes.', 'ClientToken')],
    problems: {
      400: 'The request is malformed, or asks for a scope that the client does not have (RFC 6749, section 5.2).',
      401: '`invalid_client`: the assertion is not that of a registered client, or was used before.',
      413: 'The body is over 16 KiB.',
    },
  },
  'get-authorization-server': {
    summary: 'Read how machines get tokens',
    description: 'The metadata of an authorization server (RFC 8414).',
    success: [ok('Addresses, scopes and algorithms.', 'ServerMetadata')],
  },
  'get-jwks': {
    summary: 'Read the public keys that tokens are signed with',
    description: 'A retired key stays in the set until the last token that it signed has expired.',
    success: [JWK_SET],
  },
  'get-evidence-jwks': {
    summary: 'Read the public keys that evidence is signed with',
    description: 'Every key that ever signed evidence of this stack, for good. Only where the stack signs evidence.',
    success: [JWK_SET],
    errors: ['route_not_found'],
  },
} satisfies Partial<Record<RouteName, OperationSpec>>;

export const SERVICE_OPERATIONS = {
  'get-openapi': {
    summary: 'Read this document',
    description: 'Rendered from the schemas of the service.',
    revalidates: 'always',
    success: [ok('OpenAPI 3.1. May be cached.', 'object', 'Cache-Control.public')],
  },
} satisfies Partial<Record<RouteName, OperationSpec>>;

const DELETED = 'Later records that name it are rejected. Records that it resolved keep what they have.';
const REGISTERED = 'One result for each entry, in the order sent.';

/** §4.2, operations 1 to 6. */
export const CATALOG_OPERATIONS = {
  'list-courses': {
    summary: 'List the catalog',
    isCounted: true,
    description: 'Ordered by course id. Gives the course and class ids that records refer to.',
    parameters: ['CourseLimit', 'Cursor'],
    revalidates: 'always',
    success: [ok('A page of courses.', 'CourseList')],
  },
  'resolve-users': {
    summary: 'Verify users',
    description: `Reports for up to ${MAX_EMAILS_PER_RESOLVE} addresses whether each belongs to a user of the company with an active license.`,
    request: { schema: 'ResolveRequest', example: { emails: ['ben.castillo@acme.test', 'nobody@acme.test'] } },
    success: [ok('One result for each address, in the order sent.', 'ResolveReport')],
    errors: ['batch_too_large'],
  },
  'register-user-mappings': {
    summary: 'Register external user ids',
    isCounted: true,
    description: `Links up to ${MAX_MAPPINGS_PER_REQUEST} ids of the previous system to users. Sending an id again overwrites its link.`,
    request: {
      schema: 'UserMappingRequest',
      example: { mappings: [{ external_user_id: 9101, email: 'ben.castillo@acme.test' }] },
    },
    success: [ok(REGISTERED, 'UserMappingReport')],
    errors: ['batch_too_large'],
  },
  'list-user-mappings': {
    summary: 'List the registered external user ids',
    isCounted: true,
    description: 'Ordered by external id, each with the user that it is linked to.',
    parameters: ['MappingLimit', 'Cursor'],
    success: [ok('A page of mappings, ordered by external id.', 'UserMappingList')],
  },
  'delete-user-mapping': {
    summary: 'Delete a registered external user id',
    description: DELETED,
    success: [{ status: 204, description: 'The id is registered no longer.' }],
    errors: ['mapping_not_found'],
  },
  'register-course-mappings': {
    summary: 'Register external course ids',
    isCounted: true,
    description: `Links up to ${MAX_MAPPINGS_PER_REQUEST} ids of the previous system to courses. Sending an id again overwrites its link.`,
    request: {
      schema: 'CourseMappingRequest',
      example: { mappings: [{ external_course_id: 'SEC-1', platform_course_id: 101 }] },
    },
    success: [ok(REGISTERED, 'CourseMappingReport')],
    errors: ['batch_too_large'],
  },
  'list-course-mappings': {
    summary: 'List the registered external course ids',
    isCounted: true,
    description: 'Ordered by external id, each with the course that it is linked to.',
    parameters: ['MappingLimit', 'Cursor'],
    success: [ok('A page of mappings, ordered by external id.', 'CourseMappingList')],
  },
  'delete-course-mapping': {
    summary: 'Delete a registered external course id',
    description: DELETED,
    success: [{ status: 204, description: 'The id is registered no longer.' }],
    errors: ['mapping_not_found'],
  },
} satisfies Partial<Record<RouteName, OperationSpec>>;
