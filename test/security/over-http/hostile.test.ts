/** Over HTTP: samples of fuzz and forged tokens, and requests only a socket can send. Costs about half a minute. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, inject, it } from 'vitest';
import { CANARY } from '../fuzz/faults.ts';
import { rawRequest } from '../support/stack-target.ts';

describe('an error page', () => {
  const headers = { 'content-type': 'application/json' };
  const logIn = (body: string) => rawRequest({ method: 'POST', path: '/api/v1/auth/login', headers, body });

  it.each([
    ['a path', () => rawRequest({ method: 'GET', path: `/${CANARY}/%3Cscript%3E` })],
    ['a query', () => rawRequest({ method: 'GET', path: `/v1/x?q=${CANARY}` })],
    ['a body', () => logIn(`{"email":"${CANARY}","password":7}`)],
    ['broken JSON', () => logIn(`{"email":${CANARY}`)],
    ['a header', () => rawRequest({ method: 'GET', path: '/api/v1/auth/profile', headers: { authorization: CANARY } })],
    ['a password', () => logIn(JSON.stringify({ email: 'a@b', password: CANARY }))],
  ])('an error page does not show %s of the request', async (_, ask) => {
    const { status, text, headers } = await ask();
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(text.toLowerCase()).not.toContain('script');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });
});

describe('the page', () => {
  const HOSTILE = {
    authorization: `Bearer ${CANARY}`,
    cookie: `session=${CANARY}`,
    origin: 'https://evil.example',
    referer: `https://evil.example/${CANARY}`,
    'x-forwarded-host': CANARY,
    'x-forwarded-proto': 'http',
    'x-forwarded-prefix': `/${CANARY}`,
  };

  it('the page and its files are the same for a caller with credentials, another origin, a proxy and a query', async () => {
    const own = await rawRequest({ method: 'GET', path: '/' });
    const files = [...own.text.matchAll(/"(\/page\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(files).toHaveLength(4);
    for (const path of ['/', ...files, '/page/other.js']) {
      const expected = await rawRequest({ method: 'GET', path });
      const answered = await rawRequest({ method: 'GET', path: `${path}?q=${CANARY}%3Cscript%3E`, headers: HOSTILE });
      // An error names the request.
      expect(expected.status === 404 || answered.text === expected.text).toBe(true);
      expect([answered.status, answered.text.includes(CANARY)]).toEqual([expected.status, false]);
      expect(Object.keys(answered.headers).filter((each) => each.startsWith('access-control'))).toEqual([]);
      expect(answered.headers).toMatchObject({
        'strict-transport-security': expect.stringMatching(/max-age=\d{8}/),
        'x-content-type-options': 'nosniff',
        ...(answered.status === 200 && {
          'content-security-policy': expected.headers['content-security-policy'],
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
          'referrer-policy': 'no-referrer',
          'x-frame-options': 'DENY',
        }),
      });
      expect(answered.headers).not.toHaveProperty('set-cookie');
    }
  });

  it.each(['/page/..%2Fsite.json', '/page/%2e%2e/site.json', '/page/__proto__', '/page/a/b.js', '/page/%00'])(
    'there is no file %s',
    async (path) => {
      expect((await rawRequest({ method: 'GET', path })).status).toBe(404);
    },
  );
});

it.each(['OPTIONS', 'GET', 'POST'])('no response to %s admits a page of another origin', async (method) => {
  const headers = {
    origin: 'https://evil.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };
  const answered = await rawRequest({ method, path: '/api/v1/auth/login', headers });
  expect(answered.status).toBeGreaterThanOrEqual(400);
  expect(Object.keys(answered.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

/** A plain socket, for requests that no client library would send, and the begin of its response; empty if it is closed without one. */
async function raw(text: string): Promise<{ socket: Socket; response: Promise<string> }> {
  const { hostname, port } = new URL(inject('stackUrl'));
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  const response = new Promise<string>((resolve) => {
    socket.once('data', (bytes) => resolve(bytes.toString('latin1'))).once('close', () => resolve(''));
  });
  socket.write(text);
  return { socket, response };
}

const isServing = async () =>
  (await rawRequest({ method: 'GET', path: '/v1/openapi.json', isAlone: true })).status === 200;

describe('on the wire', { timeout: 60_000 }, () => {
  it.each([
    [
      'two lengths that disagree',
      'POST /api/v1/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\ncontent-length: 40\r\n\r\nabcd',
    ],
    [
      'a length and chunks',
      'POST /api/v1/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
    ],
    ['a header of 100 KB', `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`],
    ['ten thousand headers', `GET / HTTP/1.1\r\nhost: localhost\r\n${'a: b\r\n'.repeat(10_000)}\r\n`],
    ['a NUL in the path', 'GET /\0 HTTP/1.1\r\nhost: localhost\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer \0\r\n\r\n'],
    ['bytes that are no HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    [
      'a negative chunk',
      'POST /api/v1/auth/login HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n-1\r\n\r\n',
    ],
  ])('a request with %s gets no 5xx, and the service keeps serving', async (_, text) => {
    const { socket, response } = await raw(text);
    expect(await response).not.toMatch(/^HTTP\/1\.1 5/);
    socket.destroy();
    expect(await isServing()).toBe(true);
  });

  it('a body whose announced length is too large is refused before it is sent', async () => {
    const { response } = await raw(
      'POST /api/v1/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-length: 12582912\r\n\r\n',
    );
    expect(await response).toMatch(/^HTTP\/1\.1 413/);
  });

  it('a hundred bodies that never arrive delay no other request', async () => {
    const slow = await Promise.all(
      Array.from({ length: 100 }, () =>
        raw(
          'POST /api/v1/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"em',
        ),
      ),
    );
    expect(await isServing()).toBe(true);
    for (const { socket } of slow) socket.destroy();
    expect(await isServing()).toBe(true);
  });
});
