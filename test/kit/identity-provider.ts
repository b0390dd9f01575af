/** A certified identity provider on loopback (oidc-provider), whose accounts sign in at once, and a person's way through it. */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { Provider } from 'oidc-provider';
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js';
import { serve } from './serve.ts';

/** The claims of each account, by its `sub`; a test may change them. */
type Accounts = Map<string, Readonly<Record<string, unknown>>>;

export const CLIENT_ID = 'migrations';
/** Of a client without a secret, where a test asks for one. */
export const PUBLIC_CLIENT_ID = 'migrations-public';
export const CLIENT_SECRET = 'a secret of the client, with + and %';
export const REDIRECT_URI = 'http://127.0.0.1:8765/';

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

/** @param clients further ones, by id: public, and by themselves registered for every loopback port */
export async function startIdentityProvider({ clients = [] as readonly string[] } = {}) {
  const accounts: Accounts = new Map();
  const serving = await serve((request, response) => listener(request, response));
  const { url } = serving;
  const provider = new Provider(url, configured(accounts, clients));
  const callback = provider.callback();
  const signInAtOnce = async (...[request, response]: Parameters<typeof callback>) => {
    const { params } = await provider.interactionDetails(request, response);
    const { login_hint: accountId = 'ada', client_id: clientId } = params;
    const grant = new provider.Grant({ accountId, clientId });
    grant.addOIDCScope('openid email');
    const result = { login: { accountId }, consent: { grantId: await grant.save() } };
    await provider.interactionFinished(request, response, result);
  };
  const listener = (...[request, response]: Parameters<typeof callback>) =>
    request.url?.startsWith('/interaction/') ? signInAtOnce(request, response) : callback(request, response);
  return { url, issuer: url, accounts, stop: () => serving.stop() };
}

function configured(accounts: Accounts, clients: readonly string[]) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ofClients = {
    redirect_uris: ['http://127.0.0.1/'],
    // Any port of loopback (RFC 8252, section 7.3).
    application_type: 'native',
    id_token_signed_response_alg: 'ES256',
  };
  return {
    clients: [
      { ...ofClients, client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
      ...clients.map((client_id) => ({ ...ofClients, client_id, token_endpoint_auth_method: 'none' })),
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'p', alg: 'ES256', use: 'sig' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    // The members of scopes are in the ID token, as most providers do it.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    // Otherwise it prints warnings: of its own adapter, and of each time.
    adapter: class extends MemoryAdapter {},
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...accounts.get(accountId) }),
    }),
  };
}

export interface Started {
  readonly state: string;
  readonly nonce: string;
  readonly code_verifier: string;
  readonly address: string;
}

/** What a client does before it sends the person to the provider. */
export function startedSignIn(
  authorization_endpoint: string,
  sub: string,
  changes: Readonly<Record<string, string>> = {},
) {
  const [state = '', nonce = '', code_verifier = ''] = [16, 16, 32].map((size) =>
    randomBytes(size).toString('base64url'),
  );
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const parameters = {
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: REDIRECT_URI,
    scope: 'openid email',
    state,
    nonce,
    code_challenge,
    code_challenge_method: 'S256',
    login_hint: sub,
    ...changes,
  };
  return {
    state,
    nonce,
    code_verifier,
    address: `${authorization_endpoint}?${String(new URLSearchParams(parameters))}`,
  };
}

/** Where the provider sends the person in the end: an address of the client, which nobody calls. */
export async function sentBack(address: string, redirect_uri = REDIRECT_URI): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let next = address;
  while (!next.startsWith(redirect_uri)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`The provider says ${response.status}: ${await response.text()}`);
    next = new URL(location, next).href;
  }
  return new URL(next).searchParams;
}

/** A code of this account, and what belongs to it. */
export async function codeOf(issuer: string, sub: string, changes: Readonly<Record<string, string>> = {}) {
  const { code_verifier, nonce, state, address } = startedSignIn(`${issuer}/auth`, sub, changes);
  const redirect_uri = changes['redirect_uri'] ?? REDIRECT_URI;
  const back = await sentBack(address, redirect_uri);
  if (back.get('state') !== state) throw new Error('The provider sent another state back.');
  return { code: back.get('code') ?? '', code_verifier, nonce, redirect_uri };
}
