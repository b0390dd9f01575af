/** The list of routes: paths with their parameters filled in, and which responses no cache may keep. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as SHARED from '../../functions/shared/routes.ts';

const { ROUTES, routePath } = SHARED;

describe('routes', () => {
  it('routePath: a route and its parameters → the path, with the parameters percent-encoded', () => {
    expect(routePath('login', {})).toBe('/api/v1/auth/login');
    expect(routePath('list-import-records', { company_id: 'a b', import_id: '../x' })).toBe(
      '/v1/migrations/a%20b/progress/imports/..%2Fx/records',
    );
  });

  it('a path names the company if, and only if, access is granted by company', () => {
    for (const { path, access } of ROUTES) expect(path.includes('{company_id}')).toBe(access === 'migration');
  });

  it.each(ROUTES.filter(({ access }) => access === 'migration'))(
    '$name is handled as its own route',
    ({ name, path }) => {
      const handler = readFileSync(join(import.meta.dirname, `../../functions/handlers/${name}.ts`), 'utf8');
      const [, used = ''] = /import \{ (\w+) as route\b/.exec(handler) ?? [];
      const exported: Readonly<Record<string, unknown>> = SHARED;
      expect(exported[used]).toMatchObject({ path });
      expect(used.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)).toBe(name);
    },
  );

  it('no two routes share method and path', () => {
    expect(new Set(ROUTES.map(({ method, path }) => `${method} ${path}`)).size).toBe(ROUTES.length);
  });
});
