/** What a client makes for a sign-in, and what it takes back (§5.4). Costs milliseconds. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { sentBackIn, signInRequestOf, startSignIn } from '../../../bin/importer/client/sign-in.ts';

const PROVIDER = {
  issuer: 'https://idp.test',
  authorization_endpoint: 'https://idp.test/auth?tenant=acme',
  client_id: 'us',
  scope: 'openid email',
};
const PAGE = 'https://acme.test/';

it('a person goes to the provider with state, nonce and the challenge of a verifier, which stays', async () => {
  const { address, attempt } = await startSignIn(PROVIDER, PAGE);
  const { origin, pathname, searchParams } = new URL(address);
  expect(origin + pathname).toBe('https://idp.test/auth');
  expect(Object.fromEntries(searchParams)).toEqual({
    tenant: 'acme',
    response_type: 'code',
    client_id: 'us',
    redirect_uri: PAGE,
    scope: 'openid email',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: createHash('sha256').update(attempt.code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  expect(address).not.toContain(attempt.code_verifier);
});

it('no two sign-ins share a random text, and each has 256 bits', async () => {
  const attempts = await Promise.all([startSignIn(PROVIDER, PAGE), startSignIn(PROVIDER, PAGE)]);
  const texts = attempts.flatMap(({ attempt: { state, nonce, code_verifier } }) => [state, nonce, code_verifier]);
  expect(new Set(texts).size).toBe(6);
  for (const text of texts) expect(text).toMatch(/^[\w-]{43}$/);
});

it.each([
  ['a code', '?code=c&state=s', { code: 'c', state: 's' }],
  ['a code with the issuer', '?code=c&state=s&iss=i&session_state=x', { code: 'c', state: 's', iss: 'i' }],
  ['a refusal', '?error=access_denied&state=s', { error: 'access_denied', state: 's' }],
  ['a page without a query', '', undefined],
  ['a code without a state', '?code=c', undefined],
  ['another query', '?state=s', undefined],
])('%s is read as it is', (_, query, sent) => {
  expect(sentBackIn(new URLSearchParams(query))).toEqual(sent);
});

it.each([
  ['another state', { state: 'other' }],
  ['no state', { state: undefined }],
  ['another issuer: the mix-up of two providers', { iss: 'https://evil.test' }],
  ['a refusal', { code: undefined, error: 'access_denied' }],
  ['an empty code', { code: '' }],
])('%s sends nothing to the service', async (_, change) => {
  const { attempt } = await startSignIn(PROVIDER, PAGE);
  const sent = { code: 'c', state: attempt.state };
  const { nonce, code_verifier } = attempt;
  expect(signInRequestOf(attempt, sent)).toEqual({ code: 'c', nonce, code_verifier, redirect_uri: PAGE });
  expect(signInRequestOf(attempt, { ...sent, iss: PROVIDER.issuer })).toBeDefined();
  expect(signInRequestOf(attempt, JSON.parse(JSON.stringify({ ...sent, ...change })))).toBeUndefined();
});
