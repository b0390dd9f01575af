/** The API reference at `/docs`: the OpenAPI document, rendered by Swagger UI from this project's packages. It works offline. */
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';

const OWN = join(import.meta.dirname, 'reference');
const RENDERER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

interface Asset {
  readonly folder: string;
  readonly file: string;
  readonly type: string;
}

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const INDEX: Asset = { folder: OWN, file: 'index.html', type: HTML };
const ASSETS = new Map<string, Asset>([
  ['/docs', INDEX],
  ['/docs/', INDEX],
  ['/docs/reference.css', { folder: OWN, file: 'reference.css', type: CSS }],
  ['/docs/reference.js', { folder: OWN, file: 'reference.js', type: SCRIPT }],
  ['/docs/swagger-ui.css', { folder: RENDERER, file: 'swagger-ui.css', type: CSS }],
  ['/docs/swagger-ui-bundle.js', { folder: RENDERER, file: 'swagger-ui-bundle.js', type: SCRIPT }],
]);

/** Makes the browser refuse anything from another origin. */
const POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/** Responds to a request for the reference page. @returns false if it is for something else */
export async function serveReferencePage(
  method: string,
  path: string,
  response: ServerResponse,
  requestId: string,
): Promise<boolean> {
  const asset = method === 'GET' ? ASSETS.get(path) : undefined;
  if (asset === undefined) return false;
  const content = await readFile(join(asset.folder, asset.file));
  response
    .writeHead(200, {
      'content-type': asset.type,
      'content-length': content.length,
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
      'x-request-id': requestId,
    })
    .end(content);
  return true;
}
