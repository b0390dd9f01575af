/** The API reference at `/docs`: the OpenAPI document, rendered by Swagger UI from this project's packages. It works offline. */
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
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

/** The page for a new client. A deployed API has nothing at `/`: this page belongs to the local server, as `/docs` does. */
const START = JSON.stringify({
  name: 'Course Progress Migration Service, on this machine',
  reference: '/docs',
  openapi: '/v1/openapi.json',
  login: '/api/v1/auth/login',
  next: 'Log in with POST to login, send the access token as a bearer token, then GET /v1/migrations/{company_id}/catalog/courses.',
});

/** Responds to a request for a page of this server, which the API does not have. @returns false if it is for the API */
export async function servePage(request: IncomingMessage, path: string, response: ServerResponse): Promise<boolean> {
  return serveStart(request, path, response) || serveReferencePage(request.method ?? '', path, response);
}

/** Leads a browser from `/` to the reference page, and shows other clients the first steps. @returns false elsewhere */
function serveStart({ method, headers }: IncomingMessage, path: string, response: ServerResponse): boolean {
  if (method !== 'GET' || path !== '/') return false;
  const always = { vary: 'accept', 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' };
  if (headers.accept?.includes('text/html')) response.writeHead(302, { ...always, location: '/docs' }).end();
  else response.writeHead(200, { ...always, 'content-type': 'application/json' }).end(START);
  return true;
}

/** Responds to a request for the reference page. @returns false if it is for something else */
async function serveReferencePage(method: string, path: string, response: ServerResponse): Promise<boolean> {
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
    })
    .end(content);
  return true;
}
