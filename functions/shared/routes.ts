import { codesOf, type Scope } from './codes.ts';

/** An operation on a company, by the scope that a client needs for it, and its path behind that of the company. */
// @__NO_SIDE_EFFECTS__
function ofCompany<const Method extends Route['method'], const Path extends string>(
  scope: RouteScope,
  method: Method,
  path: Path,
  ...query: string[]
) {
  return { method, path: `/v1/migrations/{company_id}/${path}`, access: 'migration', query, scope } as const;
}

// @__NO_SIDE_EFFECTS__
function reading<const Path extends string>(path: Path, ...query: string[]) {
  return ofCompany('read', 'GET', path, ...query);
}

// @__NO_SIDE_EFFECTS__
function listing<const Path extends string>(path: Path, ...query: string[]) {
  return reading(path, 'limit', 'cursor', ...query);
}

// Each on its own, because a function carries only what it uses: its operation, and none of the table.
export const getToken = { method: 'POST', path: '/api/v1/auth/token', access: 'public' } as const;
export const getJwks = { method: 'GET', path: '/api/v1/auth/.well-known/jwks.json', access: 'public' } as const;
export const listCourses = listing('catalog/courses');
export const resolveUsers = ofCompany('read', 'POST', 'users/resolve');
export const registerUserMappings = ofCompany('import', 'POST', 'users/mappings');
export const listUserMappings = listing('users/mappings');
export const deleteUserMapping = ofCompany('import', 'DELETE', 'users/mappings/{external_user_id}');
export const registerCourseMappings = ofCompany('import', 'POST', 'catalog/mappings');
export const listCourseMappings = listing('catalog/mappings');
export const deleteCourseMapping = ofCompany('import', 'DELETE', 'catalog/mappings/{external_course_id}');
export const startImport = ofCompany('dry-run or import', 'POST', 'progress/imports');
export const listImports = listing('progress/imports', 'status', 'run_id', 'created_since', 'created_before');
export const getImport = reading('progress/imports/{import_id}');
export const listImportRecords = listing('progress/imports/{import_id}/records', 'status', 'include');
export const cancelImport = ofCompany('import', 'POST', 'progress/imports/{import_id}/cancel');
export const revertImport = ofCompany('revert', 'POST', 'progress/imports/{import_id}/revert');
export const getRevert = reading('progress/imports/{import_id}/revert', 'dry_run');
export const listRuns = listing('progress/runs', 'status', 'shape');
export const getRun = reading('progress/runs/{run_id}', 'include');
export const putRun = ofCompany('dry-run', 'PUT', 'progress/runs/{run_id}');
export const deleteRun = ofCompany('dry-run', 'DELETE', 'progress/runs/{run_id}');
export const makePlan = ofCompany('dry-run', 'POST', 'progress/runs/{run_id}/plan');
export const getPlan = reading('progress/runs/{run_id}/plan');
export const deletePlan = ofCompany('dry-run', 'DELETE', 'progress/runs/{run_id}/plan');
export const approvePlan = ofCompany('person', 'POST', 'progress/runs/{run_id}/plan/approve');
export const applyPlan = ofCompany('import', 'POST', 'progress/runs/{run_id}/plan/apply');
export const listPlanRecords = listing('progress/runs/{run_id}/plan/records', 'status', 'outcome', 'include');
export const listRunRecords = listing('progress/runs/{run_id}/records', 'status', 'include');
export const cancelRun = ofCompany('import', 'POST', 'progress/runs/{run_id}/cancel');
export const signEvidence = ofCompany('evidence', 'POST', 'progress/runs/{run_id}/evidence');
export const listEvidence = listing('progress/runs/{run_id}/evidence');
export const revertRun = ofCompany('revert', 'POST', 'progress/runs/{run_id}/revert');
export const getRunRevert = reading('progress/runs/{run_id}/revert', 'dry_run');
export const listArchive = listing(
  'progress/archive',
  'run_id',
  'email',
  'external_user_id',
  'course',
  'error_code',
  'include',
);
export const getRecord = reading('progress/records', 'external_record_id');
export const getLearner = listing('progress/learners', 'email', 'user_id', 'external_user_id');

/** All that knows operations derives from this table. The name is the operationId, and that of the handler. */
const table = () =>
  ({
    login: { method: 'POST', path: '/api/v1/auth/login', access: 'public' },
    'get-profile': { method: 'GET', path: '/api/v1/auth/profile', access: 'session' },
    'refresh-token': { method: 'POST', path: '/api/v1/auth/refresh-token', access: 'public' },
    logout: { method: 'POST', path: '/api/v1/auth/logout', access: 'session' },
    'get-sign-in': { method: 'GET', path: '/api/v1/auth/sign-in', access: 'public' },
    'sign-in': { method: 'POST', path: '/api/v1/auth/sign-in', access: 'public' },
    'get-token': getToken,
    'get-authorization-server': {
      method: 'GET',
      path: '/api/v1/auth/.well-known/oauth-authorization-server',
      access: 'public',
    },
    'get-jwks': getJwks,
    'get-evidence-jwks': { method: 'GET', path: '/api/v1/auth/.well-known/evidence-jwks.json', access: 'public' },
    'get-openapi': { method: 'GET', path: '/v1/openapi.json', access: 'public' },
    'list-courses': listCourses,
    'resolve-users': resolveUsers,
    'register-user-mappings': registerUserMappings,
    'list-user-mappings': listUserMappings,
    'delete-user-mapping': deleteUserMapping,
    'register-course-mappings': registerCourseMappings,
    'list-course-mappings': listCourseMappings,
    'delete-course-mapping': deleteCourseMapping,
    'start-import': startImport,
    'list-imports': listImports,
    'get-import': getImport,
    'list-import-records': listImportRecords,
    'cancel-import': cancelImport,
    'revert-import': revertImport,
    'get-revert': getRevert,
    'list-runs': listRuns,
    'get-run': getRun,
    'put-run': putRun,
    'delete-run': deleteRun,
    'make-plan': makePlan,
    'get-plan': getPlan,
    'delete-plan': deletePlan,
    'approve-plan': approvePlan,
    'apply-plan': applyPlan,
    'list-plan-records': listPlanRecords,
    'list-run-records': listRunRecords,
    'cancel-run': cancelRun,
    'sign-evidence': signEvidence,
    'list-evidence': listEvidence,
    'revert-run': revertRun,
    'get-run-revert': getRunRevert,
    'list-archive': listArchive,
    'get-record': getRecord,
    'get-learner': getLearner,
  }) as const satisfies Record<string, Entry>;

// Marked as free of side effects, so that no bundle carries the table without using it.
const TABLE = /* @__PURE__ */ table();

/** The name of an operation: also of its function, its handler file and its `operationId`. */
export type RouteName = keyof typeof TABLE;

/** What a client needs (§5.3). `dry-run or import`: as the body says. `person`: no scope opens it, such as an approval. */
export type RouteScope = Scope | 'dry-run or import' | 'person';

/** What the functions know of their operation on a company. */
export type CompanyRoute = Pick<Extract<Route, { readonly access: 'migration' }>, 'query' | 'scope'>;

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
export const routePath = <Name extends RouteName>(name: Name, parameters: PathParameters<Name>): string =>
  filled(TABLE[name].path, parameters);

/** The same of one operation, without the table. */
export function pathOf<const Path extends string>(
  { path }: { readonly path: Path },
  parameters: Readonly<Record<ParameterOf<Path>, string>>,
): string {
  return filled(path, parameters);
}

const filled = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => encodeURIComponent(values[parameter] ?? ''));
