import { codesOf } from './codes.ts';

/** All that knows operations derives from this table. The name is the operationId, and that of the handler. */
const table = () =>
  ({
    login: { method: 'POST', path: '/api/v1/auth/login', access: 'public' },
    'get-profile': { method: 'GET', path: '/api/v1/auth/profile', access: 'session' },
    'refresh-token': { method: 'POST', path: '/api/v1/auth/refresh-token', access: 'public' },
    logout: { method: 'POST', path: '/api/v1/auth/logout', access: 'session' },
    'get-jwks': { method: 'GET', path: '/api/v1/auth/.well-known/jwks.json', access: 'public' },
    'get-evidence-jwks': { method: 'GET', path: '/api/v1/auth/.well-known/evidence-jwks.json', access: 'public' },
    'get-openapi': { method: 'GET', path: '/v1/openapi.json', access: 'public' },
    'list-courses': ofCompany('GET', 'catalog/courses', ...PAGE),
    'resolve-users': ofCompany('POST', 'users/resolve'),
    'register-user-mappings': ofCompany('POST', 'users/mappings'),
    'list-user-mappings': ofCompany('GET', 'users/mappings', ...PAGE),
    'delete-user-mapping': ofCompany('DELETE', 'users/mappings/{external_user_id}'),
    'register-course-mappings': ofCompany('POST', 'catalog/mappings'),
    'list-course-mappings': ofCompany('GET', 'catalog/mappings', ...PAGE),
    'delete-course-mapping': ofCompany('DELETE', 'catalog/mappings/{external_course_id}'),
    'start-import': ofCompany('POST', 'progress/imports'),
    'list-imports': ofCompany(
      'GET',
      'progress/imports',
      ...PAGE,
      'status',
      'run_id',
      'created_since',
      'created_before',
    ),
    'get-import': ofCompany('GET', 'progress/imports/{import_id}'),
    'list-import-records': ofCompany('GET', 'progress/imports/{import_id}/records', ...PAGE, 'status', 'include'),
    'cancel-import': ofCompany('POST', 'progress/imports/{import_id}/cancel'),
    'revert-import': ofCompany('POST', 'progress/imports/{import_id}/revert'),
    'get-revert': ofCompany('GET', 'progress/imports/{import_id}/revert', 'dry_run'),
    'list-runs': ofCompany('GET', 'progress/runs', ...PAGE),
    'get-run': ofCompany('GET', 'progress/runs/{run_id}'),
    'list-run-records': ofCompany('GET', 'progress/runs/{run_id}/records', ...PAGE, 'status', 'include'),
    'cancel-run': ofCompany('POST', 'progress/runs/{run_id}/cancel'),
    'sign-evidence': ofCompany('POST', 'progress/runs/{run_id}/evidence'),
    'list-evidence': ofCompany('GET', 'progress/runs/{run_id}/evidence', ...PAGE),
    'revert-run': ofCompany('POST', 'progress/runs/{run_id}/revert'),
    'get-run-revert': ofCompany('GET', 'progress/runs/{run_id}/revert', 'dry_run'),
    'get-record': ofCompany('GET', 'progress/records', 'external_record_id'),
    'get-learner': ofCompany('GET', 'progress/learners', ...PAGE, 'email', 'user_id', 'external_user_id'),
  }) as const satisfies Record<string, Omit<Route, 'name'>>;

/** An operation on a company, by its path behind that of the company. */
const ofCompany = <const Method extends Route['method'], const Path extends string>(
  method: Method,
  path: Path,
  ...query: string[]
) => ({ method, path: `/v1/migrations/{company_id}/${path}`, access: 'migration', query }) as const;

const PAGE = ['limit', 'cursor'];

// Marked as free of side effects, so that no bundle carries the table without using it.
const TABLE = /* @__PURE__ */ table();

/** The name of an operation: also of its function, its handler file and its `operationId`. */
export type RouteName = keyof typeof TABLE;

export interface Route {
  readonly name: RouteName;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** `session`: any active user with a session. `migration`: an admin of the company in the path (§5). */
  readonly access: 'public' | 'session' | 'migration';
  /** The names of its query parameters. */
  readonly query?: readonly string[];
}

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
