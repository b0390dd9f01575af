/** The calls to an identity provider are bounded, and its document is that of its issuer (§5.4). Loopback; costs milliseconds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { boundedFetch, readDocument, remembered } from '../../functions/auth/provider-document.ts';
import { TemporarilyUnavailable } from '../../functions/runtime/faults.ts';
import { parseSettings } from '../../lib/settings.ts';
import { serve, type Serving } from '../kit/serve.ts';
import PROVIDERS from './providers.json' with { type: 'json' };

let provider: Serving;
let respond: (response: ServerResponse) => unknown;
const asked: string[] = [];
beforeAll(async () => {
  provider = await serve((request, response) => {
    asked.push(request.url ?? '');
    return respond(response);
  });
});
afterAll(() => provider.stop());
beforeEach(() => {
  asked.length = 0;
});

const LIMITS = { ms: 20_000, bytes: 1000 };
const called = (url = provider.url, ms = LIMITS.ms) => boundedFetch(provider.url, { ...LIMITS, ms })(url);

describe('a provider does not respond if', () => {
  it.each<[string, typeof respond]>([
    ['it is silent', () => undefined],
    ['it begins, and then is silent', (response) => response.writeHead(200).write('{')],
    ['it sends a byte now and then', (response) => trickle(response)],
    ['it cuts the connection', (response) => response.destroy()],
    ['it sends too much', (response) => response.end('x'.repeat(1001))],
    ['it sends too much, packed', (response) => packed(response)],
    ['it sends without an end', (response) => endless(response)],
    ['it redirects', (response) => response.writeHead(302, { location: `${provider.url}/else` }).end()],
    ['it is busy', (response) => response.writeHead(429).end()],
    ['it fails', (response) => response.writeHead(500).end('{}')],
  ])('%s', async (name, behaviour) => {
    respond = behaviour;
    const isSlow = /silent|now and then/.test(name);
    await expect(called(provider.url, isSlow ? 200 : LIMITS.ms)).rejects.toThrow(TemporarilyUnavailable);
    expect(asked).toEqual(['/']);
  });

  it('nobody listens', async () => {
    await expect(called('http://127.0.0.1:9/')).rejects.toThrow(TemporarilyUnavailable);
  });

  it.each([
    'http://provider.test/',
    'http://169.254.169.254/latest/',
    'http://127.0.0.1:1@evil.test/',
    'file:///etc/passwd',
  ])('its address is %s', async (url) => {
    await expect(called(url)).rejects.toThrow(TemporarilyUnavailable);
    await expect(boundedFetch('https://provider.test', LIMITS)(url)).rejects.toThrow(TemporarilyUnavailable);
  });
});

function trickle(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
}

function endless(response: ServerResponse): void {
  const more = (): void => {
    while (!response.destroyed && response.write('x'.repeat(100)));
  };
  response.on('drain', more);
  more();
}

const packed = (response: ServerResponse) =>
  response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(100_000)));

it('a response within the limits is passed on, also one that refuses', async () => {
  respond = (response) =>
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
  const response = await called();
  expect([response.status, await response.json()]).toEqual([400, { error: 'invalid_grant' }]);
});

describe('the document of a provider', () => {
  const valid = () => ({
    issuer: provider.url,
    authorization_endpoint: `${provider.url}/auth`,
    token_endpoint: `${provider.url}/token`,
    jwks_uri: `${provider.url}/jwks`,
  });
  const read = (document: unknown) => {
    respond = (response) => response.end(typeof document === 'string' ? document : JSON.stringify(document));
    return readDocument(provider.url, boundedFetch(provider.url, LIMITS));
  };

  it('is where its issuer says', async () => {
    expect(await read(valid())).toEqual(valid());
    expect(asked).toEqual(['/.well-known/openid-configuration']);
  });

  it.each<[string, () => unknown]>([
    ['of another issuer', () => ({ ...valid(), issuer: 'https://evil.test' })],
    ['of the issuer with a slash', () => ({ ...valid(), issuer: `${provider.url}/` })],
    ['without an issuer', () => ({ ...valid(), issuer: undefined })],
    ['without keys', () => ({ ...valid(), jwks_uri: undefined })],
    ['with keys that are not encrypted on the way', () => ({ ...valid(), jwks_uri: 'http://provider.test/jwks' })],
    ['with an address that is a script', () => ({ ...valid(), authorization_endpoint: 'javascript:alert(1)' })],
    ['with methods that are no list', () => ({ ...valid(), token_endpoint_auth_methods_supported: 'none' })],
    ['that is a list', () => [valid()]],
    ['that is no JSON', () => '<html>'],
  ])('%s is not taken', async (_, document) => {
    await expect(read(document())).rejects.toThrow(TemporarilyUnavailable);
  });
});

describe('the document of a provider that docs/deploy.md names', () => {
  it.each(Object.entries(PROVIDERS))('%s is taken, with the issuer of its settings', async (name, document) => {
    const urls: string[] = [];
    const answering = async (url: string) => {
      urls.push(url);
      return Response.json(document);
    };
    expect(await readDocument(document.issuer, answering)).toEqual(document);
    expect(urls).toEqual([`${document.issuer}/.well-known/openid-configuration`]);
    const written = { company: 'acme', stage: 'sandbox', 'sign-in': { issuer: document.issuer, client_id: 'us' } };
    expect(parseSettings(written)).not.toHaveProperty('problems');
    expect(readFileSync(join(import.meta.dirname, '../../docs/deploy.md'), 'utf8')).toContain(`| ${name} |`);
    await expect(readDocument(`${document.issuer}/`, answering)).rejects.toThrow(TemporarilyUnavailable);
  });
});

describe('what is remembered', () => {
  it('is loaded again after its time, and stays while that fails', async () => {
    const clock = { now: 0, nowMs: () => clock.now };
    const loads = [1, undefined, 3].values();
    const load = async () => loads.next().value ?? Promise.reject(new Error('down'));
    const value = remembered(load, 1000, clock);
    const seen = [await value()];
    for (const now of [999, 1000, 1001]) {
      clock.now = now;
      seen.push(await value());
    }
    expect(seen).toEqual([1, 1, 1, 3]);
  });

  it('is an error as long as nothing was loaded', async () => {
    const clock = { nowMs: () => 0 };
    await expect(remembered(() => Promise.reject(new Error('down')), 1, clock)()).rejects.toThrow('down');
  });
});
