/** The list of routes: paths with their parameters filled in, and which responses no cache may keep. */
import { describe, expect, it } from 'vitest';
import { ROUTES, routePath } from '../../functions/shared/routes.ts';

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

  it('no two routes share method and path', () => {
    expect(new Set(ROUTES.map(({ method, path }) => `${method} ${path}`)).size).toBe(ROUTES.length);
  });
});
