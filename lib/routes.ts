/** Every HTTP route as data. The API, the functions, their permissions, the tests and the documentation are derived from this list. */
export interface Route {
  /** The OpenAPI operationId, and the name of the file that holds the handler. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly access: 'public' | 'session' | 'migration';
  /** Limit of this route, below the API's own: for calls that are expensive or worth brute-forcing. */
  readonly throttle?: Throttle;
}

export interface Throttle {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/** A password hash costs a fifth of a second of CPU, and guessing passwords needs many logins. */
const AUTHENTICATING: Throttle = { requestsPerSecond: 10, burst: 20 };
/** Keeps Lambda concurrency free for the other routes while many imports are sent. */
const IMPORTING: Throttle = { requestsPerSecond: 20, burst: 50 };

const AUTH = '/api/v1/auth';
const MIGRATION = '/v1/migrations/{company_id}';

export const ROUTES: readonly Route[] = [
  { name: 'login', method: 'POST', path: `${AUTH}/login`, access: 'public', throttle: AUTHENTICATING },
  { name: 'get-profile', method: 'GET', path: `${AUTH}/profile`, access: 'session' },
  { name: 'refresh-token', method: 'POST', path: `${AUTH}/refresh-token`, access: 'public', throttle: AUTHENTICATING },
  { name: 'get-jwks', method: 'GET', path: `${AUTH}/.well-known/jwks.json`, access: 'public' },
  { name: 'get-openapi', method: 'GET', path: '/v1/openapi.json', access: 'public' },
  { name: 'list-courses', method: 'GET', path: `${MIGRATION}/catalog/courses`, access: 'migration' },
  { name: 'resolve-users', method: 'POST', path: `${MIGRATION}/users/resolve`, access: 'migration' },
  { name: 'register-user-mappings', method: 'POST', path: `${MIGRATION}/users/mappings`, access: 'migration' },
  { name: 'list-user-mappings', method: 'GET', path: `${MIGRATION}/users/mappings`, access: 'migration' },
  { name: 'register-course-mappings', method: 'POST', path: `${MIGRATION}/catalog/mappings`, access: 'migration' },
  { name: 'list-course-mappings', method: 'GET', path: `${MIGRATION}/catalog/mappings`, access: 'migration' },
  {
    name: 'start-import',
    method: 'POST',
    path: `${MIGRATION}/progress/imports`,
    access: 'migration',
    throttle: IMPORTING,
  },
  { name: 'list-imports', method: 'GET', path: `${MIGRATION}/progress/imports`, access: 'migration' },
  { name: 'get-import', method: 'GET', path: `${MIGRATION}/progress/imports/{import_id}`, access: 'migration' },
  {
    name: 'list-import-records',
    method: 'GET',
    path: `${MIGRATION}/progress/imports/{import_id}/records`,
    access: 'migration',
  },
  { name: 'get-record', method: 'GET', path: `${MIGRATION}/progress/records`, access: 'migration' },
];
