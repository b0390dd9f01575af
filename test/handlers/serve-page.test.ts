/** The page for people, and its files. In memory; costs milliseconds. */
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { servePage, type Site } from '../../functions/handlers/serve-page.ts';

const SCRIPT = 'console.log(1)';
const SITE: Site = {
  html: '<script src="{{base}}/page/page-A.js"></script>{{approval}} {{mail}}',
  files: {
    'page-A.js': { type: 'text/javascript; charset=utf-8', brotli: brotliCompressSync(SCRIPT).toString('base64') },
  },
};

const get = (proxy?: string, headers: Record<string, string> = {}, basePath = '') =>
  servePage({ path: proxy === undefined ? {} : { proxy }, basePath, headers, requestId: 'r-1' }, SITE, {
    approval: 'second',
    mail: 'on',
  });

describe('GET /', () => {
  it.each(['', '/production'])('the page at "%s" loads its files from below it', async (base) => {
    const response = await get(undefined, {}, base);
    expect(response.body).toBe(`<script src="${base}/page/page-A.js"></script>second on`);
    expect(response.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  });

  it('the page cannot be framed, runs no script of its own text, and speaks to its own origin alone', async () => {
    const headers = (await get()).headers ?? {};
    const policy = String(headers['content-security-policy']);
    for (const rule of [
      `default-src 'none'`,
      `script-src 'self'`,
      `style-src 'self'`,
      `connect-src 'self'`,
      `frame-ancestors 'none'`,
      `base-uri 'none'`,
      `require-trusted-types-for 'script'`,
    ])
      expect(policy.split('; ')).toContain(rule);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-request-id': 'r-1',
    });
  });

  it('a path of a stage that is no path becomes no markup', async () => {
    expect((await get(undefined, {}, '/"><script>')).body).toBe(
      '<script src="/script/page/page-A.js"></script>second on',
    );
  });
});

describe('GET /page/{proxy+}', () => {
  it('a file is sent compressed to a client that takes Brotli, and may be kept for good', async () => {
    const response = await get('page-A.js', { 'accept-encoding': 'gzip, br' });
    expect(response.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    expect(brotliDecompressSync(Buffer.from(response.body, 'base64')).toString()).toBe(SCRIPT);
  });

  it('a file is sent in gzip to a client that takes no Brotli', async () => {
    const response = await get('page-A.js', { 'accept-encoding': 'gzip, deflate' });
    expect(response.headers).toMatchObject({ 'content-encoding': 'gzip' });
    expect(gunzipSync(Buffer.from(response.body, 'base64')).toString()).toBe(SCRIPT);
  });

  it('a file is sent as it is to any other client', async () => {
    const response = await get('page-A.js', { 'accept-encoding': 'identity' });
    expect(response.headers).not.toHaveProperty('content-encoding');
    expect([response.body, response.isBase64Encoded]).toEqual([SCRIPT, false]);
  });

  it('a client that has the file gets 304 without a body', async () => {
    const { etag } = (await get('page-A.js')).headers ?? {};
    const again = await get('page-A.js', { 'if-none-match': String(etag) });
    expect([again.statusCode, again.body, again.headers?.['etag']]).toEqual([304, '', etag]);
  });

  it.each(['page-B.js', '../site.json', '__proto__', 'constructor', ''])('there is no file %j', async (name) => {
    await expect(get(name)).rejects.toMatchObject({ problem: { error_code: 'route_not_found' } });
  });
});
