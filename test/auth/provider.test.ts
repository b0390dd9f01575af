/** What an identity provider may say of a person (§5.4): forged and foreign ID tokens, and outages within a sign-in. Loopback. */
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as bodyText } from 'node:stream/consumers';
import { CompactSign, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identityProvider } from '../../functions/auth/provider.ts';
import { boundedFetch, type SignInSettings } from '../../functions/auth/provider-document.ts';
import { TemporarilyUnavailable } from '../../functions/runtime/faults.ts';
import { serve, type Serving } from '../kit/serve.ts';
import PROVIDERS from './providers.json' with { type: 'json' };

const ec = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const OURS = ec();
const OTHER = ec();
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwkOf = (key: KeyObject, more: object) => ({ ...key.export({ format: 'jwk' }), use: 'sig', ...more });
const KEYS = [jwkOf(OURS.publicKey, { kid: 'p', alg: 'ES256' }), jwkOf(RSA.publicKey, { kid: 'r', alg: 'RS256' })];

interface Calls {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly form: URLSearchParams;
}

type Responder = (response: ServerResponse) => unknown;
const json =
  (value: unknown, status = 200): Responder =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

let provider: Serving;
let paths: Record<string, Responder>;
let calls: Calls[];

beforeAll(async () => {
  provider = await serve(async (request: IncomingMessage, response) => {
    const { url: path = '', headers } = request;
    calls.push({ path, authorization: headers.authorization, form: new URLSearchParams(await bodyText(request)) });
    return (paths[path] ?? json({}, 404))(response);
  });
});
afterAll(() => provider.stop());

const documentOf = (more: object = {}) => ({
  issuer: provider.url,
  authorization_endpoint: `${provider.url}/auth`,
  token_endpoint: `${provider.url}/token`,
  jwks_uri: `${provider.url}/jwks`,
  id_token_signing_alg_values_supported: ['ES256', 'RS256', 'HS256', 'none'],
  authorization_response_iss_parameter_supported: true,
  ...more,
});

beforeEach(() => {
  calls = [];
  paths = {
    '/.well-known/openid-configuration': json(documentOf()),
    '/jwks': json({ keys: KEYS }),
  };
});

const SENT = {
  code: 'the-code',
  code_verifier: 'v'.repeat(43),
  nonce: 'the-nonce-of-the-tab',
  redirect_uri: 'http://127.0.0.1:8765/',
};
const nowSeconds = () => Math.floor(Date.now() / 1000);
const claims = (more: object = {}) => ({
  iss: provider.url,
  aud: 'us',
  sub: 'ada',
  nonce: SENT.nonce,
  iat: nowSeconds(),
  exp: nowSeconds() + 60,
  email: 'ada@acme.test',
  email_verified: true,
  ...more,
});
const signed = (more: object = {}, { key = OURS.privateKey, header = {} } = {}) =>
  new SignJWT(claims(more)).setProtectedHeader({ alg: 'ES256', kid: 'p', ...header }).sign(key);

const CLOCK = { nowMs: () => 0 };
/** @param ms shorter where a provider is silent: a test waits for it */
const exchanged = (settings: Partial<SignInSettings> = {}, secret?: string, ms = 20_000) =>
  identityProvider(
    { issuer: provider.url, client_id: 'us', ...settings },
    {
      clock: CLOCK,
      ...(secret !== undefined && { secret: async () => secret }),
      fetch: boundedFetch(provider.url, { ms, bytes: 10_000 }),
    },
  );
const answering = (id_token: string | undefined, more: object = {}) => {
  paths['/token'] = json({ access_token: 'a', token_type: 'Bearer', id_token, ...more });
};

const ADA = { identity: { issuer: 'provider', sub: 'ada', email: 'ada@acme.test' } };
const ada = () => ({ identity: { ...ADA.identity, issuer: provider.url } });

describe('an exchange', () => {
  it('sends code, verifier and redirect address, and returns who signed in', async () => {
    answering(await signed());
    expect(await exchanged().exchange(SENT)).toEqual(ada());
    const [, token] = calls;
    expect(Object.fromEntries(token?.form ?? [])).toEqual({
      grant_type: 'authorization_code',
      code: SENT.code,
      code_verifier: SENT.code_verifier,
      redirect_uri: SENT.redirect_uri,
      client_id: 'us',
    });
    expect(calls.map(({ path }) => path)).toEqual(['/.well-known/openid-configuration', '/token', '/jwks']);
  });

  it('reads document and keys once for many sign-ins', async () => {
    answering(await signed());
    const { exchange } = exchanged();
    await exchange(SENT);
    await exchange(SENT);
    expect(calls.filter(({ path }) => path !== '/token')).toHaveLength(2);
  });

  it('authenticates by the secret, in the header or, where the provider has no such way, in the form', async () => {
    answering(await signed());
    await exchanged({}, 's&+%').exchange(SENT);
    paths['/.well-known/openid-configuration'] = json(
      documentOf({ token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt'] }),
    );
    await exchanged({}, 's&+%').exchange(SENT);
    const [header, form] = calls.filter(({ path }) => path === '/token');
    expect([header?.authorization, header?.form.get('client_secret')]).toEqual([
      `Basic ${btoa('us:s%26%2B%25')}`,
      null,
    ]);
    expect([form?.authorization, form?.form.get('client_secret')]).toEqual([undefined, 's&+%']);
  });

  it('takes RS256, too', async () => {
    answering(await signed({}, { key: RSA.privateKey, header: { alg: 'RS256', kid: 'r' } }));
    expect(await exchanged().exchange(SENT)).toEqual(ada());
  });
});

describe('a sign-in by a provider that docs/deploy.md names', () => {
  it.each(Object.entries(PROVIDERS))('%s', async (name, document) => {
    const { issuer, token_endpoint, jwks_uri } = document;
    // Entra sends no word about the address.
    const sendsVerified = name !== 'Microsoft Entra ID';
    const claim = { iss: issuer, ...(!sendsVerified && { email_verified: undefined }) };
    const id_token = await signed(claim, { key: RSA.privateKey, header: { alg: 'RS256', kid: 'r' } });
    const responses: Record<string, object> = {
      [`${issuer}/.well-known/openid-configuration`]: document,
      [token_endpoint]: { access_token: 'a', token_type: 'Bearer', id_token },
      [jwks_uri]: { keys: KEYS },
    };
    const asked: string[] = [];
    const fetch = async (url: string) => (asked.push(url), Response.json(responses[url]));
    const signIn = (settings: object) =>
      identityProvider({ issuer, client_id: 'us', ...settings }, { clock: CLOCK, secret: async () => 's', fetch });
    const outcome = await signIn(sendsVerified ? {} : { unverified_email: true }).exchange(SENT);
    expect(outcome).toEqual({ identity: { ...ADA.identity, issuer } });
    expect(asked).toEqual(Object.keys(responses));
    const strict = await signIn({}).exchange(SENT);
    expect(strict).toEqual(sendsVerified ? outcome : { refused: 'email_verified' });
  });
});

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const hmac = (secret: string | Buffer) => {
  const input = `${part({ alg: 'HS256', kid: 'p' })}.${part(claims())}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
};

describe('an ID token is refused', () => {
  it.each<[string, () => string | undefined | Promise<string>]>([
    ['that is absent', () => undefined],
    ['of another issuer', () => signed({ iss: 'https://evil.test' })],
    ['for another client', () => signed({ aud: 'them' })],
    ['for several clients, that another one asked for', () => signed({ aud: ['us', 'them'], azp: 'them' })],
    ['of another sign-in', () => signed({ nonce: 'another-nonce' })],
    ['without a nonce', () => signed({ nonce: undefined })],
    ['that has expired', () => signed({ exp: nowSeconds() - 60 })],
    ['that never expires', () => signed({ exp: undefined })],
    ['that is not valid yet', () => signed({ nbf: nowSeconds() + 600 })],
    ['without a time', () => signed({ iat: undefined })],
    ['of another key', () => signed({}, { key: OTHER.privateKey })],
    ['of an unknown key', () => signed({}, { header: { kid: 'x' } })],
    [
      'whose header brings its key',
      () => signed({}, { key: OTHER.privateKey, header: { jwk: jwkOf(OTHER.publicKey, {}) } }),
    ],
    [
      'whose header names the address of its key',
      () => signed({}, { key: OTHER.privateKey, header: { jku: `${provider.url}/evil` } }),
    ],
    ['with a critical extension', () => signedCritical()],
    ['without a signature', () => `${part({ alg: 'none' })}.${part(claims())}.`],
    ['whose signature is cut off', async () => (await signed()).replace(/[^.]*$/, '')],
    [
      'signed by the public key as if it were a secret',
      () => hmac(RSA.publicKey.export({ type: 'spki', format: 'pem' })),
    ],
    ['signed by the secret of the client', () => hmac('secret')],
    ['of no person', () => signed({ sub: undefined })],
    ['of a nameless person', () => signed({ sub: '' })],
    ['of a person with a name without an end', () => signed({ sub: 's'.repeat(256) })],
    ['with an unverified address', () => signed({ email_verified: false })],
    ['with an address verified by a text', () => signed({ email_verified: 'true' })],
    ['without a word about the address', () => signed({ email_verified: undefined })],
    ['without an address', () => signed({ email: undefined })],
    ['with two addresses', () => signed({ email: ['ada@acme.test', 'admin@acme.test'] })],
    ['that is no token', () => 'a.b.c'],
    ['that is encrypted', () => 'a.b.c.d.e'],
  ])('%s', async (_, token) => {
    answering(await token());
    const outcome = await exchanged({}, 'secret').exchange(SENT);
    expect(outcome).toEqual({ refused: expect.stringMatching(/^[A-Z_]+$|^sub$|^email$|^email_verified$/) });
    expect(calls.map(({ path }) => path)).not.toContain('/evil');
  });

  it('with an address that the provider calls unverified, also where the deployment takes one without a word', async () => {
    const { exchange } = exchanged({ unverified_email: true });
    answering(await signed({ email_verified: undefined }));
    expect(await exchange(SENT)).toEqual(ada());
    answering(await signed({ email_verified: false }));
    expect(await exchange(SENT)).toEqual({ refused: 'email_verified' });
  });
});

const signedCritical = () =>
  new CompactSign(Buffer.from(JSON.stringify(claims())))
    .setProtectedHeader({ alg: 'ES256', kid: 'p', crit: ['b64'], b64: true })
    .sign(OURS.privateKey);

describe('a sign-in is refused', () => {
  it.each<[string, Responder, string]>([
    ['as the provider says', json({ error: 'invalid_grant' }, 400), 'invalid_grant'],
    ['without the words of the provider', json({ error: 'A <b>text</b> of theirs' }, 400), 'error'],
    ['with another status', json({}, 404), 'OAUTH_RESPONSE_IS_NOT_CONFORM'],
    ['with another form', (response) => response.end('<html>'), 'OAUTH_RESPONSE_IS_NOT_JSON'],
    [
      'with broken JSON',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
      'OAUTH_PARSE_ERROR',
    ],
    ['with another kind of token', json({ access_token: 'a', token_type: 'mac' }), 'OAUTH_UNSUPPORTED_OPERATION'],
  ])('%s', async (_, respond, refused) => {
    paths['/token'] = respond;
    expect(await exchanged().exchange(SENT)).toEqual({ refused });
  });
});

describe('a provider that does not respond is an outage', () => {
  const OUTAGES: readonly (readonly [string, Responder])[] = [
    ['fails', json({}, 503)],
    ['is busy', json({}, 429)],
    ['is silent', () => undefined],
    ['redirects', (response) => response.writeHead(307, { location: `${provider.url}/evil` }).end()],
    ['sends too much', json({ keys: 'x'.repeat(20_000) })],
    ['cuts the connection', (response) => response.destroy()],
  ];
  const AT = ['/.well-known/openid-configuration', '/token', '/jwks'];

  it.each(AT.flatMap((path) => OUTAGES.map(([name, respond]) => [path, name, respond] as const)))(
    '%s %s',
    async (path, name, respond) => {
      answering(await signed());
      paths[path] = respond;
      const ms = name === 'is silent' ? 300 : 20_000;
      await expect(exchanged({}, undefined, ms).exchange(SENT)).rejects.toThrow(TemporarilyUnavailable);
      expect(calls.map((call) => call.path)).not.toContain('/evil');
    },
  );

  it('after an hour without its document, the last one is used', async () => {
    let now = 0;
    const settings = { issuer: provider.url, client_id: 'us' };
    const { exchange } = identityProvider(settings, { clock: { nowMs: () => now } });
    answering(await signed());
    await exchange(SENT);
    now = 3_600_001;
    paths['/.well-known/openid-configuration'] = json({}, 500);
    expect(await exchange(SENT)).toEqual(ada());
  });
});
