/** The reference page beside the routes of the local stack. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayResponses } from '../../bin/local/gateway-responses.ts';
import { type HttpServer, startHttpServer } from '../../bin/local/http-server.ts';
import { PhysicalResources } from '../../bin/local/template.ts';
import { RouteTable } from '../../bin/local/route-table.ts';

let server: HttpServer;
beforeAll(async () => {
  server = await startHttpServer(0, {
    routes: new RouteTable({ Resources: {} }, new PhysicalResources(), new Map()),
    refuse: gatewayResponses({ Resources: {} }),
  });
});
afterAll(() => server.stop());

describe('the reference page', () => {
  it.each([
    ['/docs', 'text/html'],
    ['/docs/', 'text/html'],
    ['/docs/reference.js', 'text/javascript'],
    ['/docs/reference.css', 'text/css'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript'],
    ['/docs/swagger-ui.css', 'text/css'],
  ])('the page %s is served as %s', async (path, type) => {
    const response = await fetch(server.url + path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    expect(Number(response.headers.get('content-length'))).toBe((await response.arrayBuffer()).byteLength);
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('the reference page makes the browser load from its own origin only', async () => {
    const policy = (await fetch(`${server.url}/docs`)).headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`default-src 'none'`);
    expect(policy).toContain(`connect-src 'self'`);
    expect(policy).not.toMatch(/https?:/);
  });

  it('the reference page names no file of another origin', async () => {
    const html = await (await fetch(`${server.url}/docs`)).text();
    const loaded = [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address = '']) => address);
    expect(loaded.filter((address) => !address.startsWith('/docs/') && !address.startsWith('data:'))).toEqual([]);
  });

  it.each([
    ['POST', '/docs'],
    ['GET', '/docs/../package.json'],
    ['GET', '/docs/%2e%2e/package.json'],
    ['GET', '/docs/index.html'],
    ['GET', '/docsx'],
  ])('the request %s %s is for the routes', async (method, path) => {
    expect((await fetch(server.url + path, { method })).status).toBe(403);
  });
});
