/** The identity provider of the company (§5.4): its settings, and its public document, read within limits of time and size. */
import { isObject } from '../records/json.ts';
import { TemporarilyUnavailable } from '../runtime/faults.ts';
import type { Clock } from '../runtime/system.ts';
import * as ENV from '../runtime/variables.ts';

/** As the deployment has them (`sign-in`), and as the environment variable repeats them. */
export interface SignInSettings {
  readonly issuer: string;
  readonly client_id: string;
  /** Name of a parameter in SSM. A public client has none. */
  readonly client_secret_parameter?: string;
  /** The provider sends no `email_verified`. */
  readonly unverified_email?: boolean;
}

export function signInSettings(environment: ENV.Environment): SignInSettings | undefined {
  const { [ENV.signIn]: text } = environment;
  const settings: SignInSettings | undefined = text === undefined ? undefined : JSON.parse(text);
  return settings;
}

/** What the discovery document of a provider must have (OpenID Connect Discovery 1.0, section 3). */
export type ProviderDocument = Readonly<Record<(typeof ADDRESSES)[number] | 'issuer', string>> & {
  readonly token_endpoint_auth_methods_supported?: string[];
};

const ADDRESSES = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/** Of every call to a provider: milliseconds for the whole response, and bytes of it. */
export const PROVIDER_LIMITS = { ms: 3_000, bytes: 256 * 1024 } as const;

type Limits = Readonly<Record<keyof typeof PROVIDER_LIMITS, number>>;
export type BoundedFetch = (url: string, options?: object) => Promise<Response>;

/**
 * Follows no redirect, and leaves no encryption. A provider that is down, slow, too large or busy is `TemporarilyUnavailable`; every
 * other response is returned whole. Plain HTTP is for a provider on this machine.
 */
export function boundedFetch(issuer: string, { ms, bytes }: Limits = PROVIDER_LIMITS): BoundedFetch {
  return async (url, options = {}) => {
    try {
      if (!isAddressOf(issuer, url)) throw new Error('The address has another protocol.');
      const response = await fetch(url, { ...options, redirect: 'manual', signal: AbortSignal.timeout(ms) });
      const { status, headers } = response;
      if ((status >= 300 && status < 400) || status === 429 || status >= 500)
        throw new Error(`The status is ${status}.`);
      return new Response(await contentOf(response, bytes), { status, headers });
    } catch (error) {
      throw new TemporarilyUnavailable('The identity provider does not respond.', { cause: error });
    }
  };
}

const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/;

/** Whether a provider with this issuer may have this address. */
const isAddressOf = (issuer: string, url: unknown): url is string =>
  typeof url === 'string' && (url.startsWith('https://') || (LOOPBACK.test(issuer) && LOOPBACK.test(url)));

async function contentOf({ body }: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > most) throw new Error(`The response has more than ${most} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const DOCUMENT = '/.well-known/openid-configuration';

/** @throws TemporarilyUnavailable also for a document that is not of this issuer, or lacks an address */
export async function readDocument(issuer: string, fetchBounded: BoundedFetch): Promise<ProviderDocument> {
  const response = await fetchBounded(`${issuer.replace(/\/$/, '')}${DOCUMENT}`);
  const document: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
  if (isDocument(document, issuer)) return document;
  throw new TemporarilyUnavailable('The identity provider has no valid discovery document.');
}

/** Another issuer, if only by a slash, is another provider. */
const isDocument = (document: unknown, issuer: string): document is ProviderDocument =>
  isObject(document) &&
  document['issuer'] === issuer &&
  ADDRESSES.every((name) => isAddressOf(issuer, document[name])) &&
  Array.isArray(document['token_endpoint_auth_methods_supported'] ?? []);

/** Loads a value again after `ms`. While that fails, the last one is used. */
export function remembered<Value>(load: () => Promise<Value>, ms: number, clock: Clock): () => Promise<Value> {
  let known: { readonly value: Value; readonly untilMs: number } | undefined;
  return async () => {
    const nowMs = clock.nowMs();
    if (known && known.untilMs > nowMs) return known.value;
    try {
      known = { value: await load(), untilMs: nowMs + ms };
    } catch (error) {
      if (known === undefined) throw error;
    }
    return known.value;
  };
}

const HOUR_MS = 3_600_000;

/** The document of the provider, remembered for an hour. */
export const rememberedDocument = (issuer: string, fetchBounded: BoundedFetch, clock: Clock) =>
  remembered(() => readDocument(issuer, fetchBounded), HOUR_MS, clock);
