/** Keys for machines (§5.3) over HTTP: tokens, forgeries, scopes, and what ends them. Costs a few seconds. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as oauth from 'oauth4webapi';
import { exportJWK, generateKeyPair, importJWK, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import type { LocalStack } from '../../bin/local/stack.ts';
import { ROUTES, type RouteName } from '../../functions/shared/routes.ts';
import { SCOPES as ALL, type Scope } from '../../functions/shared/codes.ts';
import { sender, tokensOf, type Send } from '../kit/http-client.ts';
import { startStackOn } from '../kit/local-stack.ts';

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const PATH = '/api/v1/auth/token';
const ADMIN = { email: 'admin@acme.test', password: 'changeme' };

interface Pair {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}
const keys: Record<string, Pair> = {};
let stack: LocalStack;
let send: Send;
let issuer: string;
let jti = 0;

beforeAll(async () => {
  for (const [kid, alg] of [
    ['ec', 'ES256'],
    ['ed', 'EdDSA'],
    ['rsa', 'RS256'],
    ['other', 'ES256'],
    ['stranger', 'ES256'],
  ] as const)
    keys[kid] = await generateKeyPair(alg, { extractable: true, ...(alg === 'EdDSA' && { crv: 'Ed25519' }) });
  const jwks = async (...kids: string[]) => ({
    keys: await Promise.all(kids.map(async (kid) => ({ ...(await exportJWK(keyOf(kid).publicKey)), kid }))),
  });
  const company = (company_id: string) => ({ company_id, name: company_id, migrations_enabled: true });
  const user = { id: 1, company_id: 'acme', name: 'Ada', role: 'admin', avatar: '', license: 'active' };
  stack = await startStackOn({
    companies: [company('acme'), company('globex')],
    users: [{ ...user, ...ADMIN }],
    courses: [{ company_id: 'acme', platform_course_id: 101, title: 'A', has_exam: false, classes: [] }],
    clients: [
      { company_id: 'acme', client_id: 'nightly', name: 'N', jwks: await jwks('ec', 'ed', 'rsa'), scopes: ALL },
      // Its id is that of the user: whose token it is follows from `client_id` alone.
      { company_id: 'acme', client_id: '1', name: 'Reader', jwks: await jwks('other'), scopes: ['read'] },
    ],
  });
  send = sender(stack.url);
  issuer = (await send('GET', '/api/v1/auth/.well-known/oauth-authorization-server')).body.issuer;
});
afterAll(() => stack.stop());

const keyOf = (kid: string): Pair => keys[kid] ?? expect.fail(`no key ${kid}`);
const now = () => Math.floor(Date.now() / 1000);
const claimsOf = (client_id = 'nightly'): JWTPayload => ({
  iss: client_id,
  sub: client_id,
  aud: issuer,
  exp: now() + 60,
  iat: now(),
  jti: `j-${(jti += 1)}`,
});

const ALGORITHMS: Readonly<Record<string, string>> = { ed: 'EdDSA', rsa: 'RS256' };
function signed(
  claims: object,
  { kid = 'ec', by = kid, header = {} }: { kid?: string; by?: string; header?: object } = {},
) {
  const protectedHeader = { alg: ALGORITHMS[by] ?? 'ES256', kid, ...header };
  return new SignJWT(claims as JWTPayload).setProtectedHeader(protectedHeader).sign(keyOf(by).privateKey);
}

async function post(form: Readonly<Record<string, string>> | string, type = 'application/x-www-form-urlencoded') {
  const body = typeof form === 'string' ? form : new URLSearchParams(form).toString();
  const response = await fetch(stack.url + PATH, { method: 'POST', body, headers: { 'content-type': type } });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}
const asking = (client_assertion: string, more = {}) =>
  post({ grant_type: 'client_credentials', client_assertion_type: TYPE, client_assertion, ...more });
const tokenFor = async (scope?: string, client_id = 'nightly', kid = 'ec'): Promise<string> =>
  (await asking(await signed(claimsOf(client_id), { kid }), scope === undefined ? {} : { scope })).body.access_token;

describe('a token', () => {
  it.each(['ec', 'ed', 'rsa'])('is given for an assertion by the key %s', async (kid) => {
    const { status, body, headers } = await asking(await signed(claimsOf(), { kid }));
    expect([status, body]).toEqual([
      200,
      { access_token: expect.any(String), token_type: 'Bearer', expires_in: 900, scope: ALL.join(' ') },
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
    const courses = await send('GET', '/v1/migrations/acme/catalog/courses', { token: body.access_token });
    expect(courses.status).toBe(200);
  });

  it('the address of the endpoint is an audience, too', async () => {
    expect((await asking(await signed({ ...claimsOf(), aud: stack.url + PATH }))).status).toBe(200);
  });

  it('is given to a client of an OAuth library, which reads where and how from the metadata', async () => {
    const insecure = { [oauth.allowInsecureRequests]: true };
    const response = await fetch(`${stack.url}/api/v1/auth/.well-known/oauth-authorization-server`);
    const server = await oauth.processDiscoveryResponse(new URL(issuer), response);
    const client = { client_id: 'nightly' };
    const authentication = oauth.PrivateKeyJwt({ key: keyOf('ec').privateKey, kid: 'ec' });
    const asked = { scope: 'dry-run read' };
    const granted = await oauth.clientCredentialsGrantRequest(server, client, authentication, asked, insecure);
    const { access_token, expires_in, scope } = await oauth.processClientCredentialsResponse(server, client, granted);
    expect([expires_in, scope]).toEqual([900, 'read dry-run']);
    const url = new URL('/v1/migrations/acme/catalog/courses', stack.url);
    const courses = await oauth.protectedResourceRequest(access_token, 'GET', url, undefined, undefined, insecure);
    expect(courses.status).toBe(200);
  });

  it('has the scopes that were asked for', async () => {
    const { body } = await asking(await signed(claimsOf()), { scope: 'import read' });
    expect(body.scope).toBe('read import');
  });

  it.each(['read approve', '*', 'READ', 'read  import'])('of the scope %j is refused', async (scope) => {
    const { status, body } = await asking(await signed(claimsOf()), { scope });
    expect([status, body.error]).toEqual([400, 'invalid_scope']);
  });

  it('an assertion is used once, also by two at once', async () => {
    const assertion = await signed(claimsOf());
    const raced = await Promise.all(Array.from({ length: 6 }, () => asking(assertion)));
    expect(raced.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 401, 401, 401, 401, 401,
    ]);
    expect((await asking(assertion)).body.error).toBe('invalid_client');
  });

  const record = {
    external_record_id: 'm-1',
    user: { email: ADMIN.email },
    content: { type: 'course', platform_course_id: 101 },
    progress: { completion_pct: 10 },
  };

  it('a machine that makes an import is named by it', async () => {
    const body = { dry_run: true, records: [record] };
    const made = await send('POST', '/v1/migrations/acme/progress/imports', { token: await tokenFor('dry-run'), body });
    expect(made.body).toMatchObject({ created_by: null, created_by_client: 'nightly', status: 'validated' });
    const listed = await send('GET', '/v1/migrations/acme/progress/imports', { token: await tokenFor('read') });
    expect(listed.body.imports[0]).toMatchObject({ created_by: null, created_by_client: 'nightly' });
  });

  it('a machine that applies the plan of a person is named by the imports', async () => {
    const base = '/v1/migrations/acme/progress';
    const person = { token: (await tokensOf(send, ADMIN.email, ADMIN.password)).access };
    const body = { dry_run: true, run_id: 'by-machine', records: [record] };
    const { import_id, created_by } = (await send('POST', `${base}/imports`, { ...person, body })).body;
    expect(created_by).toBe(1);
    const plan = `${base}/runs/by-machine/plan`;
    const { plan_digest } = (await send('POST', plan, { ...person, body: { import_ids: [import_id] } })).body;
    const asked = { token: await tokenFor('import'), body: { plan_digest } };
    expect((await send('POST', `${plan}/apply`, asked)).status).toBe(202);
    for (let status = 'applying'; status === 'applying';) status = (await send('GET', plan, person)).body.status;
    expect((await send('GET', plan, person)).body).toMatchObject({
      created_by: 1,
      status: 'applied',
      applied_by: null,
    });
    const { imports } = (await send('GET', `${base}/imports?run_id=by-machine`, person)).body;
    expect(imports).toMatchObject([
      { dry_run: false, created_by: null, created_by_client: 'nightly' },
      { dry_run: true, created_by: 1, created_by_client: null },
    ]);
  });
});

describe('forgeries', () => {
  const changed =
    (changes: object, how = {}) =>
    async () =>
      signed({ ...claimsOf(), ...changes }, how);
  const CLAIMS = ['iss', 'sub', 'aud', 'exp', 'jti'];
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const FORGED: Readonly<Record<string, () => Promise<string>>> = {
    ...Object.fromEntries(CLAIMS.map((name) => [`no ${name}`, changed({ [name]: undefined })])),
    ...Object.fromEntries(CLAIMS.map((name) => [`${name} null`, changed({ [name]: null })])),
    ...Object.fromEntries(CLAIMS.map((name) => [`${name} a list`, changed({ [name]: [1] })])),
    ...Object.fromEntries(['iat', 'nbf'].map((name) => [`${name} ahead`, changed({ [name]: now() + 60 })])),
    ...Object.fromEntries(['iat', 'nbf'].map((name) => [`${name} as text`, changed({ [name]: '1' })])),
    'another issuer': changed({ iss: '1' }),
    'another subject': changed({ sub: '1' }),
    'another client': changed({ iss: '1', sub: '1' }),
    'an unknown client': changed({ iss: 'nobody', sub: 'nobody' }),
    'a client id that climbs': changed({ iss: '../acme', sub: '../acme' }),
    'a client id with a #': changed({ iss: 'a#b', sub: 'a#b' }),
    'another audience': changed({ aud: 'urn:else' }),
    'a list of our audience': async () => signed({ ...claimsOf(), aud: [issuer] }),
    'the audience of tokens': async () => signed({ ...claimsOf(), aud: `${issuer}:api` }),
    'the endpoint of another host': changed({ aud: `https://evil.example${PATH}` }),
    'our audience in upper case': async () => signed({ ...claimsOf(), aud: issuer.toUpperCase() }),
    expired: async () => signed({ ...claimsOf(), exp: now() - 1 }),
    'expired this second': async () => signed({ ...claimsOf(), exp: now() }),
    'an expiry too far ahead': async () => signed({ ...claimsOf(), exp: now() + 310 }),
    'an expiry with a fraction': async () => signed({ ...claimsOf(), exp: now() + 1.5 }),
    'an empty jti': changed({ jti: '' }),
    'a long jti': changed({ jti: 'x'.repeat(257) }),
    'the key of another client': changed({}, { kid: 'ec', by: 'other' }),
    'the kid of another client': changed({}, { kid: 'other' }),
    'a key that nobody registered': changed({}, { kid: 'stranger' }),
    'a kid replaced': changed({}, { kid: 'ed', by: 'ec' }),
    'no kid': changed({}, { by: 'ec', header: { kid: undefined } }),
    'a kid that is a number': changed({}, { by: 'ec', header: { kid: 7 } }),
    'a kid of the prototype': changed({}, { kid: '__proto__', by: 'ec' }),
    'a critical extension': async () =>
      `${encoded({ alg: 'ES256', kid: 'ec', crit: ['exp'] })}.${(await signed(claimsOf())).split('.').slice(1).join('.')}`,
    'the type of a token': changed({}, { header: { typ: 'at+jwt' } }),
    'a jku': changed({}, { kid: 'stranger', header: { jku: 'https://evil.example/keys' } }),
    'a key in the header': async () =>
      changed({}, { kid: 'stranger', header: { jwk: await exportJWK(keyOf('stranger').publicKey) } })(),
    'an x5u': changed({}, { kid: 'stranger', header: { x5u: 'https://evil.example/x' } }),
    'RS256 as PS256': async () =>
      new SignJWT(claimsOf())
        .setProtectedHeader({ alg: 'PS256', kid: 'rsa' })
        .sign(await importJWK(await exportJWK(keyOf('rsa').privateKey), 'PS256')),
    'the public key as a secret': async () =>
      new SignJWT(claimsOf())
        .setProtectedHeader({ alg: 'HS256', kid: 'rsa' })
        .sign(Buffer.from(JSON.stringify(await exportJWK(keyOf('rsa').publicKey)))),
    'no algorithm': async () => `${encoded({ alg: 'none', kid: 'ec' })}.${encoded(claimsOf())}.`,
    'no signature': async () => `${(await signed(claimsOf())).split('.').slice(0, 2).join('.')}.`,
    'another payload': async () => (await signed(claimsOf())).replace(/\.[^.]+\./, `.${encoded(claimsOf())}.`),
    'a changed signature': async () => (await signed(claimsOf())).replace(/.{6}$/, 'AAAAAA'),
    'padding behind it': async () => `${await signed(claimsOf())}=`,
    'four parts': async () => `${await signed(claimsOf())}.a`,
    'a text': async () => 'a.b.c',
    nothing: async () => '',
    'a long text': async () => 'a'.repeat(9000),
    'a token of a person': async () => (await tokensOf(send, ADMIN.email, ADMIN.password)).access,
    'a token of a client': () => tokenFor(),
  };
  it.each(Object.entries(FORGED))('%s is refused', async (_, forge) => {
    const { status, body } = await asking(await forge());
    expect([status, body]).toEqual([401, { error: 'invalid_client', error_description: expect.any(String) }]);
  });

  it('an assertion is no token, in whatever type', async () => {
    for (const typ of ['JWT', 'at+jwt']) {
      const token = await signed(
        { ...claimsOf(), client_id: 'nightly', scope: 'read', company_id: 'acme', key: 'x' },
        { header: { typ } },
      );
      expect((await send('GET', '/v1/migrations/acme/catalog/courses', { token })).status).toBe(401);
    }
  });

  it.each<[string, string, number, string]>([
    ['no grant type', 'a=1', 400, 'invalid_request'],
    ['another grant type', 'grant_type=password', 400, 'unsupported_grant_type'],
    ['a parameter twice', 'grant_type=client_credentials&grant_type=client_credentials', 400, 'invalid_request'],
    ['no assertion', 'grant_type=client_credentials', 401, 'invalid_client'],
    ['an unknown parameter', 'grant_type=client_credentials&client_secret=x', 400, 'invalid_request'],
    ['a body that is too large', `grant_type=${'x'.repeat(20_000)}`, 413, 'invalid_request'],
  ])('%s is refused in the form of RFC 6749', async (_, body, status, error) => {
    const response = await post(body);
    expect([response.status, response.body.error]).toEqual([status, error]);
  });

  it('JSON is no form', async () => {
    expect((await post('{}', 'application/json')).body.error).toBe('invalid_request');
  });
});

describe('what the platform takes away is refused from the next request on', () => {
  const LIST = '/v1/migrations/acme/catalog/courses';
  const jwk = async (kid: string, as: string) => ({ ...(await exportJWK(keyOf(kid).publicKey)), kid: as });
  let version = Date.now() + 1_000_000;
  const say = (more: object) => {
    const fact = {
      kind: 'client',
      version: (version += 1),
      company_id: 'acme',
      client_id: 'fleeting',
      name: 'F',
      ...more,
    };
    const headers = { 'content-type': 'application/json' };
    return fetch(`${stack.url}/local/intake`, { method: 'POST', headers, body: JSON.stringify({ facts: [fact] }) });
  };
  const registered = async () => ({ jwks: { keys: [await jwk('ec', 'ec')] }, scopes: ['read', 'import'] });

  it.each<[string, number, () => Promise<object>]>([
    ['the client', 401, async () => ({ deleted: true })],
    [
      'its key, replaced under the same kid',
      401,
      async () => ({ ...(await registered()), jwks: { keys: [await jwk('other', 'ec')] } }),
    ],
    ['its scope', 403, async () => ({ ...(await registered()), scopes: ['import'] })],
  ])('%s', async (_, status, change) => {
    await say(await registered());
    const token = await tokenFor(undefined, 'fleeting');
    expect((await send('GET', LIST, { token })).status).toBe(200);
    await say(await change());
    expect((await send('GET', LIST, { token })).status).toBe(status);
  });
});

describe('scopes', () => {
  /** The operations that change something; whatever is read has the scope `read`. */
  const CHANGING: Readonly<Partial<Record<RouteName, readonly Scope[]>>> = {
    'resolve-users': ['read'],
    'register-user-mappings': ['import'],
    'delete-user-mapping': ['import'],
    'register-course-mappings': ['import'],
    'delete-course-mapping': ['import'],
    'start-import': ['dry-run', 'import'],
    'put-run': ['dry-run'],
    'delete-run': ['dry-run'],
    'make-plan': ['dry-run'],
    'delete-plan': ['dry-run'],
    'approve-plan': [],
    'apply-plan': ['import'],
    'cancel-import': ['import'],
    'cancel-run': ['import'],
    'revert-import': ['revert'],
    'revert-run': ['revert'],
    'sign-evidence': ['evidence'],
    logout: [],
  };
  const opens = (scope: Scope, { name, method, access }: (typeof ROUTES)[number]): boolean => {
    const reading = access === 'migration' && method === 'GET' ? ['read'] : [];
    return (CHANGING[name] ?? reading).includes(scope);
  };
  const call = (token: string, { method, path }: (typeof ROUTES)[number], company: string, body: object) =>
    send(method, path.replace('{company_id}', company).replaceAll(/\{\w+\}/g, 'x'), {
      token,
      ...((method === 'POST' || method === 'PUT') && { body }),
    });

  it.each(ALL)('the scope %s opens its operations and no other', async (scope) => {
    const token = await tokenFor(scope);
    for (const route of ROUTES.filter(({ access }) => access !== 'public')) {
      const dry_run = scope === 'dry-run';
      const bodies = route.name === 'start-import' ? { dry_run, records: [{}] } : {};
      const { status, body, headers } = await call(token, route, 'acme', bodies);
      const isOpen = opens(scope, route);
      const refused = status === 403 && body.errors[0].error_code === 'insufficient_scope';
      expect([route.name, refused]).toEqual([route.name, !isOpen]);
      const challenge = headers.get('x-amzn-remapped-www-authenticate') ?? '';
      expect(challenge.startsWith('Bearer error="insufficient_scope"')).toBe(refused);
      const foreign = await call(token, route, 'globex', bodies);
      const expected = route.access === 'migration' ? 'forbidden' : 'insufficient_scope';
      expect(foreign.body.errors[0].error_code).toBe(expected);
    }
  });

  it('whether it is a dry run is judged after the form of the body', async () => {
    const path = '/v1/migrations/acme/progress/imports';
    const token = await tokenFor(undefined, '1', 'other');
    expect((await send('POST', path, { token, body: {} })).status).toBe(400);
    for (const [scope, dry_run] of [
      ['import', true],
      ['dry-run', false],
    ] as const) {
      const { body } = await send('POST', path, { token: await tokenFor(scope), body: { dry_run, records: [{}] } });
      expect(body.errors[0].error_code).toBe('insufficient_scope');
    }
  });

  it('the profile and the logout are a person’s, also where the ids are equal', async () => {
    const token = await tokenFor(undefined, '1', 'other');
    expect((await send('GET', '/api/v1/auth/profile', { token })).status).toBe(403);
    expect((await send('POST', '/api/v1/auth/logout', { token })).status).toBe(403);
  });
});
