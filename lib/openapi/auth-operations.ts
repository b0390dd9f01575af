import type { OperationSpec } from './operation-spec.ts';

const AUTH = '/api/v1/auth';
const TOKENS = { access_token: 'eyJhbGciOiJFUzI1NiIs…', refresh_token: 'eyJhbGciOiJFUzI1NiIs…' };

/** §4.1, and what a client needs besides. */
export const AUTH_OPERATIONS: readonly OperationSpec[] = [
  {
    operationId: 'login',
    method: 'post',
    path: `${AUTH}/login`,
    tag: 'Authentication',
    access: 'public',
    summary: 'Log in',
    description:
      'Exchanges credentials for a pair of tokens. A wrong password, an unknown address and an inactive user get the same answer. ' +
      'After 10 failures of an account from one address, or 100 of an address, within 5 minutes, logins are throttled.',
    request: { schema: 'Credentials', example: { email: 'admin@acme.test', password: 'changeme' } },
    success: [{ status: 201, description: 'A new session.', schema: 'TokenPair', example: TOKENS }],
    errors: ['unauthorized', 'too_many_requests'],
  },
  {
    operationId: 'get-profile',
    method: 'get',
    path: `${AUTH}/profile`,
    tag: 'Authentication',
    access: 'session',
    summary: 'Read the profile of the user',
    description: 'Any user with a standing session may read it. `password` is always the same eight asterisks.',
    success: [
      {
        status: 200,
        description: 'The user that the access token is of.',
        schema: 'UserProfile',
        example: {
          id: 1,
          email: 'admin@acme.test',
          password: '********',
          name: 'Ada Okafor',
          role: 'admin',
          avatar: 'https://avatars.acme.test/ada-okafor.png',
        },
      },
    ],
    errors: [],
  },
  {
    operationId: 'refresh-token',
    method: 'post',
    path: `${AUTH}/refresh-token`,
    tag: 'Authentication',
    access: 'public',
    summary: 'Get a new pair of tokens',
    description:
      'Spends the refresh token. One spent in the last 30 seconds still answers, with the current refresh token of the session; ' +
      'one spent longer ago ends the session.',
    request: { schema: 'RefreshRequest', example: { refreshToken: TOKENS.refresh_token } },
    success: [{ status: 201, description: 'The session goes on.', schema: 'TokenPair', example: TOKENS }],
    errors: ['unauthorized'],
  },
  {
    operationId: 'get-jwks',
    method: 'get',
    path: `${AUTH}/.well-known/jwks.json`,
    tag: 'Authentication',
    access: 'public',
    summary: 'Read the public keys that tokens are signed with',
    description: 'A retired key stays in the set for as long as the longest token that it signed.',
    success: [
      {
        status: 200,
        description: 'A JWK set (RFC 7517). May be cached.',
        schema: 'JwkSet',
        headers: ['Cache-Control.public'],
        example: {
          keys: [
            {
              kty: 'EC',
              crv: 'P-256',
              x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
              y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
              kid: '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbW',
              alg: 'ES256',
              use: 'sig',
            },
          ],
        },
      },
    ],
    errors: [],
  },
  {
    operationId: 'get-openapi',
    method: 'get',
    path: '/v1/openapi.json',
    tag: 'Service',
    access: 'public',
    summary: 'Read this document',
    description: 'Rendered from the schemas that judge the requests.',
    success: [
      {
        status: 200,
        description: 'OpenAPI 3.1. May be cached.',
        schema: 'object',
        headers: ['Cache-Control.public'],
        example: { openapi: '3.1.1' },
      },
    ],
    errors: [],
  },
];
