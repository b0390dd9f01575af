/** Every HTTP route, once. */
import { codesOf } from './codes.ts';

/**
 * API Gateway, the functions and their permissions, the OpenAPI document, the client, the `Location`
 * header and the tests derive from this table. The name is the OpenAPI operationId; the handler is `functions/handlers/<name>.ts`.
 */
const TABLE = {
  login: { method: 'POST', path: '/api/v1/auth/login', access: 'public' },
  'get-profile': { method: 'GET', path: '/api/v1/auth/profile', access: 'session' },
  'refresh-token': { method: 'POST', path: '/api/v1/auth/refresh-token', access: 'public' },
  logout: { method: 'POST', path: '/api/v1/auth/logout', access: 'session' },
  'get-jwks': { method: 'GET', path: '/api/v1/auth/.well-known/jwks.json', access: 'public' },
  'get-evidence-jwks': { method: 'GET', path: '/api/v1/auth/.well-known/evidence-jwks.json', access: 'public' },
  'get-openapi': { method: 'GET', path: '/v1/openapi.json', access: 'public' },
  'list-courses': { method: 'GET', path: '/v1/migrations/{company_id}/catalog/courses', access: 'migration' },
  'resolve-users': { method: 'POST', path: '/v1/migrations/{company_id}/users/resolve', access: 'migration' },
  'register-user-mappings': { method: 'POST', path: '/v1/migrations/{company_id}/users/mappings', access: 'migration' },
  'list-user-mappings': { method: 'GET', path: '/v1/migrations/{company_id}/users/mappings', access: 'migration' },
  'register-course-mappings': {
    method: 'POST',
    path: '/v1/migrations/{company_id}/catalog/mappings',
    access: 'migration',
  },
  'list-course-mappings': { method: 'GET', path: '/v1/migrations/{company_id}/catalog/mappings', access: 'migration' },
  'start-import': { method: 'POST', path: '/v1/migrations/{company_id}/progress/imports', access: 'migration' },
  'list-imports': { method: 'GET', path: '/v1/migrations/{company_id}/progress/imports', access: 'migration' },
  'get-import': {
    method: 'GET',
    path: '/v1/migrations/{company_id}/progress/imports/{import_id}',
    access: 'migration',
  },
  'list-import-records': {
    method: 'GET',
    path: '/v1/migrations/{company_id}/progress/imports/{import_id}/records',
    access: 'migration',
  },
  'cancel-import': {
    method: 'POST',
    path: '/v1/migrations/{company_id}/progress/imports/{import_id}/cancel',
    access: 'migration',
  },
  'revert-import': {
    method: 'POST',
    path: '/v1/migrations/{company_id}/progress/imports/{import_id}/revert',
    access: 'migration',
  },
  'get-revert': {
    method: 'GET',
    path: '/v1/migrations/{company_id}/progress/imports/{import_id}/revert',
    access: 'migration',
  },
  'list-runs': { method: 'GET', path: '/v1/migrations/{company_id}/progress/runs', access: 'migration' },
  'get-run': { method: 'GET', path: '/v1/migrations/{company_id}/progress/runs/{run_id}', access: 'migration' },
  'list-run-records': {
    method: 'GET',
    path: '/v1/migrations/{company_id}/progress/runs/{run_id}/records',
    access: 'migration',
  },
  'cancel-run': {
    method: 'POST',
    path: '/v1/migrations/{company_id}/progress/runs/{run_id}/cancel',
    access: 'migration',
  },
  'sign-evidence': {
    method: 'POST',
    path: '/v1/migrations/{company_id}/progress/runs/{run_id}/evidence',
    access: 'migration',
  },
  'list-evidence': {
    method: 'GET',
    path: '/v1/migrations/{company_id}/progress/runs/{run_id}/evidence',
    access: 'migration',
  },
  'revert-run': {
    method: 'POST',
    path: '/v1/migrations/{company_id}/progress/runs/{run_id}/revert',
    access: 'migration',
  },
  'get-run-revert': {
    method: 'GET',
    path: '/v1/migrations/{company_id}/progress/runs/{run_id}/revert',
    access: 'migration',
  },
  'get-record': { method: 'GET', path: '/v1/migrations/{company_id}/progress/records', access: 'migration' },
  'get-learner': { method: 'GET', path: '/v1/migrations/{company_id}/progress/learners', access: 'migration' },
} as const satisfies Record<string, Omit<Route, 'name'>>;

export type RouteName = keyof typeof TABLE;

export interface Route {
  readonly name: RouteName;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** `session`: any active user with a session. `migration`: an admin of the company in the path (§5). */
  readonly access: 'public' | 'session' | 'migration';
}

// Marked as free of side effects, so that no bundle carries the table without using it.
export const ROUTES: readonly Route[] = /* @__PURE__ */ listed(TABLE);

function listed(table: Readonly<Record<RouteName, Omit<Route, 'name'>>>): Route[] {
  return codesOf(table).map((name) => ({ name, ...table[name] }));
}

/** Where a stack signs no evidence, it has none of these. */
export const EVIDENCE_ROUTES: ReadonlySet<RouteName> = new Set(['get-evidence-jwks', 'sign-evidence', 'list-evidence']);

/** The page for people (docs/interface.md, The page): where it is, and where its files are. A deployment may have none. */
export const PAGE_PATHS = ['/', '/page/{proxy+}'] as const;

type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never;

/** The parameters in the path of a route, each with its value. */
export type PathParameters<Name extends RouteName> = Readonly<
  Record<ParameterOf<(typeof TABLE)[Name]['path']>, string>
>;

export const routeMethod = (name: RouteName): Route['method'] => TABLE[name].method;

/** The path of a route with its parameters filled in, percent-encoded. */
export function routePath<Name extends RouteName>(name: Name, parameters: PathParameters<Name>): string {
  const values: Readonly<Record<string, string>> = parameters;
  return TABLE[name].path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
    encodeURIComponent(values[parameter] ?? ''),
  );
}
