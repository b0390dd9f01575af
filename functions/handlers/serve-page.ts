import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { staticOperation } from '../http/chain.ts';
import { namesTag } from '../http/response.ts';
import { type Approval, approvalIn } from '../plans/approval.ts';
import * as ENV from '../runtime/variables.ts';
import { type ApiRequest, RequestRejected } from '../http/types.ts';

/** Scripts and styles of its own files only, and no text that becomes a script: Trusted Types, with one policy for the worker. */
const POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self'`,
  `connect-src 'self'`,
  `worker-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
  `require-trusted-types-for 'script'`,
  `trusted-types page`,
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  vary: 'accept-encoding',
};

/** A file of the page, as the build leaves it beside this function. It never changes: its name has a hash of its content. */
export interface SiteFile {
  readonly type: string;
  /** Its content compressed by Brotli, in base64. */
  readonly brotli: string;
}

export interface Site {
  /**
   * The HTML. `{{base}}` stands for the path of the stage, in which the page cannot know where it is, `{{approval}}` for the setting,
   * by which it offers to import or to ask for an approval, and `{{mail}}` for whether notices are mailed.
   */
  readonly html: string;
  /** Files by name: the last part of their path. */
  readonly files: Readonly<Record<string, SiteFile>>;
}

/** What the page offers, by the settings of the stack. */
interface Offers {
  readonly approval: Approval;
  readonly mail: 'on' | 'off';
}

/** `GET /` and `GET /page/{proxy+}`: the page for people, and its files. Their names have a hash, so that they never change. */
export async function servePage(
  request: Pick<ApiRequest, 'path' | 'basePath' | 'headers' | 'requestId'>,
  site: Site,
  offers: Offers,
): Promise<APIGatewayProxyResult> {
  const { type, brotli, caching } = contentOf(request, site, offers);
  const etag = `"${createHash('sha256').update(brotli).digest('base64url')}"`;
  const headers = { ...HEADERS, 'cache-control': caching, etag: `W/${etag}`, 'x-request-id': request.requestId };
  if (namesTag(etag, request.headers['if-none-match'])) return { statusCode: 304, headers, body: '' };
  // API Gateway decodes base64 only for clients that send Accept, so an uncompressed body is not encoded.
  const coding = codingFor(request.headers['accept-encoding'] ?? '');
  return {
    statusCode: 200,
    headers: { ...headers, 'content-type': type, ...(coding && { 'content-encoding': coding }) },
    body: bodyIn(coding, brotli),
    isBase64Encoded: coding !== undefined,
  };
}

/** The content coding for a client: Brotli, gzip for a browser over plain HTTP, or none. */
function codingFor(accepted: string): 'br' | 'gzip' | undefined {
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
}

function bodyIn(coding: 'br' | 'gzip' | undefined, brotli: Buffer): string {
  if (coding === 'br') return brotli.toString('base64');
  const content = brotliDecompressSync(brotli);
  return coding === 'gzip' ? gzipSync(content).toString('base64') : content.toString();
}

function contentOf({ path, basePath }: Pick<ApiRequest, 'path' | 'basePath'>, site: Site, offers: Offers) {
  const { proxy } = path;
  if (proxy === undefined) {
    const html = site.html
      .replaceAll('{{base}}', basePath.replaceAll(/[^\w/-]/g, ''))
      .replace('{{approval}}', offers.approval)
      .replace('{{mail}}', offers.mail);
    return { type: 'text/html; charset=utf-8', brotli: brotliCompressSync(html), caching: 'no-store' };
  }
  const file = Object.hasOwn(site.files, proxy) ? site.files[proxy] : undefined;
  if (file === undefined) throw new RequestRejected('route_not_found', 'There is no such path or method.');
  return {
    type: file.type,
    brotli: Buffer.from(file.brotli, 'base64'),
    caching: 'public, max-age=31536000, immutable',
  };
}

let site: Site | undefined;

export const handler = staticOperation((request) => {
  site ??= JSON.parse(readFileSync(join(import.meta.dirname, 'site.json'), 'utf8')) as Site;
  const mail = process.env[ENV.mailFrom] === undefined ? 'off' : 'on';
  return servePage(request, site, { approval: approvalIn(process.env), mail });
});
