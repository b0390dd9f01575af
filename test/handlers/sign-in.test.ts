/** Sign-in by the company's identity provider as its handlers respond (§5.4), by a real provider on loopback. Costs a second. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identityProvider, type SignInCode } from '../../functions/auth/provider.ts';
import { boundedFetch, rememberedDocument } from '../../functions/auth/provider-document.ts';
import { handler as getProfile } from '../../functions/handlers/get-profile.ts';
import { handler as getSignIn } from '../../functions/handlers/get-sign-in.ts';
import { handler as signIn } from '../../functions/handlers/sign-in.ts';
import { applyMessage } from '../../functions/platform/apply-facts.ts';
import { posted } from '../kit/api-event.ts';
import { COMPANY, useAuthServices } from '../kit/auth-services.ts';
import { invokeAsDocumented as invoke } from '../kit/documented.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  codeOf,
  startIdentityProvider,
  type IdentityProvider,
} from '../kit/identity-provider.ts';
import { codeOf as errorOf } from './session-calls.ts';

let real: IdentityProvider;
beforeAll(async () => {
  real = await startIdentityProvider();
});
afterAll(() => real.stop());

const setting = useAuthServices();
beforeEach(() => {
  real.accounts.clear();
  real.accounts.set('ada', { email: 'admin@acme.test', email_verified: true });
  const { clock } = setting();
  const settings = { issuer: real.issuer, client_id: CLIENT_ID };
  Object.assign(setting().services, {
    provider: identityProvider(settings, { clock, secret: async () => CLIENT_SECRET }),
  });
});

const sent = (body: object) =>
  invoke(signIn.on(setting().services), { ...posted(body), rawPath: '/api/v1/auth/sign-in' });
const signedIn = async (sub: string) => sent(await codeOf(real.issuer, sub));
const lastLine = () => setting().telemetry.lines.at(-1)?.fields;
const REFUSED = '401 unauthorized';
/** How often a sign-in was refused, and how often the provider or the registration made it fail. */
const counted = () =>
  ['SignInsRefused', 'SignInsFailed'].map(
    (name) => setting().telemetry.samples.filter(({ metric }) => metric === name).length,
  );

it('a code of the provider is exchanged for tokens of the user whose verified address it names', async () => {
  const { status, body } = await signedIn('ada');
  expect([status, Object.keys(body)]).toEqual([201, ['access_token', 'refresh_token']]);
  const headers = { authorization: `Bearer ${body.access_token}` };
  const profile = await invoke(getProfile.on(setting().services), { headers, rawPath: '/api/v1/auth/profile' });
  expect(profile.body).toMatchObject({ id: 1, role: 'admin' });
  expect(setting().memory.sessionItems.values()).toMatchObject([{ by: 'provider', user_id: 1 }]);
});

it('the log line of a sign-in names the session, and neither code nor address', async () => {
  await signedIn('ada');
  expect(lastLine()).toMatchObject({ user_id: 1, company_id: 'acme', session_id: expect.any(String) });
  expect(JSON.stringify(setting().telemetry.lines)).not.toMatch(/acme\.test|"ada"|code_verifier/);
});

describe('a sign-in is refused alike, and the log says why', () => {
  const refusal = async (response: ReturnType<typeof sent>) => {
    const { status, body } = await response;
    expect({ status, body }).toMatchObject({
      status: 401,
      body: { errors: [{ error_code: 'unauthorized', message: 'The sign-in was refused. Start it again.' }] },
    });
    return setting().telemetry.lines.findLast(({ message }) => message === 'A sign-in was refused.')?.fields;
  };

  it.each<[string, string, (one: SignInCode, other: SignInCode) => object]>([
    ['a code that nobody issued', 'invalid_grant', (one) => ({ ...one, code: 'x'.repeat(43) })],
    ['another verifier', 'invalid_grant', (one) => ({ ...one, code_verifier: 'v'.repeat(43) })],
    ['the code of another sign-in, injected', 'invalid_grant', (one, other) => ({ ...one, code: other.code })],
    ['another nonce', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED', (one) => ({ ...one, nonce: 'n'.repeat(16) })],
    [
      'another port than the person was sent to',
      'invalid_grant',
      (one) => ({ ...one, redirect_uri: 'http://127.0.0.1:9/' }),
    ],
  ])('%s', async (_, reason, change) => {
    const [one, other] = [await codeOf(real.issuer, 'ada'), await codeOf(real.issuer, 'ada')];
    expect(await refusal(sent(change(one, other)))).toEqual({ reason });
    expect(counted()).toEqual([1, 0]);
  });

  it('a code that was used before, also while it is being used', async () => {
    const code = await codeOf(real.issuer, 'ada');
    const statuses = (await Promise.all([sent(code), sent(code)])).map(({ status }) => status);
    expect(statuses.toSorted((a = 0, b = 0) => a - b)).toEqual([201, 401]);
    expect(await refusal(sent(code))).toEqual({ reason: 'invalid_grant' });
  });

  it.each([
    ['an unverified address', { email: 'admin@acme.test', email_verified: false }, 'email_verified'],
    ['an address that is verified by a text', { email: 'admin@acme.test', email_verified: 'true' }, 'email_verified'],
    ['an address without a word about it', { email: 'admin@acme.test' }, 'email_verified'],
    ['no address', { email_verified: true }, 'email'],
    ['an unknown address', { email: 'nobody@acme.test', email_verified: true }, 'user'],
    ['an address that is none', { email: 'admin', email_verified: true }, 'user'],
  ])('%s', async (_, claims, reason) => {
    real.accounts.set('eve', claims);
    expect(await refusal(signedIn('eve'))).toEqual({ reason });
  });

  it('an inactive user', async () => {
    setting().addUser({ license: 'inactive' });
    expect(await refusal(signedIn('ada'))).toEqual({ reason: 'user' });
  });

  it('another account with the address of a user who has signed in', async () => {
    expect((await signedIn('ada')).status).toBe(201);
    real.accounts.set('eve', { email: 'ADMIN@acme.test', email_verified: true });
    expect(await refusal(signedIn('eve'))).toEqual({ reason: 'another_sub' });
    expect(lastLine()).toMatchObject({ user_id: 1 });
    expect((await signedIn('ada')).status).toBe(201);
  });

  it('everyone where the deployment names no provider', async () => {
    Object.assign(setting().services, { provider: undefined });
    expect(await refusal(sent(await codeOf(real.issuer, 'ada')))).toEqual({ reason: 'provider' });
  });

  it('a client whose secret is wrong', async () => {
    const settings = { issuer: real.issuer, client_id: CLIENT_ID };
    const provider = identityProvider(settings, { clock: setting().clock, secret: async () => 'wrong' });
    Object.assign(setting().services, { provider });
    expect(await refusal(signedIn('ada'))).toEqual({ reason: 'invalid_client' });
    expect(counted()).toEqual([1, 1]);
  });
});

describe('the identity that is bound to a user', () => {
  const fact = (version: number, members: object) =>
    applyMessage(
      { facts: [{ kind: 'user', company_id: COMPANY.company_id, id: 7, version, ...members }] },
      setting().services,
    );
  const mia = {
    email: 'mia@acme.test',
    name: 'Mia',
    role: 'admin',
    avatar: 'https://acme.test/mia',
    license: 'active',
  };

  beforeEach(async () => {
    await fact(1, mia);
    for (const sub of ['mia', 'eve']) real.accounts.set(sub, { email: mia.email, email_verified: true });
    await signedIn('mia');
  });

  it('is the one that signed in first', async () => {
    expect(errorOf(await signedIn('eve'))).toBe(REFUSED);
    expect((await signedIn('mia')).status).toBe(201);
  });

  it('is another one once the platform has changed the address, also to the same one again', async () => {
    await fact(2, { ...mia, email: 'm@acme.test' });
    await fact(3, mia);
    expect((await signedIn('eve')).status).toBe(201);
    expect(errorOf(await signedIn('mia'))).toBe(REFUSED);
  });

  it('is one of two that sign in first at the same time', async () => {
    await fact(2, { ...mia, email: 'm@acme.test' });
    for (const sub of ['mia', 'eve']) real.accounts.set(sub, { email: 'm@acme.test', email_verified: true });
    const statuses = (await Promise.all([signedIn('mia'), signedIn('eve')])).map(({ status }) => status);
    expect(statuses.toSorted((a = 0, b = 0) => a - b)).toEqual([201, 401]);
  });

  it('is exported with the person, and erased with them', async () => {
    const { services } = setting();
    const { sessions } = services.stores;
    expect(await sessions.identityOf('acme', 7)).toEqual({ issuer: real.issuer, sub: 'mia', email: mia.email });
    await sessions.removeOf('acme', 7);
    expect(await sessions.identityOf('acme', 7)).toBeUndefined();
  });

  it('stays where a fact changes anything else', async () => {
    await fact(2, { ...mia, email: 'MIA@acme.test', name: 'Mia M.' });
    expect(errorOf(await signedIn('eve'))).toBe(REFUSED);
  });

  it('ends with the user', async () => {
    await fact(2, { deleted: true });
    await fact(3, mia);
    expect((await signedIn('eve')).status).toBe(201);
  });

  it('is another one where the deployment names another provider', async () => {
    const identity = { issuer: 'https://other.test', sub: 'x', email: mia.email };
    Object.assign(setting().services, { provider: { exchange: async () => ({ identity }) } });
    expect((await sent(await codeOf(real.issuer, 'mia'))).status).toBe(201);
  });
});

describe('redirect_uri', () => {
  it.each([
    'https://evil.test/',
    'https://history.test.evil.test/',
    'https://history.test/page',
    'http://history.test/',
    'http://127.0.0.1.evil.test:80/',
    'http://127.0.0.1/',
    'http://user@127.0.0.1:80/',
    'http://127.0.0.1:80/?next=https://evil.test',
    'http://localhost:80/',
    'javascript:alert(1)',
  ])('%s is refused before the provider is called', async (redirect_uri) => {
    const code = { code: 'c', code_verifier: 'v'.repeat(43), nonce: 'n'.repeat(16) };
    const { status, body } = await sent({ ...code, redirect_uri });
    expect([status, body.errors[0].field]).toEqual([400, 'redirect_uri']);
  });

  it('is the page of this stack, or a loopback address', async () => {
    const exchange = async ({ redirect_uri }: SignInCode) => ({ refused: redirect_uri });
    Object.assign(setting().services, { provider: { exchange } });
    const code = { code: 'c', code_verifier: 'v'.repeat(43), nonce: 'n'.repeat(16) };
    const own = ['https://history.test/', 'http://127.0.0.1:1/', 'http://[::1]:65535/back'];
    for (const redirect_uri of own) expect(errorOf(await sent({ ...code, redirect_uri }))).toBe(REFUSED);
  });
});

it('failures count for the address, whichever way it tries', async () => {
  const exchange = async () => ({ refused: 'invalid_grant' });
  Object.assign(setting().services, { provider: { exchange } });
  const code = { code: 'c', code_verifier: 'v'.repeat(43), nonce: 'n'.repeat(16), redirect_uri: 'http://127.0.0.1:1/' };
  for (let failures = 0; failures < 100; failures += 1) expect(errorOf(await sent(code))).toBe(REFUSED);
  expect(errorOf(await sent(code))).toBe('429 too_many_requests');
});

it('a provider that is down is 503, and counts as no failure', async () => {
  const provider = identityProvider({ issuer: 'http://127.0.0.1:9', client_id: CLIENT_ID }, { clock: setting().clock });
  Object.assign(setting().services, { provider });
  expect(errorOf(await sent(await codeOf(real.issuer, 'ada')))).toBe('503 temporarily_unavailable');
  expect(counted()).toEqual([0, 1]);
});

describe('how people sign in', () => {
  const asked = (ways: object) =>
    invoke(getSignIn.on({ ...setting().services, ...ways }), { rawPath: '/api/v1/auth/sign-in' });

  it('is by a password alone where the deployment names no provider', async () => {
    expect((await asked({})).body).toEqual({ password: true, provider: null });
  });

  it('is the address of the provider, from its own document', async () => {
    const { issuer } = real;
    const document = rememberedDocument(issuer, boundedFetch(issuer), setting().clock);
    const { body } = await asked({ takesPasswords: false, offered: { client_id: CLIENT_ID, document } });
    const provider = { issuer, authorization_endpoint: `${issuer}/auth`, client_id: CLIENT_ID, scope: 'openid email' };
    expect(body).toEqual({ password: false, provider });
  });
});
