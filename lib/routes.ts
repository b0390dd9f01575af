/** Every HTTP route as data: the API, the functions, their permissions, the tests and the documentation all read this list. */
export interface Route {
  /** OpenAPI operationId; the handler stands in `functions/api/<name>.ts`. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly access: 'public' | 'session' | 'migration';
  /** What the function may touch beyond what its `access` needs. */
  readonly may: readonly Permission[];
}

/** Each is one set of actions on one resource: see permissions.ts. */
export type Permission =
  | 'read'
  | 'write'
  | 'write-records'
  | 'list-imports'
  | 'list-open-imports'
  | 'send-chunks'
  | 'sign';

const AUTH = '/api/v1/auth';
const MIGRATION = '/v1/migrations/{company_id}';

export const ROUTES: readonly Route[] = [
  { name: 'login', method: 'POST', path: `${AUTH}/login`, access: 'public', may: ['read', 'write', 'sign'] },
  { name: 'get-profile', method: 'GET', path: `${AUTH}/profile`, access: 'session', may: ['read'] },
  {
    name: 'refresh-token',
    method: 'POST',
    path: `${AUTH}/refresh-token`,
    access: 'public',
    may: ['read', 'write', 'sign'],
  },
  { name: 'get-jwks', method: 'GET', path: `${AUTH}/.well-known/jwks.json`, access: 'public', may: ['read'] },
  { name: 'get-openapi', method: 'GET', path: '/v1/openapi.json', access: 'public', may: [] },
  { name: 'list-courses', method: 'GET', path: `${MIGRATION}/catalog/courses`, access: 'migration', may: ['read'] },
  { name: 'resolve-users', method: 'POST', path: `${MIGRATION}/users/resolve`, access: 'migration', may: ['read'] },
  {
    name: 'register-user-mappings',
    method: 'POST',
    path: `${MIGRATION}/users/mappings`,
    access: 'migration',
    may: ['read', 'write'],
  },
  {
    name: 'list-user-mappings',
    method: 'GET',
    path: `${MIGRATION}/users/mappings`,
    access: 'migration',
    may: ['read'],
  },
  {
    name: 'register-course-mappings',
    method: 'POST',
    path: `${MIGRATION}/catalog/mappings`,
    access: 'migration',
    may: ['read', 'write'],
  },
  {
    name: 'list-course-mappings',
    method: 'GET',
    path: `${MIGRATION}/catalog/mappings`,
    access: 'migration',
    may: ['read'],
  },
  {
    name: 'start-import',
    method: 'POST',
    path: `${MIGRATION}/progress/imports`,
    access: 'migration',
    may: ['read', 'write', 'send-chunks'],
  },
  {
    name: 'list-imports',
    method: 'GET',
    path: `${MIGRATION}/progress/imports`,
    access: 'migration',
    may: ['read', 'list-imports'],
  },
  {
    name: 'get-import',
    method: 'GET',
    path: `${MIGRATION}/progress/imports/{import_id}`,
    access: 'migration',
    may: ['read'],
  },
  {
    name: 'list-import-records',
    method: 'GET',
    path: `${MIGRATION}/progress/imports/{import_id}/records`,
    access: 'migration',
    may: ['read'],
  },
  { name: 'get-record', method: 'GET', path: `${MIGRATION}/progress/records`, access: 'migration', may: ['read'] },
];
