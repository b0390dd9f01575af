/** Every HTTP route as data: the API, the functions, their permissions, the tests and the documentation all read this list. */
export interface Route {
  /** OpenAPI operationId; the handler stands in `functions/handlers/<name>.ts`. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly access: 'public' | 'session' | 'migration';
  /** Stricter than the API's own limits, where a call is dear or worth guessing at. */
  readonly throttle?: Throttle;
}

export interface Throttle {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/** Hashing a password takes a fifth of a second of CPU, and guessing passwords takes many logins. */
const AUTHENTICATING: Throttle = { requestsPerSecond: 10, burst: 20 };
/** At most this many imports are taken in at once, so that they leave concurrency for everybody else. */
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
