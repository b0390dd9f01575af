import { codesOf, type Scope } from './codes.ts';

/** All that knows operations derives from this table. The name is the operationId, and that of the handler. */
const table = () =>
  ({
    login: { method: 'POST', path: '/api/v1/auth/login', access: 'public' },
    'get-profile': { method: 'GET', path: '/api/v1/auth/profile', access: 'session' },
    'refresh-token': { method: 'POST', path: '/api/v1/auth/refresh-token', access: 'public' },
    logout: { method: 'POST', path: '/api/v1/auth/logout', access: 'session' },
    'get-sign-in': { method: 'GET', path: '/api/v1/auth/sign-in', access: 'public' },
    'sign-in': { method: 'POST', path: '/api/v1/auth/sign-in', access: 'public' },
    'get-token': { method: 'POST', path: '/api/v1/auth/token', access: 'public' },
    'get-authorization-server': {
      method: 'GET',
      path: '/api/v1/auth/.well-known/oauth-authorization-server',
      access: 'public',
    },
    'get-jwks': { method: 'GET', path: '/api/v1/auth/.well-known/jwks.json', access: 'public' },
    'get-evidence-jwks': { method: 'GET', path: '/api/v1/auth/.well-known/evidence-jwks.json', access: 'public' },
    'get-openapi': { method: 'GET', path: '/v1/openapi.json', access: 'public' },
    'list-courses': reading('catalog/courses', ...PAGE),
    'resolve-users': ofCompany('read', 'POST', 'users/resolve'),
    'register-user-mappings': ofCompany('import', 'POST', 'users/mappings'),
    'list-user-mappings': reading('users/mappings', ...PAGE),
    'delete-user-mapping': ofCompany('import', 'DELETE', 'users/mappings/{external_user_id}'),
    'register-course-mappings': ofCompany('import', 'POST', 'catalog/mappings'),
    'list-course-mappings': reading('catalog/mappings', ...PAGE),
    'delete-course-mapping': ofCompany('import', 'DELETE', 'catalog/mappings/{external_course_id}'),
    'start-import': ofCompany('dry-run or import', 'POST', 'progress/imports'),
    'list-imports': reading('progress/imports', ...PAGE, 'status', 'run_id', 'created_since', 'created_before'),
    'get-import': reading('progress/imports/{import_id}'),
    'list-import-records': reading('progress/imports/{import_id}/records', ...PAGE, 'status', 'include'),
    'cancel-import': ofCompany('import', 'POST', 'progress/imports/{import_id}/cancel'),
    'revert-import': ofCompany('revert', 'POST', 'progress/imports/{import_id}/revert'),
    'get-revert': reading('progress/imports/{import_id}/revert', 'dry_run'),
    'list-runs': reading('progress/runs', ...PAGE, 'status', 'shape'),
    'get-run': reading('progress/runs/{run_id}', 'include'),
    'put-run': ofCompany('dry-run', 'PUT', 'progress/runs/{run_id}'),
    'delete-run': ofCompany('dry-run', 'DELETE', 'progress/runs/{run_id}'),
    'make-plan': ofCompany('dry-run', 'POST', 'progress/runs/{run_id}/plan'),
    'get-plan': reading('progress/runs/{run_id}/plan'),
    'delete-plan': ofCompany('dry-run', 'DELETE', 'progress/runs/{run_id}/plan'),
    'approve-plan': ofCompany('person', 'POST', 'progress/runs/{run_id}/plan/approve'),
    'apply-plan': ofCompany('import', 'POST', 'progress/runs/{run_id}/plan/apply'),
    'list-plan-records': reading('progress/runs/{run_id}/plan/records', ...PAGE, 'status', 'outcome', 'include'),
    'list-run-records': reading('progress/runs/{run_id}/records', ...PAGE, 'status', 'include'),
    'cancel-run': ofCompany('import', 'POST', 'progress/runs/{run_id}/cancel'),
    'sign-evidence': ofCompany('evidence', 'POST', 'progress/runs/{run_id}/evidence'),
    'list-evidence': reading('progress/runs/{run_id}/evidence', ...PAGE),
    'revert-run': ofCompany('revert', 'POST', 'progress/runs/{run_id}/revert'),
    'get-run-revert': reading('progress/runs/{run_id}/revert', 'dry_run'),
    'list-archive': reading(
      'progress/archive',
      ...PAGE,
      'run_id',
      'email',
      'external_user_id',
      'course',
      'error_code',
      'include',
    ),
    'get-record': reading('progress/records', 'external_record_id'),
    'get-learner': reading('progress/learners', ...PAGE, 'email', 'user_id', 'external_user_id'),
  }) as const satisfies Record<string, Entry>;

/** An operation on a company, by the scope that a client needs for it, and its path behind that of the company. */
const ofCompany = <const Method extends Route['method'], const Path extends string>(
  scope: RouteScope,
  method: Method,
  path: Path,
  ...query: string[]
) => ({ method, path: `/v1/migrations/{company_id}/${path}`, access: 'migration', query, scope }) as const;

const reading = <const Path extends string>(path: Path, ...query: string[]) => ofCompany('read', 'GET', path, ...query);

const PAGE = ['limit', 'cursor'];

// Marked as free of side effects, so that no bundle carries the table without using it.
const TABLE = /* @__PURE__ */ table();

/** The name of an operation: also of its function, its handler file and its `operationId`. */
export type RouteName = keyof typeof TABLE;

/** What a client needs (§5.3). `dry-run or import`: as the body says. `person`: no scope opens it, such as an approval. */
export type RouteScope = Scope | 'dry-run or import' | 'person';

export type Route = {
  readonly name: RouteName;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** The names of its query parameters. */
  readonly query?: readonly string[];
} & (
  | {
      /** `session`: any active user with a session. */
      readonly access: 'public' | 'session';
      readonly scope?: undefined;
    }
  | {
      /** `migration`: an admin of the company in the path (§5), or a client of it. */
      readonly access: 'migration';
      readonly scope: RouteScope;
    }
);

type Entry = Route extends infer Each ? (Each extends Route ? Omit<Each, 'name'> : never) : never;

export const ROUTES: readonly Route[] = /* @__PURE__ */ listed(TABLE);

/** The routes by method and path, as API Gateway names them. */
export const ROUTES_BY_PATH: Readonly<Record<string, Route>> = /* @__PURE__ */ byPath();

function byPath() {
  return Object.fromEntries(ROUTES.map((route) => [`${route.method} ${route.path}`, route]));
}

function listed(table: Readonly<Record<RouteName, Entry>>): Route[] {
  return codesOf(table).map((name) => ({ name, ...table[name] }));
}

/** Where a stack signs no evidence, it has none of these. */
export const EVIDENCE_ROUTES: ReadonlySet<RouteName> = new Set(['get-evidence-jwks', 'sign-evidence', 'list-evidence']);

/** The page for people (docs/interface.md, The page): where it is, and where its files are. A deployment may have none. */
export const PAGE_PATHS = ['/', '/page/{proxy+}'] as const;

type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never;

/** The parameters in the path of a route, by name, so that a missing one does not compile. */
export type PathParameters<Name extends RouteName> = Readonly<
  Record<ParameterOf<(typeof TABLE)[Name]['path']>, string>
>;

export const routeMethod = (name: RouteName): Route['method'] => TABLE[name].method;

/** The path of a request, with its parameters encoded. @param parameters as they are, not encoded */
export function routePath<Name extends RouteName>(name: Name, parameters: PathParameters<Name>): string {
  const values: Readonly<Record<string, string>> = parameters;
  return TABLE[name].path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
    encodeURIComponent(values[parameter] ?? ''),
  );
}
